/** How long a soak lasts: what `npm run soak -- NAME SECONDS` says, or a length of its own. */
export function soakSeconds(otherwise: number): number {
  return Number(process.env.SOAK_SECONDS || otherwise);
}
