import {
  findErrorRule,
  type PreparedErrorRule,
  parseErrorRules,
  rewriteOf,
} from "@tollgate/contract/management/error-rules";
import type { RelayPorts } from "@tollgate/relay/ports/relay-ports";
import type { Options } from "./options";

/** The rules of the option ErrorRules, parsed when it changes. */
export const createErrorRules = (
  options: Pick<Options, "text" | "onChange">,
): NonNullable<RelayPorts["rewriteError"]> => {
  let rules: readonly PreparedErrorRule[] = [];
  const read = (): void => {
    const parsed = parseErrorRules(options.text("ErrorRules"));
    // It was checked before it was stored; an invalid stored value rewrites nothing.
    rules = "fault" in parsed ? [] : parsed;
  };
  read();
  options.onChange((key) => {
    if (key === "ErrorRules") read();
  });
  return (said) => {
    const rule = rules[findErrorRule(rules, said)];
    return rule && rewriteOf(rule);
  };
};
