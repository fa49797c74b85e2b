import { AUTO_GROUP } from "../values/auto-group";
import { isObject } from "../values/is-object";
import { splitList } from "../values/split-list";
import type { Fault } from "./model-price";

/** The group of users and channels that name none (specification section 9). */
export const DEFAULT_GROUP = "default";

/** The groups of a user or a channel, as the wire's comma list names them; never empty. */
export const readGroups = (text: string | undefined): string[] => {
  const groups = splitList(text ?? "");
  return groups.length === 0 ? [DEFAULT_GROUP] : groups;
};

/** Groups by name, each with its description for people. */
export type DescribedGroups = ReadonlyMap<string, string>;

/** Groups that users of one group may use in addition, and those of all users that they may not use. */
export interface OwnUsableGroups {
  readonly added: DescribedGroups;
  readonly removed: ReadonlySet<string>;
}

const MAX_GROUPS = 1000;
const LONGEST_NAME = 64;
const LONGEST_DESCRIPTION = 300;

const CONTROL = /\p{Cc}/u;

/** Lists of groups have commas between the names, so that no name has one. */
const isGroupName = (name: string): boolean =>
  name !== "" &&
  name === name.trim() &&
  name.length <= LONGEST_NAME &&
  !name.includes(",") &&
  !CONTROL.test(name);

const entriesOf = (text: string): [string, unknown][] | undefined => {
  try {
    const parsed: unknown = JSON.parse(text);
    if (!isObject(parsed)) return undefined;
    const entries = Object.entries(parsed);
    return entries.length <= MAX_GROUPS ? entries : undefined;
  } catch {
    return undefined;
  }
};

const NO_JSON: Fault = { fault: "JSON" };

const isDescription = (value: unknown): value is string =>
  typeof value === "string" && value.length <= LONGEST_DESCRIPTION;

/** Reads the option UserUsableGroups: the group's name → its description. */
export const parseUsableGroups = (text: string): DescribedGroups | Fault => {
  const entries = entriesOf(text);
  if (!entries) return NO_JSON;
  const groups = new Map<string, string>();
  for (const [name, description] of entries) {
    if (!isGroupName(name) || name === AUTO_GROUP || !isDescription(description)) return { fault: name };
    groups.set(name, description);
  }
  return groups;
};

/**
 * Reads the option GroupUsableGroups: the user's group → its users' additional groups, by name with a description; "-:"
 * before a name takes it away from them, "+:" may stand before the others (new-api writes it).
 */
export const parseGroupUsableGroups = (text: string): ReadonlyMap<string, OwnUsableGroups> | Fault => {
  const entries = entriesOf(text);
  if (!entries) return NO_JSON;
  const all = new Map<string, OwnUsableGroups>();
  for (const [group, value] of entries) {
    if (!isGroupName(group) || !isObject(value)) return { fault: group };
    const added = new Map<string, string>();
    const removed = new Set<string>();
    for (const [written, description] of Object.entries(value)) {
      const name = written.replace(/^[+-]:/, "");
      if (!isGroupName(name) || name === AUTO_GROUP || !isDescription(description))
        return { fault: `${group}.${written}` };
      if (written.startsWith("-:")) removed.add(name);
      else added.set(name, description);
    }
    all.set(group, { added, removed });
  }
  return all;
};
