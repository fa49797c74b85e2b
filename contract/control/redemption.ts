import * as z from "zod/mini";
import { idNumber, looseList, looseNumber, looseString, maybe, textOrNone } from "./wire";

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

/** The Redemption object of contract section 1.0. */
export const redemptionWireSchema = z.object({
  id: z.int(),
  user_id: z.int(),
  key: z.string(),
  status: z.int(),
  name: z.string(),
  quota: z.int(),
  created_time: z.int(),
  redeemed_time: z.int(),
  count: z.int(),
});
export type RedemptionWire = z.infer<typeof redemptionWireSchema>;

export const encodeRedemption = (redemption: Redemption): RedemptionWire => ({
  id: redemption.id,
  user_id: redemption.userId,
  key: redemption.key,
  status: redemption.status,
  name: redemption.name,
  quota: redemption.quota,
  created_time: redemption.createdTime,
  redeemed_time: redemption.redeemedTime,
  count: 0,
});

const redemptionReader = z.object({
  id: looseNumber,
  user_id: looseNumber,
  key: looseString,
  status: looseNumber,
  name: looseString,
  quota: looseNumber,
  created_time: looseNumber,
  redeemed_time: looseNumber,
});

/** Reads a redemption code from any server's answer; undefined when it is not an object at all. */
export const readRedemption = (value: unknown): Redemption | undefined => {
  const parsed = redemptionReader.safeParse(value);
  if (!parsed.success) return undefined;
  const wire = parsed.data;
  return {
    id: wire.id,
    userId: wire.user_id,
    key: wire.key,
    status: wire.status,
    name: wire.name,
    quota: wire.quota,
    createdTime: wire.created_time,
    redeemedTime: wire.redeemed_time,
  };
};

export const readRedemptions = looseList(readRedemption);

/** How many characters a code's name may have, and how many codes one call makes at most (contract section 1.8). */
export const REDEMPTION_NAME_MAX = 20;
export const REDEMPTION_COUNT_MAX = 100;

const quotaNumber = z.int().check(z.positive());

export const createRedemptionBodySchema = z.object({
  name: textOrNone,
  quota: quotaNumber,
  // Absent is one; null is nobody's wish.
  count: z.optional(z.int()),
});
export type CreateRedemptionBody = z.infer<typeof createRedemptionBodySchema>;

/** PUT /api/redemption/; an absent or null field stays. With `?status_only=true` only `status` is read. */
export const updateRedemptionBodySchema = z.object({
  id: idNumber,
  status: maybe(z.int()),
  name: maybe(z.string()),
  quota: maybe(quotaNumber),
});
export type UpdateRedemptionBody = z.infer<typeof updateRedemptionBodySchema>;
