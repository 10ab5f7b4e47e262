/**
 * What a text may be: storable, blank or not, how long, and when two texts say the same. Which field has
 * which rule stands in inputs; names and identifiers have grammars of their own.
 */

/** Limits of texts, in Unicode code points. */
export const LONG_TEXT_LIMIT = 20_000;
export const INVARIANT_TEXT_LIMIT = 4_000;
export const SOURCE_NAME_LIMIT = 256;
export const TAG_LENGTH_LIMIT = 64;
export const CHANGESET_ID_LIMIT = 256;
export const DIGEST_LENGTH_LIMIT = 256;
export const SANDBOX_REF_LIMIT = 1_024;
export const IDEMPOTENCY_KEY_LIMIT = 256;

/** Whether PostgreSQL can keep the text as it is: no U+0000, no lone surrogate. */
export function isStorable(text: string): boolean {
  return !text.includes("\u0000") && !LONE_SURROGATE.test(text);
}

/** The length as people count it; a lone surrogate counts as one. */
export function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** Whether nothing of the text can be seen: white space, zero-width and control characters only, or none. */
export function isBlank(text: string): boolean {
  return INVISIBLE.test(text);
}

/** The form in which invariants are compared: NFC, each run of white space one space, none at the ends. */
export function foldForComparison(text: string): string {
  return text
    .normalize("NFC")
    .replace(/\p{White_Space}+/gu, " ")
    .replace(/^ | $/g, "");
}

/** Lower-cases A to Z and nothing else: `İ` and the Kelvin sign would otherwise become ASCII letters. */
export function lowerAscii(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** With the flag `u` a surrogate that is half of a pair is no match. */
const LONE_SURROGATE = /\p{Surrogate}/u;

/** U+2800 is the braille pattern without dots, U+FFF9 to U+FFFB frame annotations; no property covers them. */
const INVISIBLE = /^[\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Control}\u2800\uFFF9-\uFFFB]*$/u;
