import {
  MAX_REDEMPTION_COUNT,
  MAX_REDEMPTION_USES,
  type Redemption,
} from "@tollgate/contract/api/redemptions";
import { DEFAULT_REDEMPTION_QUOTA, MAX_QUOTA } from "@tollgate/contract/values/quota";
import { toUnixSeconds } from "@tollgate/contract/values/time";
import * as z from "zod/mini";
import { formatTime, parseDate } from "../../lib/format";
import { readWholeNumber } from "../../lib/typed-number";

/** A redemption code as form fields: typed, not yet converted. */
export interface RedemptionFields {
  name: string;
  quota: string;
  /** Number of codes to create; unused when editing. */
  count: string;
  /** The typed expiry; "" for never. */
  expires: string;
  /** Number of users who may redeem it. */
  uses: string;
}

export const NEW_REDEMPTION: RedemptionFields = {
  name: "",
  quota: String(DEFAULT_REDEMPTION_QUOTA),
  count: "1",
  expires: "",
  uses: "1",
};

const isWithin = (text: string, max: number): boolean => {
  const number = readWholeNumber(text);
  return number >= 1 && number <= max;
};

/** Mistakes are locale keys. */
export const redemptionFieldsSchema = (isNew: boolean) =>
  z.object({
    name: z.string().check(z.refine((name) => !isNew || name.trim() !== "", "redemption.nameMissing")),
    quota: z.string().check(z.refine((quota) => isWithin(quota, MAX_QUOTA), "redemption.quotaInvalid")),
    count: z
      .string()
      .check(z.refine((count) => isWithin(count, MAX_REDEMPTION_COUNT), "redemption.countInvalid")),
    expires: z
      .string()
      .check(
        z.refine((text) => text.trim() === "" || parseDate(text) !== undefined, "redemption.expiresInvalid"),
      ),
    uses: z.string().check(z.refine((uses) => isWithin(uses, MAX_REDEMPTION_USES), "redemption.usesInvalid")),
  });

export const toRedemptionFields = (redemption: Redemption): RedemptionFields => ({
  name: redemption.name,
  quota: String(redemption.quota),
  count: "1",
  expires: formatTime(redemption.expiresTime),
  uses: String(redemption.mostUses),
});

/** Request body for new codes. */
export interface RedemptionBody {
  name: string;
  quota: number;
  count: number;
  expired_time?: number;
  max_uses?: number;
}

export const toRedemptionBody = (fields: RedemptionFields): RedemptionBody => ({
  name: fields.name.trim(),
  quota: readWholeNumber(fields.quota),
  count: readWholeNumber(fields.count),
  ...toRedemptionBounds(fields, NEW_REDEMPTION),
});

/** The limits of a code that differ from before: other servers have none. */
export const toRedemptionBounds = (
  { expires, uses }: RedemptionFields,
  before: RedemptionFields,
): { expired_time?: number; max_uses?: number } => {
  const end = parseDate(expires);
  return {
    ...(expires === before.expires ? {} : { expired_time: end ? toUnixSeconds(end.getTime()) : 0 }),
    ...(uses === before.uses ? {} : { max_uses: readWholeNumber(uses) }),
  };
};
