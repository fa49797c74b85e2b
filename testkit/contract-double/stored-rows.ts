import type { ApiKeyWire } from "@tollgate/contract/api/api-keys";
import type { UserWire } from "@tollgate/contract/api/user";
import { SIGN_IN_METHODS, type SignInMethod } from "@tollgate/contract/sign-in/methods";
import type * as z from "zod/mini";
import type { channelAnswer, logAnswer, redemptionAnswer } from "./answer-schemas";

/* The objects of the contract as they travel, with the secrets that no answer shows. */

export type StoredUser = Omit<UserWire, "password"> & { password: string };
export type StoredChannel = Omit<z.infer<typeof channelAnswer>, "key"> & { key: string };
export type StoredApiKey = ApiKeyWire;
export type StoredRedemption = z.infer<typeof redemptionAnswer>;
export type StoredLog = z.infer<typeof logAnswer>;

/** A user as answers show it. */
export const hidePassword = (user: StoredUser): UserWire => ({ ...user, password: "" });

/** "" in the field of each sign-in method. */
const NOTHING_BOUND = Object.fromEntries(SIGN_IN_METHODS.map(({ userField }) => [userField, ""])) as Record<
  SignInMethod["userField"],
  ""
>;

/** An empty User object: answers with only some fields of a user still contain all of them. */
export const BLANK_USER: Readonly<UserWire> = {
  id: 0,
  username: "",
  password: "",
  display_name: "",
  role: 0,
  status: 0,
  email: "",
  ...NOTHING_BOUND,
  verification_code: "",
  access_token: "",
  quota: 0,
  used_quota: 0,
  request_count: 0,
  group: "",
  aff_code: "",
  inviter_id: 0,
};
