import type { UsageGrouping } from "@tollgate/contract/api/usage";

/** Name of a group; a deleted channel or token is shown by its number. */
export const groupName = (by: UsageGrouping, group: { key: string; name: string }): string => {
  if (group.name !== "") return group.name;
  return by === "model" ? group.key || "–" : `#${group.key}`;
};
