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
  const sign = value < 0 || Object.is(value, -0) ? "-" : "";
  const [mantissa = "0", power = "0"] = Math.abs(value).toExponential().split("e");
  const exponent = Number(power);
  const digits = mantissa.replace(".", "");
  if (exponent < -4 || exponent >= 16) {
    return `${sign}${mantissa}e${exponent < 0 ? "-" : "+"}${String(Math.abs(exponent)).padStart(2, "0")}`;
  }
  if (exponent < 0) return `${sign}0.${"0".repeat(-exponent - 1)}${digits}`;
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, "0");
  return `${sign}${whole}.${digits.slice(exponent + 1) || "0"}`;
}
