import * as z from "zod/mini";
import { codecOf, int, noText, schemasOf, text, toWireNames } from "../resource/fields";
import { SIGN_IN_METHODS, type SignInMethod, type SignInMethodName } from "../sign-in/methods";
import type { Role } from "../values/roles";
import { type Limits, limitBody, limitFields, readLimits } from "./limits";
import { idNumber, looseList, maybe, textOrNone, wholeNumber } from "./wire";

/** The accounts elsewhere that are bound to a user, by sign-in method; what is not bound is not there. */
export type Identities = Readonly<Partial<Record<SignInMethodName, string>>>;

/** A user as the gateway knows it. Never holds a password, its hash or an access token. */
export interface User {
  id: number;
  username: string;
  displayName: string;
  role: Role;
  status: number;
  email: string;
  identities: Identities;
  /** Spendable quota; never below zero. */
  quota: number;
  usedQuota: number;
  requestCount: number;
  group: string;
  affCode: string;
  inviterId: number;
  limits?: Limits | undefined;
}

type IdentityFields = {
  [Method in SignInMethod as Method["name"]]: ReturnType<typeof text<Method["userField"]>>;
};

const identityFields = Object.fromEntries(
  SIGN_IN_METHODS.map(({ name, userField }) => [name, text(userField)]),
) as IdentityFields;

const NOTHING_BOUND = Object.fromEntries(SIGN_IN_METHODS.map(({ name }) => [name, ""])) as Record<
  SignInMethodName,
  ""
>;

const firstFields = {
  id: int("id"),
  username: text("username"),
  password: noText("password"),
  displayName: text("display_name"),
  role: int("role"),
  status: int("status"),
  email: text("email"),
};

const lastFields = {
  verificationCode: noText("verification_code"),
  accessToken: text("access_token"),
  quota: int("quota"),
  usedQuota: int("used_quota"),
  requestCount: int("request_count"),
  group: text("group"),
  affCode: text("aff_code"),
  inviterId: int("inviter_id"),
  /** Not part of the contract, and only there where something is limited. */
  ...limitFields,
};

/** The User object of the contract: what its fields are called inside, and on the wire. */
const userFields = { ...firstFields, ...identityFields, ...lastFields };

const looseCodec = codecOf(userFields, schemasOf({ ...firstFields, ...lastFields }, "loose"));
const looseIdentities = codecOf(identityFields, schemasOf(identityFields, "loose"));

/** The User object as it travels; every field of the contract is always present. */
export const userWireSchema = z.object(toWireNames(userFields, schemasOf(userFields, "strict")));
export type UserWire = z.infer<typeof userWireSchema>;

/**
 * @param accessToken shown only where the caller looks at their own account (contract section 9 allows hiding it
 * everywhere else).
 */
export const encodeUser = ({ limits, identities, ...user }: User, accessToken = ""): UserWire =>
  toWireNames(userFields, {
    ...user,
    ...NOTHING_BOUND,
    ...identities,
    password: "",
    verificationCode: "",
    accessToken,
    ...limits,
  });

/** What is bound of the contract's methods, as a client sends it with a user: "" for what is not. */
export const encodeIdentities = (identities: Identities): Readonly<Record<string, string>> =>
  Object.fromEntries(
    SIGN_IN_METHODS.filter(({ isExtra }) => !isExtra).map(({ name, userField }) => [
      userField,
      identities[name] ?? "",
    ]),
  );

/** A user with nothing in it: answers that tell only some fields have all of them (contract section 1.0). */
const NOBODY: User = {
  id: 0,
  username: "",
  displayName: "",
  role: 0,
  status: 0,
  email: "",
  identities: {},
  quota: 0,
  usedQuota: 0,
  requestCount: 0,
  group: "",
  affCode: "",
  inviterId: 0,
};

/** The login answer: the same object with only the identifying fields filled. */
export const encodeLoginUser = ({ id, username, displayName, role, status }: User): UserWire =>
  encodeUser({ ...NOBODY, id, username, displayName, role, status });

/** What managing a user answers: role and status alone. */
export const encodeManagedUser = ({ role, status }: Pick<User, "role" | "status">): UserWire =>
  encodeUser({ ...NOBODY, role, status });

const readIdentities = (read: Readonly<Record<SignInMethodName, string>>): Identities => {
  const identities: Partial<Record<SignInMethodName, string>> = {};
  for (const { name } of SIGN_IN_METHODS) if (read[name] !== "") identities[name] = read[name];
  return identities;
};

/** Reads a user from any server's answer; undefined when it is not an object at all. */
export const readUser = (value: unknown): User | undefined => {
  const parsed = looseCodec.safeParse(value);
  const identities = looseIdentities.safeParse(value);
  if (!parsed.success || !identities.success) return undefined;
  const { password, verificationCode, accessToken, ...read } = parsed.data;
  const { rpm, tpm, concurrency, dailyQuota, monthlyQuota, ...user } = read;
  return {
    ...user,
    identities: readIdentities(identities.data),
    limits: readLimits({ rpm, tpm, concurrency, dailyQuota, monthlyQuota }),
  };
};

export const loginBodySchema = z.object({
  username: z.string().check(z.minLength(1)),
  password: z.string().check(z.minLength(1)),
});
export type LoginBody = z.infer<typeof loginBodySchema>;

/** What requests say of a user: the fields of the object, and two that only requests have. */
const bodyFields = {
  ...userFields,
  originalPassword: text("original_password"),
  originalQuota: int("original_quota"),
};

/** What a client sends of a user, under the names of the wire. */
export const encodeUserBody = <const Body extends object>(body: Body) => toWireNames(bodyFields, body);

/**
 * What PUT /api/user/self uses of the whole User object that clients send; "" leaves a field unchanged. A new password
 * needs the current one, in `original_password` or by having signed in a short while ago.
 */
export const editSelfBodySchema = codecOf(bodyFields, {
  originalPassword: textOrNone,
  username: textOrNone,
  displayName: textOrNone,
  password: textOrNone,
});

/** POST /api/user/register; unknown fields such as password2 are ignored. */
export const registerBodySchema = codecOf(bodyFields, {
  username: z.string(),
  password: z.string(),
  email: textOrNone,
  verificationCode: textOrNone,
  affCode: textOrNone,
});

/** POST /api/user/: an administrator adds a user. */
export const createUserBodySchema = codecOf(bodyFields, {
  username: z.string().check(z.minLength(1)),
  password: z.string().check(z.minLength(1)),
  displayName: textOrNone,
  role: maybe(z.int()),
});

/**
 * PUT /api/user/: what an administrator may change of the whole User object that clients send. "" and absence leave a
 * field as it is; credentials and counters in the body are ignored.
 */
export const updateUserBodySchema = codecOf(bodyFields, {
  id: idNumber,
  username: maybe(z.string()),
  displayName: maybe(z.string()),
  password: maybe(z.string()),
  group: maybe(z.string()),
  quota: maybe(wholeNumber),
  /** Not part of the contract: the quota that was shown. When `quota` is the same, nobody edited it and it moves nothing. */
  originalQuota: maybe(wholeNumber),
  role: maybe(z.int()),
  ...limitBody,
});
export type UpdateUserBody = z.output<typeof updateUserBodySchema>;

export const USER_ACTIONS = ["disable", "enable", "delete", "promote", "demote"] as const;
export type UserAction = (typeof USER_ACTIONS)[number];

/** POST /api/user/manage */
export const manageUserBodySchema = z.object({
  username: z.string().check(z.minLength(1)),
  action: z.enum(USER_ACTIONS),
});
export type ManageUserBody = z.infer<typeof manageUserBodySchema>;

/** POST /api/user/topup */
export const topUpBodySchema = z.object({ key: z.string() });

/** POST /api/user/reset */
export const resetPasswordBodySchema = z.object({
  email: z.string().check(z.minLength(1)),
  token: z.string().check(z.minLength(1)),
});

export const readUsers = looseList(readUser);
