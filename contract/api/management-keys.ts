import * as z from "zod/mini";
import {
  isKeyPermission,
  type KeyPermission,
  MAX_MANAGEMENT_KEY_NAME,
  MAX_MANAGEMENT_KEY_NETWORKS,
} from "../management/management-key";
import { maybe } from "../management/wire";
import { endpoint } from "../resource/endpoint";
import { listOf, plain } from "../resource/resource";

/* Keys for scripts that call /api, beside the access token. Not part of the one-api contract. */

const managementKeySchema = z.object({
  id: z.int(),
  name: z.string(),
  /** The first characters of the secret. */
  start: z.string(),
  permissions: z.array(z.string()),
  networks: z.string(),
  created_time: z.int(),
  /** Unix seconds; 0 for never. */
  expires_time: z.int(),
  /** Exact to a minute; 0 for never. */
  last_used_time: z.int(),
  last_address: z.string(),
});
export type ManagementKey = z.infer<typeof managementKeySchema>;

const newKeySchema = z.extend(managementKeySchema, {
  /** The secret, which no later answer has. */
  key: z.string(),
});

const keyPermission = z.string().check(z.refine(isKeyPermission)) as unknown as z.ZodMiniType<
  KeyPermission,
  string
>;

export const listManagementKeys = endpoint({
  method: "GET",
  path: "/api/user/management-key",
  guard: "user",
  summary: "One's own management keys, without their secrets",
  data: listOf(plain(managementKeySchema)),
  reads: "management-keys",
  isForPeople: true,
});

export const createManagementKey = endpoint({
  method: "POST",
  path: "/api/user/management-key",
  guard: "user",
  summary: "Makes a management key; its secret is in this answer alone",
  body: z.object({
    name: z.string().check(z.trim(), z.minLength(1), z.maxLength(MAX_MANAGEMENT_KEY_NAME)),
    permissions: z.array(keyPermission).check(z.minLength(1), z.maxLength(50)),
    /** Addresses and networks, separated by commas. */
    networks: maybe(z.string().check(z.maxLength(MAX_MANAGEMENT_KEY_NETWORKS))),
    /** Unix seconds; 0 for never. */
    expires_time: maybe(z.int().check(z.nonnegative())),
  }),
  data: plain(newKeySchema),
  changes: ["management-keys"],
  isForPeople: true,
});

export const revokeManagementKey = endpoint({
  method: "DELETE",
  path: "/api/user/management-key/:id",
  guard: "user",
  summary: "Revokes one of one's own management keys",
  changes: ["management-keys"],
  isForPeople: true,
});
