/** What every session of either home is told first, so that no setting of a database or a role changes a meaning. */

/** Statements without parameters. Without a limit, statements and transactions may take as long as they need. */
export function sessionSettings(statementTimeoutMs = 0): string {
  return [
    "SET TIME ZONE 'UTC'",
    // By default a schema of the role's name comes first, and would get the tables.
    "SET search_path = public",
    "SET datestyle = 'ISO, MDY'",
    "SET default_transaction_isolation = 'read committed'",
    "SET default_transaction_read_only = off",
    `SET statement_timeout = ${statementTimeoutMs}`,
    // A process that stops in the middle of a transaction must not hold the head of the log for ever.
    `SET idle_in_transaction_session_timeout = ${statementTimeoutMs}`,
    // A command waits for its plan as long as its statement may take.
    "SET lock_timeout = 0",
    // Not every version of a server has these.
    "SELECT set_config(name, '0', false) FROM pg_settings WHERE name IN ('transaction_timeout', 'idle_session_timeout')",
  ].join("; ");
}
