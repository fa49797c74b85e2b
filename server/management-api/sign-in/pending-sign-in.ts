import type { User } from "@tollgate/accounts/users";
import { USER_ENABLED } from "@tollgate/contract/values/statuses";
import type { Secrets } from "@tollgate/storage/secrets";
import type { FastifyRequest } from "fastify";
import { areEqualTexts } from "../../http/equal-texts";
import { Failure } from "../failure";
import type { Services } from "../services";

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
const readPendingCookie = (
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

/** Reads the user of a pending sign-in from its cookie. @throws Failure without a valid cookie, or for a banned user. */
export const pendingUser = (
  { accounts, secrets, now }: Pick<Services, "accounts" | "secrets" | "now">,
  { cookies }: FastifyRequest,
): User => {
  const user = readPendingCookie(secrets, (id) => accounts.users.find(id), cookies[PENDING_COOKIE], now());
  if (!user) throw new Failure("sign-in-expired");
  if (user.status !== USER_ENABLED) throw new Failure("user-disabled");
  return user;
};
