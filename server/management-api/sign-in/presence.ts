import { hashSessionId } from "@tollgate/accounts/sessions";
import type { Secrets } from "@tollgate/storage/secrets";
import { areEqualTexts } from "../../http/equal-texts";

/** The cookie of a browser in which the owner of the session has confirmed the presence again. It is no session. */
export const PRESENCE_COOKIE = "presence";

/** How long a sign-in or a confirmation proves that the owner of a session is at the browser, in seconds. */
export const PRESENCE_SECONDS = 900;

const signatureOf = (secrets: Secrets, session: string, expiresTime: number): string =>
  secrets.hash(JSON.stringify([PRESENCE_COOKIE, hashSessionId(session), expiresTime]));

/** @param session the value of the session's cookie. @param now unix seconds. */
export const createPresenceCookie = (secrets: Secrets, session: string, now: number): string =>
  `${now + PRESENCE_SECONDS}.${signatureOf(secrets, session, now + PRESENCE_SECONDS)}`;

/** Whether the cookie confirms the presence of this session's owner, whichever node made it. */
export const confirmsPresence = (
  secrets: Secrets,
  session: string,
  cookie: string | undefined,
  now: number,
): boolean => {
  const [, expiresTime, signature = ""] = /^(\d{1,12})\.([\w-]{43})$/.exec(cookie ?? "") ?? [];
  if (expiresTime === undefined || Number(expiresTime) <= now) return false;
  return areEqualTexts(signature, signatureOf(secrets, session, Number(expiresTime)));
};
