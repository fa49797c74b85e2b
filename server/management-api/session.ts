import type { Accounts } from "@tollgate/accounts/accounts";
import type { User } from "@tollgate/accounts/users";
import { logIn, type SignInNeed, type SignInOutcome } from "@tollgate/contract/api/session";
import { loginUserOf, type User as StoredUser } from "@tollgate/contract/api/user";
import type { FastifyReply, FastifyRequest } from "fastify";
import { cookieReach } from "../http/cookie-reach";
import { Failure } from "./failure";
import { withPermissions } from "./permissions";
import type { Services } from "./services";
import { CODE_DEVICE_COOKIE, createDeviceCookie, DEVICE_COOKIE } from "./sign-in/known-device";
import { createPendingCookie, PENDING_COOKIE, PENDING_SECONDS } from "./sign-in/pending-sign-in";
import { needOf } from "./sign-in/second-factor";

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

/** A cookie of a session: where it is sent, and that scripts cannot read it. */
export const sessionReach = (services: Services, request: FastifyRequest) => ({
  ...COOKIE,
  ...reachOf(services, request),
});

/** Where a sign-in goes on that needs a second factor, and nowhere else. */
const PENDING_REACH = { path: logIn.path, httpOnly: true } as const;

/**
 * Signs in a user who has shown a password or an account elsewhere, or asks for the second factor.
 * @throws Failure while root waits for its first password.
 */
export const beginSignIn = async (
  services: Services,
  user: User,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<SignInOutcome> => {
  const { accounts, rootSetup, feed } = services;
  // Before its first password, root has no owner, whatever other sign-ins it has.
  if (rootSetup.pendingUserId === user.id) throw new Failure("setup-pending");
  const needs = await needOf(services, user);
  if (needs !== undefined) return { needs: awaitSecondFactor(services, user, needs, request, reply) };
  const { id, answer } = await openSession(services, user, request, reply);
  // What was stored since, on whichever node, has ended the sessions of before, and not this one. A node that hears
  // nothing of the others for long refuses every sign-in (route.ts).
  await feed?.catchUp(true);
  const needsNow = await needOf(services, accounts.users.find(user.id) ?? user);
  if (needsNow === undefined) return { user: answer };
  await accounts.sessions.end(id);
  reply.clearCookie("session", sessionReach(services, request));
  return { needs: awaitSecondFactor(services, user, needsNow, request, reply) };
};

/** The browser sends it on some paths alone, and it is cleared on all that begin or end a session. */
const forgetPending = (services: Services, request: FastifyRequest, reply: FastifyReply): void => {
  reply.clearCookie(PENDING_COOKIE, { ...PENDING_REACH, ...reachOf(services, request) });
};

/** Lets a sign-in go on with a second factor for some minutes. */
export const awaitSecondFactor = (
  services: Services,
  user: User,
  needs: SignInNeed,
  request: FastifyRequest,
  reply: FastifyReply,
): SignInNeed => {
  reply.setCookie(PENDING_COOKIE, createPendingCookie(services.secrets, user, services.now()), {
    ...PENDING_REACH,
    ...reachOf(services, request),
    maxAge: PENDING_SECONDS,
  });
  return needs;
};

/** Remembers a browser that has shown a code, for the limit of wrong ones. @param confirmedTime of the second factor. */
export const rememberCodeDevice = (
  services: Services,
  userId: number,
  confirmedTime: number,
  request: FastifyRequest,
  reply: FastifyReply,
): void => {
  const cookie = createDeviceCookie(services.secrets, userId, `${CODE_DEVICE_COOKIE} ${confirmedTime}`);
  reply.setCookie(CODE_DEVICE_COOKIE, cookie, { ...DEVICE_REACH, ...reachOf(services, request) });
};

/** Signs a user in who has shown all that is needed. @returns the login's answer. @throws as `beginSignIn` */
export const startSession = async (
  services: Services,
  user: User,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<StoredUser> => {
  if (services.rootSetup.pendingUserId === user.id) throw new Failure("setup-pending");
  return (await openSession(services, user, request, reply)).answer;
};

/** @returns the value of the session's cookie, and the login's answer. */
const openSession = async (
  services: Services,
  user: User,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<{ id: string; answer: StoredUser }> => {
  const { accounts, storage, secrets, addresses, now } = services;
  const stored = await storage.read.users.find(user.id);
  if (!stored) throw new Failure("user-not-found");
  const id = await accounts.sessions.begin({
    userId: user.id,
    createdTime: now(),
    expiresTime: now() + SESSION_SECONDS,
    address: addresses.of(request.raw),
    userAgent: (request.headers["user-agent"] ?? "").slice(0, MAX_USER_AGENT),
  });
  reply.setCookie("session", id, { ...sessionReach(services, request), maxAge: SESSION_SECONDS });
  reply.setCookie(DEVICE_COOKIE, createDeviceCookie(secrets, user.id), {
    ...DEVICE_REACH,
    ...reachOf(services, request),
  });
  forgetPending(services, request, reply);
  return { id, answer: loginUserOf(withPermissions(services, stored)) };
};

/** Signs out: the session is over on the server, not only forgotten by the browser. */
export const endSession = async (
  services: Services,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> => {
  const cookie = request.cookies.session;
  if (cookie !== undefined) await services.accounts.sessions.end(cookie);
  reply.clearCookie("session", sessionReach(services, request));
  forgetPending(services, request, reply);
};

/** After a password change, ends all sessions except the request's own, and the access of programs. */
export const endAccess = async (
  { sessions, users }: Accounts,
  userId: number,
  request: FastifyRequest | undefined,
): Promise<void> => {
  await sessions.endOthers(userId, request?.cookies.session);
  await users.endPrograms(userId);
};
