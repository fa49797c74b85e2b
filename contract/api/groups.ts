import * as z from "zod/mini";
import { PERMISSION_AREAS } from "../management/permission-areas";
import { endpoint } from "../resource/endpoint";
import { listOf, plain, readerOf, textValue } from "../resource/resource";

export const listGroups = endpoint({
  method: "GET",
  path: "/api/group/",
  guard: "admin",
  // Forms and filters of most areas offer them; they are names alone.
  area: PERMISSION_AREAS,
  summary: "The names of the user groups",
  data: listOf(textValue),
  reads: "groups",
  isRepeated: true,
});

/** A group that a user's keys may go by. */
const usableGroupSchema = z.object({
  name: z.string(),
  description: z.string(),
  /** Factor of its requests' price for this user, as a decimal. */
  ratio: z.string(),
  /** One of the user's own: by these, in their order, requests of keys without a group go. */
  is_own: z.boolean(),
});
export type UsableGroup = z.infer<typeof usableGroupSchema>;

/** Those that a key may choose, the user's own first; and the list that `auto` stands for, in its order. */
const usableGroupsSchema = z.object({ groups: z.array(usableGroupSchema), auto: z.array(z.string()) });
export type UsableGroups = z.infer<typeof usableGroupsSchema>;

/** Returned for a server that does not offer this choice. */
const NONE: UsableGroups = { groups: [], auto: [] };

/** Beyond the contract. */
export const listUsableGroups = endpoint({
  method: "GET",
  path: "/api/user/groups",
  guard: "user",
  summary: "The groups that one's keys may choose, with their ratios, and the list that `auto` stands for",
  data: plain(usableGroupsSchema, readerOf(usableGroupsSchema, NONE)),
  reads: "usable-groups",
  isRepeated: true,
});
