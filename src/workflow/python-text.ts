/** What Python does with text and numbers where JavaScript does something else. */

/**
 * The characters that `str.strip` trims. Not those of `trim`, which takes U+FEFF too and leaves
 * U+001C–U+001F and U+0085.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: Python trims these
const NOT_BLANK = /[^\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/;

/** Whether nothing is left after `str.strip`. */
export function isBlank(text: string): boolean {
  return !NOT_BLANK.test(text);
}

/** A finite fraction as `repr` prints it: `1.0`, `1e-07`, `1e+16`; the digits are the shortest that read back. */
export function reprOfFraction(value: number): string {
  const size = Math.abs(value);
  if (size === 0) return Object.is(value, -0) ? "-0.0" : "0.0";
  // Here JavaScript prints the same digits, but for those of a whole number.
  if (size >= 1e-4 && size < 1e16) return Number.isInteger(value) ? `${value}.0` : `${value}`;
  const [mantissa = "", power = ""] = value.toExponential().split("e");
  const exponent = Number(power);
  return `${mantissa}e${exponent < 0 ? "-" : "+"}${String(Math.abs(exponent)).padStart(2, "0")}`;
}
