import * as z from "zod/mini";
import { textOrNone } from "../management/wire";
import { endpoint } from "../resource/endpoint";
import { optional, textValue, type WireFormat } from "../resource/resource";
import { type User, user } from "./user";

/* Coming in with a password, going to a page that asks for consent, and going out (contract section 1.2). */

/** The user who has signed in: identifying fields alone. */
export const signedIn = {
  ...user,
  read: (value: unknown) => {
    const read = user.read(value);
    return read?.username ? read : undefined;
  },
};

/**
 * What a sign-in needs before there is a session: a code, a passkey, either of them, or a second factor where the user
 * has none.
 */
export const SIGN_IN_NEEDS = ["code", "passkey", "either", "setup"] as const;
export type SignInNeed = (typeof SIGN_IN_NEEDS)[number];

/** What came of a sign-in. */
export type SignInOutcome = { user: User } | { needs: SignInNeed };

const needSchema = z.object({
  require_2fa: z.literal(true),
  needs_setup: z.optional(z.boolean()),
  /** Whether a passkey counts, and whether a code does; servers without passkeys take codes alone. */
  passkey: z.optional(z.boolean()),
  code: z.optional(z.boolean()),
});

const readNeed = ({ needs_setup: isSetUp, passkey, code }: z.output<typeof needSchema>): SignInNeed => {
  if (isSetUp) return "setup";
  if (!passkey) return "code";
  return code ? "either" : "passkey";
};

const encodeNeed = (needs: SignInNeed): z.output<typeof needSchema> => ({
  require_2fa: true,
  needs_setup: needs === "setup",
  ...(needs === "passkey" || needs === "either" ? { passkey: true, code: needs === "either" } : {}),
});

/** The user; or, as new-api says it, that a second factor is required. */
export const signInOutcome: WireFormat<SignInOutcome> = {
  schema: z.union([user.schema, needSchema]),
  encode: (outcome) => ("user" in outcome ? user.encode(outcome.user) : encodeNeed(outcome.needs)),
  read: (value) => {
    const need = needSchema.safeParse(value);
    if (need.success) return { needs: readNeed(need.data) };
    const read = signedIn.read(value);
    return read && { user: read };
  },
};

export const loginBodySchema = z.object({
  username: z.string().check(z.minLength(1)),
  password: z.string().check(z.minLength(1)),
});

export const logIn = endpoint({
  method: "POST",
  path: "/api/user/login",
  guard: "none",
  summary: "Signs in with a password",
  body: loginBodySchema,
  data: signInOutcome,
});

/** By the second factor if the user has one, otherwise by the password. */
export const confirmPresence = endpoint({
  method: "POST",
  path: "/api/user/confirm",
  guard: "user",
  isForPeople: true,
  summary: "Confirms in a session that its owner is at the browser, for calls that need it",
  body: z.object({ password: textOrNone, code: textOrNone }),
});

export const logOut = endpoint({
  method: "GET",
  path: "/api/user/logout",
  guard: "none",
  summary: "Signs out",
  changesState: true,
});

export const getOauthState = endpoint({
  method: "GET",
  path: "/api/oauth/state",
  guard: "none",
  summary: "A state for the page on which a sign-in method asks for consent",
  query: { method: "The sign-in method, for those that the contract does not have" },
  data: optional(textValue),
  isCritical: true,
});
