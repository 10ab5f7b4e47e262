/** The refusals to start: what a person must mend before a server may use a database. */

/** The message is one line for that person; it names the place of the database and never a password. */
export class StartRefused extends Error {
  override readonly name = "StartRefused";
}
