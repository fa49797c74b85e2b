import type { UserWire } from "@tollgate/contract/control/user";
import { encodeLoginUser } from "@tollgate/contract/control/user";
import type { FastifyReply, FastifyRequest } from "fastify";
import { cookieReach } from "../http/cookie-reach";
import { createAccessToken, createSessionId } from "../random-text";
import { hashSessionId, type Member } from "../state/directory";
import { Failure } from "./failure";
import { createDeviceCookie, DEVICE_COOKIE } from "./known-device";
import type { Services } from "./services";

/** How long a sign-in lasts, in seconds. */
const SESSION_SECONDS = 2_592_000;
const USER_AGENT_MAX = 300;

/** Who signs in once more ends the session that was begun first. Far more than anybody has devices. */
const MOST_SESSIONS = 500;
/** How long a device is remembered: longer than a session, which it is to be of use after. */
const DEVICE_SECONDS = 31_536_000;

const COOKIE = { path: "/", httpOnly: true } as const;
/** Needed where people sign in, and nowhere else. */
const DEVICE_REACH = { path: "/api/user/login", httpOnly: true, maxAge: DEVICE_SECONDS } as const;

const reachOf = ({ addresses, allowedOrigins }: Services, request: FastifyRequest) =>
  cookieReach(request.raw, allowedOrigins, addresses.isHttps(request.raw));

/** Signs a user in. @returns the login answer's data. @throws Failure while root waits for its first password. */
export const startSession = async (
  services: Services,
  member: Member,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<UserWire> => {
  const { storage, directory, secrets, addresses, rootSetup, now } = services;
  // Whatever else a person has: before it has a password, root is nobody's.
  if (rootSetup.pendingUserId === member.id) throw new Failure("setup-pending");
  const user = await storage.read.users.find(member.id);
  if (!user) throw new Failure("user-not-found");
  const id = createSessionId();
  const session = {
    idHash: hashSessionId(id),
    userId: member.id,
    createdTime: now(),
    expiresTime: now() + SESSION_SECONDS,
    address: addresses.of(request.raw),
    userAgent: (request.headers["user-agent"] ?? "").slice(0, USER_AGENT_MAX),
  };
  await storage.write.sessions.create(session);
  for (const idHash of directory.addSession(session, MOST_SESSIONS))
    await storage.write.sessions.remove(idHash);
  reply.setCookie("session", id, { ...COOKIE, ...reachOf(services, request), maxAge: SESSION_SECONDS });
  reply.setCookie(DEVICE_COOKIE, createDeviceCookie(secrets, member.id), {
    ...DEVICE_REACH,
    ...reachOf(services, request),
  });
  return encodeLoginUser(user);
};

/** Signs out: the session is over on the server, not only forgotten by the browser. */
export const endSession = async (
  services: Services,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> => {
  const { storage, directory } = services;
  const cookie = request.cookies.session;
  if (cookie !== undefined) {
    const idHash = hashSessionId(cookie);
    directory.removeSession(idHash);
    await storage.write.sessions.remove(idHash);
  }
  reply.clearCookie("session", { ...COOKIE, ...reachOf(services, request) });
};

/** Ends all sessions of a user but the one that the request came with. */
const endOtherSessions = async (
  { storage, directory }: Pick<Services, "storage" | "directory">,
  userId: number,
  request: FastifyRequest | undefined,
): Promise<void> => {
  const kept = request?.cookies.session;
  const ended = await storage.write.sessions.removeOthers(
    userId,
    kept === undefined ? "" : hashSessionId(kept),
  );
  for (const idHash of ended) directory.removeSession(idHash);
};

/**
 * Ends what was begun with a former password: all sessions but the request's own, and the access token, in whose place a
 * new one comes.
 */
export const endAccess = async (
  services: Pick<Services, "storage" | "directory" | "secrets">,
  userId: number,
  request: FastifyRequest | undefined,
): Promise<void> => {
  const { storage, directory, secrets } = services;
  await endOtherSessions(services, userId, request);
  const accessToken = createAccessToken();
  await storage.write.users.setAccessToken(userId, accessToken);
  directory.setAccessToken(userId, secrets.hash(accessToken));
};
