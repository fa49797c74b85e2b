import { isZero } from "@tollgate/contract/values/decimal";
import { type Hold, hold } from "@tollgate/metering/ledger";
import { type Price, priceHold } from "@tollgate/metering/price";
import type { KeyEntry, Pricing, Refusal } from "../ports";

export interface PlacedHold {
  price: Price;
  hold: Hold;
}

/**
 * The third step: set aside what the answer may cost at worst.
 * @param model the name after the channel's mapping.
 * @param promptTokens an estimate.
 * @param maxOutputTokens the client's limit for all answers together.
 */
export const placeHold = (
  pricing: Pricing,
  key: KeyEntry,
  model: string,
  promptTokens: number,
  maxOutputTokens: number | undefined,
): PlacedHold | Refusal => {
  const price = pricing.find(model, key.user.group);
  if (!price) return { code: "model-price-missing", params: { model } };
  const quota = priceHold(price, promptTokens, maxOutputTokens, pricing.defaultHoldTokens());
  const placed = hold(key.user.account, key.account, quota, isZero(price.perPromptToken));
  return typeof placed === "string" ? { code: placed } : { price, hold: placed };
};
