import type { User } from "@tollgate/accounts/users";
import type { FastifyRequest } from "fastify";
import { Failure } from "../failure";
import type { Services } from "../services";

/** Maximum age of a sign-in that still proves the person's presence, in seconds. */
const RECENT_SECONDS = 900;

type Sessions = Pick<Services, "accounts" | "now" | "operator">;

/**
 * The begin of the caller's session; undefined for an access token. The local operator needs no proof, because they
 * have access to the data itself.
 */
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

/** Whether the caller signed in a short while ago, in the calling browser. */
export const isFreshlySignedIn = (sessions: Sessions, caller: User, request: FastifyRequest): boolean => {
  const begin = sessionBegin(sessions, caller, request);
  return begin !== undefined && sessions.now() - begin <= RECENT_SECONDS;
};

/**
 * Protects changes that would hand an account to a person who found its access token, or an open browser: another way
 * to sign in, another password, the account's deletion.
 * @throws Failure unless the caller signed in a short while ago.
 */
export const checkFreshSignIn = (sessions: Sessions, caller: User, request: FastifyRequest): void => {
  if (!isFreshlySignedIn(sessions, caller, request)) throw new Failure("fresh-sign-in-needed");
};

/** Whether the caller has a session, not an access token. */
export const hasSession = (sessions: Sessions, caller: User, request: FastifyRequest): boolean =>
  sessionBegin(sessions, caller, request) !== undefined;
