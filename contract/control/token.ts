import * as z from "zod/mini";
import {
  idNumber,
  looseBoolean,
  looseList,
  looseNumber,
  looseString,
  maybe,
  textOrNone,
  wholeNumber,
} from "./wire";

/** An access key that a user's programs present as `sk-<key>`. */
export interface Token {
  id: number;
  userId: number;
  /** 48 characters, without the `sk-` prefix. */
  key: string;
  status: number;
  name: string;
  createdTime: number;
  accessedTime: number;
  /** Unix seconds, or -1 for never. */
  expiredTime: number;
  remainQuota: number;
  unlimitedQuota: boolean;
  usedQuota: number;
}

/** The Token object of contract section 1.0. */
export const tokenWireSchema = z.object({
  id: z.int(),
  user_id: z.int(),
  key: z.string(),
  status: z.int(),
  name: z.string(),
  created_time: z.int(),
  accessed_time: z.int(),
  expired_time: z.int(),
  remain_quota: z.int(),
  unlimited_quota: z.boolean(),
  used_quota: z.int(),
});
export type TokenWire = z.infer<typeof tokenWireSchema>;

export const encodeToken = (token: Token): TokenWire => ({
  id: token.id,
  user_id: token.userId,
  key: token.key,
  status: token.status,
  name: token.name,
  created_time: token.createdTime,
  accessed_time: token.accessedTime,
  expired_time: token.expiredTime,
  remain_quota: token.remainQuota,
  unlimited_quota: token.unlimitedQuota,
  used_quota: token.usedQuota,
});

const tokenReader = z.object({
  id: looseNumber,
  user_id: looseNumber,
  key: looseString,
  status: looseNumber,
  name: looseString,
  created_time: looseNumber,
  accessed_time: looseNumber,
  expired_time: looseNumber,
  remain_quota: looseNumber,
  unlimited_quota: looseBoolean,
  used_quota: looseNumber,
});

/** Reads a token from any server's answer; undefined when it is not an object at all. */
export const readToken = (value: unknown): Token | undefined => {
  const parsed = tokenReader.safeParse(value);
  if (!parsed.success) return undefined;
  const wire = parsed.data;
  return {
    id: wire.id,
    userId: wire.user_id,
    key: wire.key,
    status: wire.status,
    name: wire.name,
    createdTime: wire.created_time,
    accessedTime: wire.accessed_time,
    expiredTime: wire.expired_time,
    remainQuota: wire.remain_quota,
    unlimitedQuota: wire.unlimited_quota,
    usedQuota: wire.used_quota,
  };
};

export const readTokens = looseList(readToken);

/** The longest token name, in characters. */
export const TOKEN_NAME_MAX = 30;

/** POST /api/token/. An expiry of 0 or none means never. */
export const createTokenBodySchema = z.object({
  name: textOrNone,
  remain_quota: maybe(wholeNumber),
  expired_time: maybe(z.int()),
  unlimited_quota: maybe(z.boolean()),
});
export type CreateTokenBody = z.infer<typeof createTokenBodySchema>;

/**
 * PUT /api/token/. Clients send the whole token; a field that is absent or null stays as it is, so that a stale
 * page cannot reset a balance it did not edit. With `?status_only=true` only `status` is read.
 */
export const updateTokenBodySchema = z.object({
  id: idNumber,
  status: maybe(z.int()),
  name: maybe(z.string()),
  remain_quota: maybe(wholeNumber),
  expired_time: maybe(z.int()),
  unlimited_quota: maybe(z.boolean()),
});
export type UpdateTokenBody = z.infer<typeof updateTokenBodySchema>;
