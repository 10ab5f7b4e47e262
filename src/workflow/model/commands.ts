/** What a cli action or a check runs (workflow-plan.md §4, cli). */
import { isExactObject, nameOfValue } from "../exact-json.js";
import type { ValueOf, VariantsShape } from "../shape.js";
import {
  enumeration,
  flag,
  list,
  nonEmptyList,
  nullable,
  object,
  required,
  sparse,
  sparseWhen,
  strictObject,
  text,
  textMap,
} from "./words.js";

const argvCommand = object("argv command", "A program with its arguments, run without a shell.", {
  argv: required(nonEmptyList(text), "The program and its arguments, run without a shell."),
});

const shellCommand = object("shell command", "A script that a shell runs.", {
  shell: required(text, "The script that a shell runs."),
  args: sparse(list(text), [], "The arguments of the script."),
  env: sparseWhen(
    {
      when: (command: { env?: ReadonlyMap<string, string> }) =>
        command.env !== undefined && command.env.size > 0,
    },
    textMap,
    new Map<string, string>(),
    "The environment variables that it gets besides the inherited ones.",
  ),
});

type CommandShape = typeof argvCommand | typeof shellCommand;

export const command: VariantsShape<CommandShape, ValueOf<CommandShape>> = {
  kind: "variants",
  name: "command",
  means: "What is run: a program with its arguments, or a script.",
  options: [argvCommand, shellCommand],
  choose(value, report) {
    if (!isExactObject(value)) {
      report.refuse("WRONG_TYPE", `Must be an object with argv or shell, not ${nameOfValue(value)}.`);
      return undefined;
    }
    const hasArgv = value.has("argv");
    const hasShell = value.has("shell");
    if (hasArgv && hasShell)
      report.refuse("COMMAND_FORM", "Must not stand beside argv; keep one of the two.", "shell");
    else if (!hasArgv && !hasShell)
      report.refuse("COMMAND_FORM", "Must have argv (a list of strings) or shell (a script).");
    else return hasArgv ? argvCommand : shellCommand;
    return undefined;
  },
  shapeOf: (value) => ("argv" in value ? argvCommand : shellCommand),
};

const emptyCondition = enumeration("output condition", "What the output of a command must be like.", {
  empty: "The command prints nothing.",
});

const equalsCondition = strictObject("equals condition", "The text that a command must print.", {
  equals: required(text, "What the command must print."),
});

type ConditionShape = typeof emptyCondition | typeof equalsCondition;

export const condition: VariantsShape<ConditionShape, ValueOf<ConditionShape>> = {
  kind: "variants",
  name: "condition",
  means: "What the output of a command must be.",
  options: [emptyCondition, equalsCondition],
  choose(value, report) {
    if (typeof value === "string") return emptyCondition;
    if (isExactObject(value)) return equalsCondition;
    report.refuse("WRONG_TYPE", `Must be "empty" or an object with equals, not ${nameOfValue(value)}.`);
    return undefined;
  },
  shapeOf: (value) => (typeof value === "string" ? emptyCondition : equalsCondition),
};

export const cliPayload = object("cli payload", "Commands to run, and what they must print.", {
  commands: required(list(command), "The commands, run in this order."),
  assert: required(
    nullable(nonEmptyList(condition)),
    "What the output must be; null when the exit code alone decides.",
  ),
  idempotent: sparse(flag, false, "Whether running it again does no harm."),
});
