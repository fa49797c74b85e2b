import * as z from "zod/mini";
import { splitList } from "./channel";
import {
  encodeLimits,
  type Limits,
  limitBodyFields,
  limitReaderFields,
  limitWireFields,
  readLimits,
} from "./limits";
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
  /** Names of the models that it may use; none for all. */
  models?: readonly string[];
  /** Addresses and networks from which it may be used, as they were typed; "" for anywhere. */
  subnet?: string;
  limits?: Limits | undefined;
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
  /** Not part of the contract, and only there where something is set: the names are those of later one-api versions. */
  models: z.optional(z.string()),
  subnet: z.optional(z.string()),
  ...limitWireFields,
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
  ...(token.models && token.models.length > 0 ? { models: token.models.join(",") } : {}),
  ...(token.subnet ? { subnet: token.subnet } : {}),
  ...encodeLimits(token.limits),
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
  models: looseString,
  subnet: looseString,
  ...limitReaderFields,
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
    models: splitList(wire.models),
    subnet: wire.subnet,
    limits: readLimits(wire),
  };
};

export const readTokens = looseList(readToken);

/** The longest token name, in characters. */
export const TOKEN_NAME_MAX = 30;

/** "" takes away what is set. */
const accessBodyFields = {
  models: maybe(z.string().check(z.maxLength(20_000))),
  subnet: maybe(z.string().check(z.maxLength(2000))),
  ...limitBodyFields,
};

/** POST /api/token/. An expiry of 0 or none means never. */
export const createTokenBodySchema = z.object({
  name: textOrNone,
  remain_quota: maybe(wholeNumber),
  expired_time: maybe(z.int()),
  unlimited_quota: maybe(z.boolean()),
  ...accessBodyFields,
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
  ...accessBodyFields,
});
export type UpdateTokenBody = z.infer<typeof updateTokenBodySchema>;
