import type { Accounts } from "@tollgate/accounts/accounts";
import type { User } from "@tollgate/accounts/users";
import { logIn } from "@tollgate/contract/api/session";
import { loginUserOf, type User as StoredUser } from "@tollgate/contract/api/user";
import type { FastifyReply, FastifyRequest } from "fastify";
import { cookieReach } from "../http/cookie-reach";
import { Failure } from "./failure";
import type { Services } from "./services";
import { createDeviceCookie, DEVICE_COOKIE } from "./sign-in/known-device";

/** Lifetime of a sign-in, in seconds. */
const SESSION_SECONDS = 2_592_000;
const MAX_USER_AGENT = 300;

/** Time a device is remembered, in seconds: longer than a session, because it is used after one. */
const DEVICE_SECONDS = 31_536_000;

const COOKIE = { path: "/", httpOnly: true } as const;
/** Needed where people sign in, and nowhere else. */
const DEVICE_REACH = { path: logIn.path, httpOnly: true, maxAge: DEVICE_SECONDS } as const;

const reachOf = ({ addresses, allowedOrigins }: Services, request: FastifyRequest) =>
  cookieReach(request.raw, allowedOrigins, addresses.isHttps(request.raw));

/** Signs a user in. @returns the login's answer. @throws Failure while root waits for its first password. */
export const startSession = async (
  services: Services,
  user: User,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<StoredUser> => {
  const { accounts, storage, secrets, addresses, rootSetup, now } = services;
  // Before its first password, root has no owner, whatever other sign-ins it has.
  if (rootSetup.pendingUserId === user.id) throw new Failure("setup-pending");
  const stored = await storage.read.users.find(user.id);
  if (!stored) throw new Failure("user-not-found");
  const id = await accounts.sessions.begin({
    userId: user.id,
    createdTime: now(),
    expiresTime: now() + SESSION_SECONDS,
    address: addresses.of(request.raw),
    userAgent: (request.headers["user-agent"] ?? "").slice(0, MAX_USER_AGENT),
  });
  reply.setCookie("session", id, { ...COOKIE, ...reachOf(services, request), maxAge: SESSION_SECONDS });
  reply.setCookie(DEVICE_COOKIE, createDeviceCookie(secrets, user.id), {
    ...DEVICE_REACH,
    ...reachOf(services, request),
  });
  return loginUserOf(stored);
};

/** Signs out: the session is over on the server, not only forgotten by the browser. */
export const endSession = async (
  services: Services,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> => {
  const cookie = request.cookies.session;
  if (cookie !== undefined) await services.accounts.sessions.end(cookie);
  reply.clearCookie("session", { ...COOKIE, ...reachOf(services, request) });
};

/** After a password change, ends all sessions except the request's own, and replaces the access token. */
export const endAccess = async (
  { sessions, users }: Accounts,
  userId: number,
  request: FastifyRequest | undefined,
): Promise<void> => {
  await sessions.endOthers(userId, request?.cookies.session);
  await users.replaceAccessToken(userId);
};
