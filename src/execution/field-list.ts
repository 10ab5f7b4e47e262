/** Writes the fields of one object beside each other, those that follow from a part that never changes only once. */
import type { ResponsePath } from "graphql";
import { type Run, remembered } from "./run.js";
import { type Later, Text } from "./text.js";

/** One field of a compiled selection. */
export interface CompiledField {
  /** The key of the answer as JSON text, with its colon. */
  readonly label: string;
  /** See `settled`; and so is all that is selected below. */
  readonly isSettled: boolean;
  /** What the field's value follows from, where that is a part of the object. */
  readonly part: ((source: unknown) => object) | null;
  write(source: unknown, run: Run, place: ResponsePath | undefined): Later<string>;
}

export function writeFields(
  fields: readonly CompiledField[],
  source: unknown,
  run: Run,
  place: ResponsePath | undefined,
): Later<string> {
  const text = writeList(fields, source, run, place);
  return typeof text === "string" ? `{${text}}` : text.then((later) => `{${later}}`);
}

/** The fields without what stands around them. */
function writeList(
  fields: readonly CompiledField[],
  source: unknown,
  run: Run,
  place: ResponsePath | undefined,
): Later<string> {
  const text = new Text("");
  try {
    let separator = "";
    for (const { label, write } of fields) {
      const value = write(source, run, place);
      text.add(separator + label);
      text.add(value);
      separator = ",";
    }
    return text.end("");
  } catch (error) {
    return text.fail(error);
  }
}

/** Fields beside each other that follow from the same part of their object become one, whose text is kept with it. */
export function joinSettled(fields: readonly CompiledField[]): readonly CompiledField[] {
  const joined: CompiledField[] = [];
  for (let index = 0; index < fields.length; ) {
    const first = fields[index];
    if (first === undefined) break;
    const { part } = first;
    let end = index + 1;
    if (part !== null && first.isSettled) {
      while (fields[end]?.part === part && fields[end]?.isSettled) end += 1;
      joined.push(settledFields(fields.slice(index, end), part));
    } else {
      joined.push(first);
    }
    index = end;
  }
  return joined;
}

function settledFields(fields: readonly CompiledField[], part: (source: unknown) => object): CompiledField {
  return {
    label: "",
    isSettled: true,
    part,
    write: (source, run, place) =>
      remembered(part(source), fields, run, () => writeList(fields, source, run, place)),
  };
}
