/** What every session of either home is told first, so that no setting of a database or a role changes a meaning. */

/** Statements without parameters; the limits are those of a server, a session in this process needs none. */
export function sessionSettings(statementTimeoutMs?: number): string {
  const settings = [
    "SET TIME ZONE 'UTC'",
    // By default a schema of the role's name comes first, and would get the tables.
    "SET search_path = public",
    "SET datestyle = 'ISO, MDY'",
    "SET default_transaction_isolation = 'read committed'",
    "SET default_transaction_read_only = off",
  ];
  if (statementTimeoutMs !== undefined) {
    settings.push(
      `SET statement_timeout = ${statementTimeoutMs}`,
      // A process that stops in the middle of a transaction must not hold the head of the log for ever.
      `SET idle_in_transaction_session_timeout = ${statementTimeoutMs}`,
    );
  }
  return settings.join("; ");
}
