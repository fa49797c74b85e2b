import { isPermission, type Permission, type PermissionKind } from "./permission-areas";

/* Keys for scripts that call /api (docs/guides/management-keys.md). */

/** The beginning of each key, by which it is told from access tokens and API keys. */
export const MANAGEMENT_KEY_PREFIX = "mk-";

/** Maximum keys of a user, those that have expired among them. */
export const MAX_MANAGEMENT_KEYS = 20;
export const MAX_MANAGEMENT_KEY_NAME = 40;
export const MAX_MANAGEMENT_KEY_NETWORKS = 2000;

/** Rights for one's own calls, which every user has. */
export type OwnPermission = `own:${PermissionKind}`;
export type KeyPermission = Permission | OwnPermission;

/** Whether a text is a right that a key can have. */
export const isKeyPermission = (text: string): text is KeyPermission =>
  text === "own:read" || text === "own:change" || isPermission(text);
