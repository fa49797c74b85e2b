import * as z from "zod/mini";
import { codecOf, flag, int, maybeFlag, maybeText, schemasOf, text, toWireNames } from "../resource/fields";
import { splitList } from "./channel";
import { type Limits, limitBody, limitFields, readLimits } from "./limits";
import { UNSUPPORTED_FIELDS } from "./unsupported-fields";
import { idNumber, looseList, maybe, textOrNone, wholeNumber } from "./wire";

/** An API key that a user's programs present as `sk-<key>`. */
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
  /** The group by which its requests go, or AUTO_GROUP; "" for its user's. */
  group?: string;
  /** In place of the site's list for AUTO_GROUP; none for that. */
  autoGroups?: readonly string[];
  /** No other model answers in place of the one that a request names. */
  hasNoFallbacks?: boolean;
  /** Decision about fields that an upstream's protocol has no place for; "" for the site's. */
  unsupportedFields?: string;
  limits?: Limits | undefined;
}

/** The Token object of the contract: what its fields are called inside, and on the wire. */
const tokenFields = {
  id: int("id"),
  userId: int("user_id"),
  key: text("key"),
  status: int("status"),
  name: text("name"),
  createdTime: int("created_time"),
  accessedTime: int("accessed_time"),
  expiredTime: int("expired_time"),
  remainQuota: int("remain_quota"),
  unlimitedQuota: flag("unlimited_quota"),
  usedQuota: int("used_quota"),
  /** Not part of the contract, and only there where something is set: the names are those of later one-api versions. */
  models: maybeText("models"),
  subnet: maybeText("subnet"),
  /** The names are those of new-api. */
  group: maybeText("group"),
  autoGroups: maybeText("auto_groups"),
  hasNoFallbacks: maybeFlag("no_fallbacks"),
  unsupportedFields: maybeText("unsupported_fields"),
  ...limitFields,
};

/** A token as it travels, and under the names that it has inside. */
const tokenCodec = codecOf(tokenFields, schemasOf(tokenFields, "strict"));
const looseCodec = codecOf(tokenFields, schemasOf(tokenFields, "loose"));

/** The Token object as it travels. */
export const tokenWireSchema = tokenCodec.def.in;
export type TokenWire = z.output<typeof tokenWireSchema>;

export const encodeToken = ({
  models,
  subnet,
  group,
  autoGroups,
  hasNoFallbacks,
  unsupportedFields,
  limits,
  ...token
}: Token): TokenWire =>
  z.encode(tokenCodec, {
    ...token,
    models: models?.join(",") || undefined,
    subnet: subnet || undefined,
    group: group || undefined,
    autoGroups: autoGroups?.join(",") || undefined,
    hasNoFallbacks: hasNoFallbacks || undefined,
    unsupportedFields: unsupportedFields || undefined,
    ...limits,
  });

/** Reads a token from any server's answer; undefined when it is not an object at all. */
export const readToken = (value: unknown): Token | undefined => {
  const parsed = looseCodec.safeParse(value);
  if (!parsed.success) return undefined;
  const { models, autoGroups, rpm, tpm, concurrency, dailyQuota, monthlyQuota, ...token } = parsed.data;
  return {
    ...token,
    models: splitList(models),
    autoGroups: splitList(autoGroups),
    limits: readLimits({ rpm, tpm, concurrency, dailyQuota, monthlyQuota }),
  };
};

export const readTokens = looseList(readToken);

/** The longest token name, in characters. */
export const TOKEN_NAME_MAX = 30;

/** "" takes away what is set. */
const accessBody = {
  models: maybe(z.string().check(z.maxLength(20_000))),
  subnet: maybe(z.string().check(z.maxLength(2000))),
  group: maybe(z.string().check(z.maxLength(64))),
  autoGroups: maybe(z.string().check(z.maxLength(2000))),
  hasNoFallbacks: maybe(z.boolean()),
  unsupportedFields: maybe(z.enum(["", ...UNSUPPORTED_FIELDS])),
  ...limitBody,
};

/** POST /api/token/. An expiry of 0 or none means never. */
export const createTokenBodySchema = codecOf(tokenFields, {
  name: textOrNone,
  remainQuota: maybe(wholeNumber),
  expiredTime: maybe(z.int()),
  unlimitedQuota: maybe(z.boolean()),
  ...accessBody,
});
export type CreateTokenBody = z.output<typeof createTokenBodySchema>;

/**
 * PUT /api/token/. Clients send the whole token; a field that is absent or null stays as it is, so that a stale
 * page cannot reset a balance it did not edit. With `?status_only=true` only `status` is read.
 */
export const updateTokenBodySchema = codecOf(tokenFields, {
  id: idNumber,
  status: maybe(z.int()),
  name: maybe(z.string()),
  remainQuota: maybe(wholeNumber),
  expiredTime: maybe(z.int()),
  unlimitedQuota: maybe(z.boolean()),
  ...accessBody,
});

/** What a client sends of a token, under the names of the wire. */
export const encodeTokenBody = <Body extends object>(body: Body) => toWireNames(tokenFields, body);
