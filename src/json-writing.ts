/** Writes values as JSON text that JSON.parse reads back equal: JSON.stringify loses the sign of a negative zero. */

/** What JSON.stringify writes, except that a negative zero is `-0`. The value may stand in JSON, so it is not undefined. */
export function writeJson(value: unknown): string {
  return holdsNegativeZero(value) ? written(value) : JSON.stringify(value);
}

function holdsNegativeZero(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return Object.is(value, -0);
  if (Array.isArray(value)) return value.some(holdsNegativeZero);
  return Object.values(plain(value)).some(holdsNegativeZero);
}

function written(value: unknown): string {
  if (Object.is(value, -0)) return "-0";
  if (typeof value !== "object" || value === null) return isJson(value) ? JSON.stringify(value) : "null";
  if (Array.isArray(value)) return `[${value.map(written).join(",")}]`;
  const members = Object.entries(plain(value)).filter(([, member]) => isJson(member));
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${written(member)}`).join(",")}}`;
}

function isJson(value: unknown): boolean {
  return value !== undefined && typeof value !== "function";
}

/** Errors say by `toJSON` what of them is shown. */
function plain(value: object): object {
  return value instanceof Error && "toJSON" in value && typeof value.toJSON === "function"
    ? value.toJSON()
    : value;
}
