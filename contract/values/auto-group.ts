/** In place of a group's name: a key's requests go by an ordered list of groups, one after another (docs/reference/groups.md). */
export const AUTO_GROUP = "auto";

/** How many groups such a list may have. */
export const MAX_AUTO_GROUPS = 20;
