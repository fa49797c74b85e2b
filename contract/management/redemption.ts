import * as z from "zod/mini";
import { codecOf, int, schemasOf, text, toWireNames } from "./resource";
import { idNumber, looseList, maybe, textOrNone } from "./wire";

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
  /** Unix seconds; 0 means not yet. */
  redeemedTime: number;
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
  return redemption;
};

export const readRedemptions = looseList(readRedemption);

/** How many characters a code's name may have, and how many codes one call makes at most (contract section 1.8). */
export const REDEMPTION_NAME_MAX = 20;
export const REDEMPTION_COUNT_MAX = 100;

const quotaNumber = z.int().check(z.positive());

export const createRedemptionBodySchema = codecOf(redemptionFields, {
  name: textOrNone,
  quota: quotaNumber,
  // Absent is one; null is nobody's wish.
  count: z.optional(z.int()),
});
export type CreateRedemptionBody = z.output<typeof createRedemptionBodySchema>;

/** PUT /api/redemption/; an absent or null field stays. With `?status_only=true` only `status` is read. */
export const updateRedemptionBodySchema = codecOf(redemptionFields, {
  id: idNumber,
  status: maybe(z.int()),
  name: maybe(z.string()),
  quota: maybe(quotaNumber),
});
export type UpdateRedemptionBody = z.output<typeof updateRedemptionBodySchema>;
