import { randomBytes } from "node:crypto";
import { logIn } from "@tollgate/contract/api/session";
import type { FastifyReply, FastifyRequest } from "fastify";
import { cookieReach } from "../../http/cookie-reach";
import { areEqualTexts } from "../../http/equal-texts";
import { Failure } from "../failure";
import type { Services } from "../services";

const COOKIE_NAME = "passkey_challenge";
/** All calls of passkeys. */
const COOKIE = { path: logIn.path.slice(0, logIn.path.lastIndexOf("/")), httpOnly: true } as const;

/** Time to answer, in seconds. */
const VALID_SECONDS = 300;

const TIME_BYTES = 8;
const RANDOM_BYTES = 24;

type Parts = Pick<Services, "secrets" | "addresses" | "allowedOrigins">;

/** A use of a challenge; it counts for no other one. */
type Purpose = "register" | "set-up" | "second-factor" | "sign-in";

export interface Challenge {
  /** As browsers send it back, in base64url. */
  text: string;
  /** When it was made, in unix milliseconds. */
  madeTime: number;
}

const signatureOf = ({ secrets }: Parts, purpose: Purpose, bound: string, challenge: string): string =>
  secrets.hash(JSON.stringify([COOKIE_NAME, purpose, bound, challenge]));

const reachOf = ({ addresses, allowedOrigins }: Parts, request: FastifyRequest) => ({
  ...COOKIE,
  ...cookieReach(request.raw, allowedOrigins, addresses.isHttps(request.raw)),
});

/**
 * Makes a challenge for the calling browser. Only its cookie keeps it, so that any node accepts the answer, and unanswered
 * challenges take no memory. A passkey answers only challenges that are newer than the last that it
 * answered (`PasskeyUse.lastChallenge`): so each counts once.
 * @param bound the only session or user that may answer it.
 */
export const beginChallenge = (
  services: Parts,
  purpose: Purpose,
  bound: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Uint8Array<ArrayBuffer> => {
  const bytes = new Uint8Array(TIME_BYTES + RANDOM_BYTES);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(Date.now()));
  bytes.set(randomBytes(RANDOM_BYTES), TIME_BYTES);
  const challenge = Buffer.from(bytes).toString("base64url");
  const cookie = `${challenge}.${signatureOf(services, purpose, bound, challenge)}`;
  reply.setCookie(COOKIE_NAME, cookie, { ...reachOf(services, request), maxAge: VALID_SECONDS });
  return bytes;
};

/**
 * Takes the challenge of the calling browser back.
 * @throws Failure without one that was made for this purpose and `bound` within the last minutes.
 */
export const endChallenge = (
  services: Parts,
  purpose: Purpose,
  bound: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Challenge => {
  const [text = "", signature = ""] = (request.cookies[COOKIE_NAME] ?? "").split(".");
  reply.clearCookie(COOKIE_NAME, reachOf(services, request));
  if (!areEqualTexts(signature, signatureOf(services, purpose, bound, text)))
    throw new Failure("passkey-challenge");
  const madeTime = Number(Buffer.from(text, "base64url").readBigUInt64BE(0));
  const ageMs = Date.now() - madeTime;
  // Not of a node whose clock is far ahead, either: what it has taken would keep later challenges of others out.
  if (Math.abs(ageMs) >= VALID_SECONDS * 1000) throw new Failure("passkey-challenge");
  return { text, madeTime };
};
