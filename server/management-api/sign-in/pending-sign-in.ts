import type { User } from "@tollgate/accounts/users";
import type { Secrets } from "@tollgate/storage/secrets";
import { areEqualTexts } from "../../http/equal-texts";

/** The cookie of a sign-in that has shown its password, and not yet its second factor. It is no session. */
export const PENDING_COOKIE = "pending_sign_in";

/** Time for the code, in seconds; one who sets up an app meanwhile needs some minutes. */
export const PENDING_SECONDS = 600;

/** With another password, or another account behind an id, what was shown before counts no longer. */
const signatureOf = (secrets: Secrets, { id, username, passwordHash }: User, expiresTime: number): string =>
  secrets.hash(JSON.stringify([PENDING_COOKIE, id, username, passwordHash, expiresTime]));

/** @param now unix seconds. */
export const createPendingCookie = (secrets: Secrets, user: User, now: number): string =>
  `${user.id}.${now + PENDING_SECONDS}.${signatureOf(secrets, user, now + PENDING_SECONDS)}`;

/**
 * The user who has begun a sign-in; undefined for a cookie that is not whole, not of this installation, or too old.
 * @param findUser finds a user by their id. @param now unix seconds.
 */
export const readPendingCookie = (
  secrets: Secrets,
  findUser: (id: number) => User | undefined,
  cookie: string | undefined,
  now: number,
): User | undefined => {
  const [, id, expiresTime, signature = ""] =
    /^(\d{1,15})\.(\d{1,12})\.([\w-]{43})$/.exec(cookie ?? "") ?? [];
  if (id === undefined || Number(expiresTime) <= now) return undefined;
  const user = findUser(Number(id));
  return user && areEqualTexts(signature, signatureOf(secrets, user, Number(expiresTime))) ? user : undefined;
};
