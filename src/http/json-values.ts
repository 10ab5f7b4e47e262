/**
 * How many values a JSON text holds, at a glance: reading a few megabytes of many small ones takes more than a second,
 * in which nobody else is served. No request that means something has as many.
 */

const MOST_VALUES = 1_000_000;
/** A shorter text is read in no time, whatever it holds. */
const SHORT_BYTES = 256 * 1024;
const [QUOTE, BACKSLASH, COMMA, BRACKET, BRACE] = [0x22, 0x5c, 0x2c, 0x5b, 0x7b];

/** Whether it holds more than a million, lists and objects among them; of a text that is no JSON, anything. */
export function holdsTooManyValues(json: Uint8Array): boolean {
  if (json.length < SHORT_BYTES) return false;
  let values = 0;
  let isInText = false;
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at];
    if (isInText) {
      if (byte === BACKSLASH) at += 1;
      else if (byte === QUOTE) isInText = false;
    } else if (byte === QUOTE) isInText = true;
    else if (byte === COMMA || byte === BRACKET || byte === BRACE) values += 1;
  }
  return values > MOST_VALUES;
}
