/** Texts that must have a certain form, wherever they stand in the model. */
import { isBlank } from "../python-text.js";
import type { TextTest } from "../shape.js";
import { textThat } from "./words.js";

const NOT_BLANK: TextTest = {
  code: "BLANK",
  right: "not be blank",
  holds: (text) => !isBlank(text),
};

export const notBlank = textThat(NOT_BLANK);

/** The name of a document or of a field of a work item. */
export const plainName = textThat({
  code: "MALFORMED_NAME",
  right: "begin with a letter or _ and go on with letters, digits, _ and -, all of them ASCII",
  holds: (text) => /^[A-Za-z_][A-Za-z0-9_-]*$/.test(text),
});

export const metadataName = textThat({
  code: "MALFORMED_NAME",
  right: "begin with a letter or _ and go on with letters, digits, _, . and -, all of them ASCII",
  holds: (text) => /^[A-Za-z_][A-Za-z0-9_.-]*$/.test(text),
});

export const metadataKey = textThat({
  code: "MALFORMED_NAME",
  right:
    "be segments joined by dots, each beginning with a letter or _ and going on with letters, digits, _ and -",
  holds: (text) => /^[A-Za-z0-9_.-]*$/.test(text) && !/(?:^|\.)(?![A-Za-z_])/.test(text),
});

/** A path that stays inside its directory. */
export const documentPath = textThat(
  NOT_BLANK,
  {
    code: "MALFORMED_PATH",
    right: "be relative, without a leading / or \\",
    holds: (path) => !/^[/\\]/.test(path),
  },
  {
    code: "MALFORMED_PATH",
    right: "stay in its directory, without a .. segment",
    holds: (path) => !/(?:^|[/\\])\.\.(?:[/\\]|$)/.test(path),
  },
);
