import { user as format, loginUserOf, type OwnUser, type User } from "@tollgate/contract/api/user";
import {
  type PermissionArea,
  type PermissionKind,
  permits,
} from "@tollgate/contract/management/permission-areas";
import { cutText } from "@tollgate/contract/values/cut-text";
import { isAdmin, isRoot } from "@tollgate/contract/values/roles";
import { useSyncExternalStore } from "react";
import { readStored, subscribeStored, writeStored } from "./local-store";

/*
 * The logged-in user as stored in this browser. It only decides which menu entries are shown: the server checks every
 * call by its session cookie.
 */

let cachedText: string | undefined;
let cachedUser: OwnUser | undefined;

/** The stored user; undefined when logged out or the stored text is damaged. */
export const currentUser = (): OwnUser | undefined => {
  const text = readStored("user");
  // useSyncExternalStore needs the same object for the same text.
  if (text !== cachedText) {
    cachedText = text;
    try {
      const user = text === undefined ? undefined : format.read(JSON.parse(text));
      cachedUser = user?.username ? user : undefined;
    } catch {
      cachedUser = undefined;
    }
  }
  return cachedUser;
};

export const rememberUser = (user: OwnUser): void =>
  writeStored("user", JSON.stringify(format.encode(loginUserOf(user))));

export const forgetUser = (): void => writeStored("user", undefined);

/** Whether an administrator's set of permissions includes a right; true without a set. */
const includes = (user: OwnUser, area: PermissionArea, kind: PermissionKind): boolean =>
  user.permissionSet === undefined ||
  isRoot(user.role) ||
  permits(new Set((user.permissions ?? "").split(",")), area, kind);

/** Whether a user is an administrator with a right. */
export const mayAsAdmin = (
  user: OwnUser | undefined,
  area: PermissionArea,
  kind: PermissionKind = "read",
): boolean => user !== undefined && isAdmin(user.role) && includes(user, area, kind);

export interface Session {
  user: User | undefined;
  /** An administrator; with an area, one whose set of permissions reads it. */
  isAdmin: boolean;
  isRoot: boolean;
  may(area: PermissionArea, kind?: PermissionKind): boolean;
}

/** The logged-in user and the menu entries visible to them (specification section 6). */
export const useSession = (area?: PermissionArea): Session => {
  const user = useSyncExternalStore(subscribeStored, currentUser);
  return {
    user,
    isAdmin: area === undefined ? isAdmin(user?.role ?? 0) : mayAsAdmin(user, area),
    isRoot: isRoot(user?.role ?? 0),
    may: (of, kind) => mayAsAdmin(user, of, kind),
  };
};

/** Maximum length of the displayed username (specification section 2). */
const USERNAME_LENGTH = 15;

export const shownName = ({ username }: User): string => cutText(username, USERNAME_LENGTH);
