import * as z from "zod/mini";
import { tryParseJson } from "../values/parse-json";
import { isPermission, type Permission, type Permissions } from "./permission-areas";

/** Name of the migration that gave users a set. */
export const PERMISSION_SET_SINCE = "0040-permission-sets";

/** The sets that each installation has. */
export const BUILT_IN_SETS = {
  support: ["users:read", "logs:read", "tickets:change"],
  finance: [
    "orders:change",
    "invoices:change",
    "balances:change",
    "profit:change",
    "redemptions:change",
    "promotions:change",
  ],
  operations: ["channels:change", "usage:read", "prices:read"],
} as const satisfies Readonly<Record<string, readonly Permission[]>>;
export type BuiltInSet = keyof typeof BUILT_IN_SETS;

export const isBuiltInSet = (id: string): id is BuiltInSet => Object.hasOwn(BUILT_IN_SETS, id);

/** Maximum number of sets that root makes. */
export const MAX_PERMISSION_SETS = 50;
export const MAX_SET_NAME = 40;

export const permissionList = z.array(
  z.string().check(z.refine(isPermission)) as unknown as z.ZodMiniType<Permission, string>,
);

const storedSet = z.object({ name: z.string(), permissions: z.array(z.string()) });
export type StoredPermissionSet = z.infer<typeof storedSet>;

const storedSets = z.record(z.string(), storedSet);

/** Root's own sets by their ids. */
export type StoredPermissionSets = Readonly<Record<string, StoredPermissionSet>>;

/** Reads the stored sets. A text in another format has no sets, so that administrators with a set have no rights. */
export const parsePermissionSets = (text: string): StoredPermissionSets => {
  if (text === "") return {};
  const read = storedSets.safeParse(tryParseJson(text));
  return read.success ? read.data : {};
};

/** Rights of a set. An unknown id gives none: its set was removed. */
export const permissionsOfSet = (id: string, stored: StoredPermissionSets): ReadonlySet<string> =>
  new Set(
    isBuiltInSet(id) ? BUILT_IN_SETS[id] : Object.hasOwn(stored, id) ? (stored[id]?.permissions ?? []) : [],
  );

/** Rights that both have. */
export const commonPermissions = (one: Permissions, other: Permissions): Permissions => {
  if (one === undefined || other === undefined) return one ?? other;
  const holds = (permissions: ReadonlySet<string>, right: string): boolean =>
    permissions.has(right) || permissions.has(right.replace(/:read$/, ":change"));
  return new Set([
    ...[...one].filter((right) => holds(other, right)),
    ...[...other].filter((right) => holds(one, right)),
  ]);
};
