import * as z from "zod/mini";
import { MAX_SET_NAME, permissionList } from "../management/permission-set";
import { endpoint } from "../resource/endpoint";
import { listOf, plain } from "../resource/resource";

/* Sets of permissions, which narrow the rights of administrators: /api/permission-set…. Not part of the one-api contract. */

const permissionSetSchema = z.object({
  id: z.string(),
  /** "" for a set of each installation, which has its name in the reader's language. */
  name: z.string(),
  permissions: z.array(z.string()),
  /** Number of administrators with the set. */
  administrators: z.int(),
});
export type PermissionSet = z.infer<typeof permissionSetSchema>;
const permissionSet = plain(permissionSetSchema);

const permissionSetBody = z.object({
  name: z.string().check(z.trim(), z.minLength(1), z.maxLength(MAX_SET_NAME)),
  permissions: permissionList,
});
export type PermissionSetBody = z.infer<typeof permissionSetBody>;

export const listPermissionSets = endpoint({
  method: "GET",
  path: "/api/permission-set",
  guard: "root",
  summary: "The sets of permissions, with the number of their administrators",
  data: listOf(permissionSet),
  reads: "permission-sets",
});

export const createPermissionSet = endpoint({
  method: "POST",
  path: "/api/permission-set",
  guard: "root",
  needsPresence: true,
  summary: "Makes a set of permissions",
  body: permissionSetBody,
  data: permissionSet,
  changes: ["permission-sets"],
});

export const changePermissionSet = endpoint({
  method: "PUT",
  path: "/api/permission-set/:set",
  guard: "root",
  needsPresence: true,
  summary: "Changes a set of permissions, for the next request of each of its administrators",
  body: permissionSetBody,
  data: permissionSet,
  changes: ["permission-sets"],
});

export const deletePermissionSet = endpoint({
  method: "DELETE",
  path: "/api/permission-set/:set",
  guard: "root",
  summary: "Deletes a set of permissions that no user has",
  changes: ["permission-sets"],
});
