import { parseGroupTimeLimits, type TimeLimits } from "@tollgate/contract/management/time-limits";
import type { RelayPorts } from "@tollgate/relay/ports/relay-ports";
import type { Options } from "./options";

/** The limits of the option GroupTimeLimits, parsed when it changes. */
export const createGroupTimeLimits = (
  options: Pick<Options, "text" | "onChange">,
): NonNullable<RelayPorts["timeLimitsOf"]> => {
  let groups: ReadonlyMap<string, TimeLimits> = new Map();
  const read = (): void => {
    const parsed = parseGroupTimeLimits(options.text("GroupTimeLimits"));
    // It was checked before it was stored; an invalid stored value limits nothing.
    groups = "fault" in parsed ? new Map() : parsed;
  };
  read();
  options.onChange((key) => {
    if (key === "GroupTimeLimits") read();
  });
  return (group) => groups.get(group);
};
