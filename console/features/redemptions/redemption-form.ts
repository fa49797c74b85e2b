import {
  type CreateRedemptionBody,
  REDEMPTION_COUNT_MAX,
  type Redemption,
} from "@tollgate/contract/management/redemption";
import { DEFAULT_REDEMPTION_QUOTA, MAX_QUOTA } from "@tollgate/contract/values/quota";
import * as z from "zod/mini";

/** A redemption code as its form holds it: what was typed, not yet what is sent. */
export interface RedemptionFields {
  name: string;
  quota: string;
  /** How many codes to make; unused when one is edited. */
  count: string;
}

export const NEW_REDEMPTION: RedemptionFields = {
  name: "",
  quota: String(DEFAULT_REDEMPTION_QUOTA),
  count: "1",
};

const isWithin = (text: string, max: number): boolean => {
  const number = Number.parseInt(text, 10);
  return number >= 1 && number <= max;
};

/** Mistakes are named by their locale keys. */
export const redemptionFieldsSchema = (isNew: boolean) =>
  z.object({
    name: z.string().check(z.refine((name) => !isNew || name.trim() !== "", "redemption.nameMissing")),
    quota: z.string().check(z.refine((quota) => isWithin(quota, MAX_QUOTA), "redemption.quotaInvalid")),
    count: z
      .string()
      .check(z.refine((count) => isWithin(count, REDEMPTION_COUNT_MAX), "redemption.countInvalid")),
  });

export const toRedemptionFields = (redemption: Redemption): RedemptionFields => ({
  name: redemption.name,
  quota: String(redemption.quota),
  count: "1",
});

export const toRedemptionBody = (fields: RedemptionFields): CreateRedemptionBody => ({
  name: fields.name.trim(),
  quota: Number.parseInt(fields.quota, 10),
  count: Number.parseInt(fields.count, 10),
});
