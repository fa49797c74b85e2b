import type { ApiKey, Directory } from "../ports";

/** The groups by which a key's requests go, in order. Most keys have none of their own, and nothing is looked up. */
export const groupsOf = (directory: Pick<Directory, "groupsOf">, key: ApiKey): readonly string[] =>
  key.group === undefined ? key.user.groups : directory.groupsOf(key);

/**
 * The group by which a request goes first, and whose ratio it is charged at: of the groups that may serve it, in their
 * order, the first that has a channel for the model now; else the first for which any channel lists it; else the first of
 * all. Most keys have one group and nothing to choose.
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
