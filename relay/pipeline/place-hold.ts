import { type Hold, hold } from "@tollgate/metering/ledger";
import type { Price } from "@tollgate/metering/price";
import { waitSeconds } from "../limits/limit-headers";
import type { ChannelEntry, KeyEntry, Pricing, Refusal } from "../ports";

/** How soon to ask again where requests under way hold the balance: nobody knows when they end. */
const HELD_RETRY_MS = 1000;

export interface PlacedHold {
  price: Price;
  hold: Hold;
}

/**
 * The third step: set aside what the answer may cost at worst.
 * @param model the name after the channel's mapping.
 * @param task knows what its answer may cost at worst.
 * @param channel as the task speaks to it.
 */
export const placeHold = (
  pricing: Pricing,
  key: KeyEntry,
  model: string,
  task: { holdQuota(price: Price, defaultTokens: number, channel: ChannelEntry, model: string): number },
  channel: ChannelEntry,
): PlacedHold | Refusal => {
  const price = pricing.find(model, key.user.group);
  if (!price) return { code: "model-price-missing", params: { model } };
  const quota = task.holdQuota(price, pricing.defaultHoldTokens(), channel, model);
  const placed = hold(key.user.account, key.account, quota, price.isFree);
  if (typeof placed !== "string") return { price, hold: placed };
  const isHeld = placed === "user-quota-held" || placed === "token-quota-held";
  return isHeld ? { code: placed, retryAfterSeconds: waitSeconds(HELD_RETRY_MS) } : { code: placed };
};
