import * as z from "zod/mini";
import type { Role } from "../values/roles";
import { type Limits, limitBody, limitFields, readLimits } from "./limits";
import { schemasOf, toInnerNames, toWireNames } from "./resource";
import { idNumber, looseList, looseNumber, looseString, maybe, textOrNone, wholeNumber } from "./wire";

/** A user as the gateway knows it. Never holds a password, its hash or an access token. */
export interface User {
  id: number;
  username: string;
  displayName: string;
  role: Role;
  status: number;
  email: string;
  githubId: string;
  wechatId: string;
  /** Spendable quota; never below zero. */
  quota: number;
  usedQuota: number;
  requestCount: number;
  group: string;
  affCode: string;
  inviterId: number;
  limits?: Limits | undefined;
}

/** The User object of contract section 1.0; every field is always present. */
export const userWireSchema = z.object({
  id: z.int(),
  username: z.string(),
  password: z.literal(""),
  display_name: z.string(),
  role: z.int(),
  status: z.int(),
  email: z.string(),
  github_id: z.string(),
  wechat_id: z.string(),
  verification_code: z.literal(""),
  access_token: z.string(),
  quota: z.int(),
  used_quota: z.int(),
  request_count: z.int(),
  group: z.string(),
  aff_code: z.string(),
  inviter_id: z.int(),
  /** Not part of the contract, and only there where something is limited. */
  ...toWireNames(limitFields, schemasOf(limitFields, "strict")),
});
export type UserWire = z.infer<typeof userWireSchema>;

/**
 * @param accessToken shown only where the caller looks at their own account (contract section 9 allows hiding it
 * everywhere else).
 */
export const encodeUser = (user: User, accessToken = ""): UserWire => ({
  id: user.id,
  username: user.username,
  password: "",
  display_name: user.displayName,
  role: user.role,
  status: user.status,
  email: user.email,
  github_id: user.githubId,
  wechat_id: user.wechatId,
  verification_code: "",
  access_token: accessToken,
  quota: user.quota,
  used_quota: user.usedQuota,
  request_count: user.requestCount,
  group: user.group,
  aff_code: user.affCode,
  inviter_id: user.inviterId,
  ...toWireNames(limitFields, user.limits ?? {}),
});

/** The login answer: the same object with only the identifying fields filled (contract section 1.0). */
export const encodeLoginUser = (user: User): UserWire =>
  encodeUser({
    ...user,
    email: "",
    githubId: "",
    wechatId: "",
    quota: 0,
    usedQuota: 0,
    requestCount: 0,
    group: "",
    affCode: "",
    inviterId: 0,
    limits: undefined,
  });

const userReader = z.object({
  id: looseNumber,
  username: looseString,
  display_name: looseString,
  role: looseNumber,
  status: looseNumber,
  email: looseString,
  github_id: looseString,
  wechat_id: looseString,
  quota: looseNumber,
  used_quota: looseNumber,
  request_count: looseNumber,
  group: looseString,
  aff_code: looseString,
  inviter_id: looseNumber,
  ...toWireNames(limitFields, schemasOf(limitFields, "loose")),
});

/** Reads a user from any server's answer; undefined when it is not an object at all. */
export const readUser = (value: unknown): User | undefined => {
  const parsed = userReader.safeParse(value);
  if (!parsed.success) return undefined;
  const wire = parsed.data;
  return {
    id: wire.id,
    username: wire.username,
    displayName: wire.display_name,
    role: wire.role,
    status: wire.status,
    email: wire.email,
    githubId: wire.github_id,
    wechatId: wire.wechat_id,
    quota: wire.quota,
    usedQuota: wire.used_quota,
    requestCount: wire.request_count,
    group: wire.group,
    affCode: wire.aff_code,
    inviterId: wire.inviter_id,
    limits: readLimits(toInnerNames(limitFields, wire)),
  };
};

export const loginBodySchema = z.object({
  username: z.string().check(z.minLength(1)),
  password: z.string().check(z.minLength(1)),
});
export type LoginBody = z.infer<typeof loginBodySchema>;

/**
 * What PUT /api/user/self uses of the whole User object that clients send; "" leaves a field unchanged. A new password
 * needs the current one, in `original_password` or by having signed in a short while ago.
 */
export const editSelfBodySchema = z.object({
  original_password: textOrNone,
  username: textOrNone,
  display_name: textOrNone,
  password: textOrNone,
});
export type EditSelfBody = z.infer<typeof editSelfBodySchema>;

/** POST /api/user/register; unknown fields such as password2 are ignored. */
export const registerBodySchema = z.object({
  username: z.string(),
  password: z.string(),
  email: textOrNone,
  verification_code: textOrNone,
  aff_code: textOrNone,
});
export type RegisterBody = z.infer<typeof registerBodySchema>;

/** POST /api/user/: an administrator adds a user. */
export const createUserBodySchema = z.object({
  username: z.string().check(z.minLength(1)),
  password: z.string().check(z.minLength(1)),
  display_name: textOrNone,
  role: maybe(z.int()),
});
export type CreateUserBody = z.infer<typeof createUserBodySchema>;

/**
 * PUT /api/user/: what an administrator may change of the whole User object that clients send. "" and absence leave a
 * field as it is; credentials and counters in the body are ignored.
 */
export const updateUserBodySchema = z.object({
  id: idNumber,
  username: maybe(z.string()),
  display_name: maybe(z.string()),
  password: maybe(z.string()),
  group: maybe(z.string()),
  quota: maybe(wholeNumber),
  /** Not part of the contract: the quota that was shown. When `quota` is the same, nobody edited it and it moves nothing. */
  original_quota: maybe(wholeNumber),
  role: maybe(z.int()),
  ...toWireNames(limitFields, limitBody),
});
export type UpdateUserBody = z.infer<typeof updateUserBodySchema>;

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
