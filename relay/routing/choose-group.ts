import type { Directory } from "../ports";

/**
 * The group by which a request goes, and whose ratio it is charged at: of the user's groups, in their order, the first
 * that has a channel for the model now; else the first for which any channel lists it; else the first of all. Most users
 * have one group and nothing to choose.
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
