import type { ApiKey, Directory } from "../ports/directory";

/** The groups of a key's requests, in order. Most keys have no own groups and need no lookup. */
export const groupsOf = (directory: Pick<Directory, "groupsOf">, key: ApiKey): readonly string[] =>
  key.group === undefined ? key.user.groups : directory.groupsOf(key);

/**
 * The first group of a request, whose ratio applies: of its possible groups, in order, the first that has a usable
 * channel for the model; else the first with any channel that lists it; else the first of all. Most keys have one group
 * and no choice.
 */
export const chooseGroup = (
  directory: Pick<Directory, "candidates" | "isListed">,
  groups: readonly string[],
  model: string,
): string => {
  const [first = ""] = groups;
  if (groups.length <= 1) return first;
  return (
    groups.find((group) => directory.candidates(group, model).length > 0) ??
    groups.find((group) => directory.isListed(group, model)) ??
    first
  );
};
