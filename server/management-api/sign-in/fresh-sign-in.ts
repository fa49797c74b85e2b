import type { User } from "@tollgate/accounts/users";
import type { FastifyRequest } from "fastify";
import { Failure } from "../failure";
import type { Services } from "../services";

/** How long ago a sign-in still proves who sits there, in seconds. */
const RECENT_SECONDS = 900;

type Sessions = Pick<Services, "accounts" | "now" | "operator">;

/**
 * When the session began that the caller came with; undefined for who came with an access token. The local operator needs none:
 * who has the data is asked for no proof.
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

/** Whether the caller signed in a short while ago, in the browser that calls. */
export const isFreshlySignedIn = (sessions: Sessions, caller: User, request: FastifyRequest): boolean => {
  const begin = sessionBegin(sessions, caller, request);
  return begin !== undefined && sessions.now() - begin <= RECENT_SECONDS;
};

/**
 * For what would hand an account to a person who has found its access token, or a browser that was left signed in: another way
 * to sign in, another password, the account's end.
 * @throws Failure unless the caller signed in a short while ago.
 */
export const checkFreshSignIn = (sessions: Sessions, caller: User, request: FastifyRequest): void => {
  if (!isFreshlySignedIn(sessions, caller, request)) throw new Failure("fresh-sign-in-needed");
};

/** Whether the caller came with a session and not with an access token. */
export const hasSession = (sessions: Sessions, caller: User, request: FastifyRequest): boolean =>
  sessionBegin(sessions, caller, request) !== undefined;
