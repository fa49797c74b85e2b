import type { UsageGrouping } from "@tollgate/contract/api/usage";

/** What a group is called; a channel or token that is gone has only its number left. */
export const groupName = (by: UsageGrouping, group: { key: string; name: string }): string => {
  if (group.name !== "") return group.name;
  return by === "model" ? group.key || "–" : `#${group.key}`;
};
