// What of the checkout an image is built of: reads .dockerignore as Docker does, so far as ours goes: a rule names a
// path with all below it, `*` stands for any part of one name, `!` lets in again, and the last rule that fits counts.

/**
 * Makes the question whether a file, by its path in the checkout, is let in.
 * @param {string} rules the text of .dockerignore
 * @returns {(path: string) => boolean}
 */
export function imageContext(rules) {
  const read = rules
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => {
      const letsIn = line.startsWith("!");
      const names = (letsIn ? line.slice(1) : line)
        .split("*")
        .map((text) => text.replace(/[^\w/-]/g, "\\$&"));
      return { letsIn, fits: new RegExp(`^${names.join("[^/]*")}(/|$)`) };
    });
  return (path) => read.findLast(({ fits }) => fits.test(path))?.letsIn ?? true;
}
