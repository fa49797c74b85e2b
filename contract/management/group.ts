import { splitList } from "./channel";

/** The group of users and channels that name none (specification section 9). */
export const DEFAULT_GROUP = "default";

/** The groups of a user or a channel, as the wire's comma list names them; never empty. */
export const readGroups = (text: string | undefined): string[] => {
  const groups = splitList(text ?? "");
  return groups.length === 0 ? [DEFAULT_GROUP] : groups;
};
