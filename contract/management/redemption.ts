import * as z from "zod/mini";
import { codecOf, int, schemasOf, text, toWireNames } from "../resource/fields";
import { REDEMPTION_USED } from "../values/statuses";
import { idNumber, looseList, maybe, textOrNone, wholeNumber } from "./wire";

/** A code that adds quota to the account of whoever redeems it first. */
export interface Redemption {
  id: number;
  /** Who made it. */
  userId: number;
  key: string;
  status: number;
  name: string;
  quota: number;
  createdTime: number;
  /** Unix seconds of the last use; 0 means not yet. */
  redeemedTime: number;
  /** Unix seconds until when it may be redeemed; 0 for ever. */
  expiresTime: number;
  /** How many users may redeem it, each once. */
  mostUses: number;
  usedCount: number;
  /** Who used it last; 0 for nobody. */
  usedBy: number;
}

/** The Redemption object of the contract: what its fields are called inside, and on the wire. */
const redemptionFields = {
  id: int("id"),
  userId: int("user_id"),
  key: text("key"),
  status: int("status"),
  name: text("name"),
  quota: int("quota"),
  createdTime: int("created_time"),
  redeemedTime: int("redeemed_time"),
  /** How many to make, in the contract's requests; always 0 in answers. */
  count: int("count"),
  expiresTime: int("expired_time"),
  mostUses: int("max_uses"),
  usedCount: int("used_count"),
  usedBy: int("used_user_id"),
};

const looseCodec = codecOf(redemptionFields, schemasOf(redemptionFields, "loose"));

/** The Redemption object as it travels. */
export const redemptionWireSchema = z.object(
  toWireNames(redemptionFields, schemasOf(redemptionFields, "strict")),
);
export type RedemptionWire = z.infer<typeof redemptionWireSchema>;

export const encodeRedemption = (redemption: Redemption): RedemptionWire =>
  toWireNames(redemptionFields, { ...redemption, count: 0 });

/** Reads a redemption code from any server's answer; undefined when it is not an object at all. */
export const readRedemption = (value: unknown): Redemption | undefined => {
  const parsed = looseCodec.safeParse(value);
  if (!parsed.success) return undefined;
  const { count, ...redemption } = parsed.data;
  // Another server's codes are used once.
  const used = redemption.status === REDEMPTION_USED ? 1 : 0;
  return redemption.mostUses > 0 ? redemption : { ...redemption, mostUses: 1, usedCount: used };
};

export const readRedemptions = looseList(readRedemption);

/** How many characters a code's name may have (contract section 1.8). */
export const REDEMPTION_NAME_MAX = 20;
/** How many codes one call makes at most; the contract's servers make 100. */
export const REDEMPTION_COUNT_MAX = 1000;
/** How many users may redeem one code. */
export const REDEMPTION_USES_MAX = 1_000_000;

const usesNumber = z.int().check(z.gte(1), z.lte(REDEMPTION_USES_MAX));

const quotaNumber = z.int().check(z.positive());

export const createRedemptionBodySchema = codecOf(redemptionFields, {
  name: textOrNone,
  quota: quotaNumber,
  // Absent is one; null is nobody's wish.
  count: z.optional(z.int()),
  expiresTime: maybe(wholeNumber),
  mostUses: maybe(usesNumber),
});
export type CreateRedemptionBody = z.output<typeof createRedemptionBodySchema>;

/** PUT /api/redemption/; an absent or null field stays. With `?status_only=true` only `status` is read. */
export const updateRedemptionBodySchema = codecOf(redemptionFields, {
  id: idNumber,
  status: maybe(z.int()),
  name: maybe(z.string()),
  quota: maybe(quotaNumber),
  expiresTime: maybe(wholeNumber),
  mostUses: maybe(usesNumber),
});
export type UpdateRedemptionBody = z.output<typeof updateRedemptionBodySchema>;

/** A use of a code, as it travels. */
export const redemptionUseWireSchema = z.object({
  id: z.int(),
  user_id: z.int(),
  username: z.string(),
  used_time: z.int(),
  quota: z.int(),
});
export type RedemptionUseWire = z.infer<typeof redemptionUseWireSchema>;

export const readRedemptionUses = looseList((value): RedemptionUseWire | undefined => {
  const parsed = redemptionUseWireSchema.safeParse(value);
  return parsed.success ? parsed.data : undefined;
});
