import type { User } from "@tollgate/accounts/users";
import type { FastifyRequest } from "fastify";
import { Failure } from "../failure";
import type { Services } from "../services";
import { confirmsPresence, PRESENCE_COOKIE, PRESENCE_SECONDS } from "./presence";

type Sessions = Pick<Services, "accounts" | "now" | "operator" | "secrets">;

/** Whether the caller has a session, not an access token. The local operator has access to the data itself. */
export const hasSession = (sessions: Sessions, caller: User, request: FastifyRequest): boolean =>
  sessionBegin(sessions, caller, request) !== undefined;

/** The begin of the caller's session; undefined for an access token. The local operator needs no proof. */
const sessionBegin = (
  { accounts, now, operator }: Sessions,
  caller: User,
  request: FastifyRequest,
): number | undefined => {
  if (operator.makes(request.raw)) return now();
  const cookie = request.cookies.session;
  const session = cookie === undefined ? undefined : accounts.sessions.find(cookie, now());
  return session?.userId === caller.id ? session.createdTime : undefined;
};

/** Whether the caller signed in, or confirmed the presence, a short while ago in the calling browser. */
export const isFreshlySignedIn = (sessions: Sessions, caller: User, request: FastifyRequest): boolean => {
  const { secrets, now } = sessions;
  const begin = sessionBegin(sessions, caller, request);
  if (begin === undefined) return false;
  const { session = "", [PRESENCE_COOKIE]: presence } = request.cookies;
  return now() - begin <= PRESENCE_SECONDS || confirmsPresence(secrets, session, presence, now());
};

/**
 * Protects changes that would hand an account to a person who found its access token, or an open browser: another way
 * to sign in, another password, the account's deletion.
 * @throws Failure unless the caller showed a short while ago who they are.
 */
export const checkFreshSignIn = (sessions: Sessions, caller: User, request: FastifyRequest): void => {
  if (!hasSession(sessions, caller, request)) throw new Failure("fresh-sign-in-needed");
  checkPresence(sessions, caller, request);
};

/**
 * Protects from a person who found an open browser what gives away money, secrets and other people's data. Access
 * tokens pass: they belong to programs, and lie in no browser.
 * @throws Failure for a session whose owner did not show a short while ago who they are.
 */
export const checkPresence = (sessions: Sessions, caller: User, request: FastifyRequest): void => {
  if (hasSession(sessions, caller, request) && !isFreshlySignedIn(sessions, caller, request))
    throw new Failure("presence-needed");
};
