import { user as format, loginUserOf, type User } from "@tollgate/contract/api/user";
import { cutText } from "@tollgate/contract/values/cut-text";
import { isAdmin, isRoot } from "@tollgate/contract/values/roles";
import { useSyncExternalStore } from "react";
import { readStored, subscribeStored, writeStored } from "./local-store";

/*
 * The logged-in user as stored in this browser. It only decides which menu entries are shown: the server checks every
 * call by its session cookie.
 */

let cachedText: string | undefined;
let cachedUser: User | undefined;

/** The stored user; undefined when logged out or the stored text is damaged. */
export const currentUser = (): User | undefined => {
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

export const rememberUser = (user: User): void =>
  writeStored("user", JSON.stringify(format.encode(loginUserOf(user))));

export const forgetUser = (): void => writeStored("user", undefined);

export interface Session {
  user: User | undefined;
  isAdmin: boolean;
  isRoot: boolean;
}

/** The logged-in user and the menu entries visible to them (specification section 6). */
export const useSession = (): Session => {
  const user = useSyncExternalStore(subscribeStored, currentUser);
  return { user, isAdmin: isAdmin(user?.role ?? 0), isRoot: isRoot(user?.role ?? 0) };
};

/** Maximum length of the displayed username (specification section 2). */
const USERNAME_LENGTH = 15;

export const shownName = ({ username }: User): string => cutText(username, USERNAME_LENGTH);
