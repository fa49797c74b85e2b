import * as z from "zod/mini";
import { looseString, maybe, textOrNone, wholeNumber } from "../management/wire";
import { endpoint } from "../resource/endpoint";
import { codecOf } from "../resource/fields";
import { optional, plain, readerOf, type WireFormat } from "../resource/resource";
import { OAUTH_PATH } from "../resource/served-paths";
import type { SignInMethod } from "../sign-in/methods";
import { type SignInOutcome, signInOutcome } from "./session";
import { userBodyFields } from "./user";

/* Accounts elsewhere, registrations, and resets of lost passwords (contract section 1.2). */

const HUMAN_PARAMETER = { turnstile: "The response of Turnstile, if the site requires it." } as const;

/** Unknown fields such as password2 are ignored. */
export const registerBodySchema = codecOf(userBodyFields, {
  username: z.string(),
  password: z.string(),
  email: textOrNone,
  verificationCode: textOrNone,
  affCode: textOrNone,
  promotionCode: maybe(z.string()),
  termsVersion: maybe(wholeNumber),
});

/** Quota of the promotion code; 0 without one, or if it was used up during the registration. */
const registrationReader = z.object({ bonus: z.catch(z.int(), 0) });

export const register = endpoint({
  method: "POST",
  path: "/api/user/register",
  guard: "none",
  summary: "Registers with a password",
  query: HUMAN_PARAMETER,
  isCritical: true,
  body: registerBodySchema,
  data: optional(plain(z.object({ bonus: z.int() }), readerOf(registrationReader))),
});

export const sendEmailCode = endpoint({
  method: "GET",
  path: "/api/verification",
  guard: "none",
  summary: "Mails a verification code",
  query: { email: "The address.", ...HUMAN_PARAMETER },
  isCritical: true,
  changesState: true,
});

export const requestReset = endpoint({
  method: "GET",
  path: "/api/reset_password",
  guard: "none",
  summary: "Mails a password reset link",
  query: { email: "The address of the account.", ...HUMAN_PARAMETER },
  isCritical: true,
  changesState: true,
});

export const resetPasswordBodySchema = z.object({
  email: z.string().check(z.minLength(1)),
  token: z.string().check(z.minLength(1)),
});

export const resetPassword = endpoint({
  method: "POST",
  path: "/api/user/reset",
  guard: "none",
  summary: "Sets a random new password, and returns it",
  body: resetPasswordBodySchema,
  data: plain(z.string(), readerOf(z.string().check(z.minLength(1)))),
  isCritical: true,
});

export const bindEmail = endpoint({
  method: "GET",
  path: `${OAUTH_PATH}/email/bind`,
  guard: "user",
  isForPeople: true,
  summary: "Binds an e-mail address",
  query: { email: "The address.", code: "The mailed code." },
  isCritical: true,
  changesState: true,
  changes: ["users"],
});

/** Outcome of the redirect: the account was bound, or its user has signed in. */
type RedirectOutcome = { isBound: true } | SignInOutcome;

const envelopeReader = z.object({ message: looseString, data: z.optional(z.unknown()) });

/** A whole envelope: its message tells a binding, and is the one message that clients branch on. */
export const redirectOutcome: WireFormat<RedirectOutcome> = {
  schema: z.object({ data: z.optional(signInOutcome.schema) }),
  encode: (outcome) => ("isBound" in outcome ? { message: "bind" } : { data: signInOutcome.encode(outcome) }),
  read: (value) => {
    const { message, data } = envelopeReader.parse(value);
    if (message === "bind") return { isBound: true };
    return signInOutcome.read(data);
  },
};

const CODE_PARAMETER = { code: "The code of the sign-in method." } as const;

/** The call to which a method's page sends people back. With a session, it binds the account: its message is "bind" then. */
export const signInByRedirect = ({ name, title }: SignInMethod) =>
  endpoint({
    method: "GET",
    path: `${OAUTH_PATH}/${name}`,
    guard: "none",
    summary: `Signs in with ${title}, or binds it to the session's user (message: bind)`,
    query: {
      ...CODE_PARAMETER,
      state: "The state from /api/oauth/state, for methods with their own consent page.",
    },
    data: redirectOutcome,
    isEnvelope: true,
    isCritical: true,
    changesState: true,
  });

/** Signing in by a method whose code people type into a window. */
export const signInByCode = ({ name, title }: SignInMethod) =>
  endpoint({
    method: "GET",
    path: `${OAUTH_PATH}/${name}`,
    guard: "none",
    summary: `Signs in with a ${title} code`,
    query: CODE_PARAMETER,
    data: signInOutcome,
    isCritical: true,
    changesState: true,
  });

export const bindByCode = ({ name, title }: SignInMethod) =>
  endpoint({
    method: "GET",
    path: `${OAUTH_PATH}/${name}/bind`,
    guard: "user",
    isForPeople: true,
    summary: `Binds a ${title} account`,
    query: CODE_PARAMETER,
    isCritical: true,
    changesState: true,
    changes: ["users"],
  });
