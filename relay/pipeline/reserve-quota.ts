import { TOKEN_EXHAUSTED } from "@tollgate/contract/values/statuses";
import type { Hold } from "@tollgate/metering/ledger";
import type { Price } from "@tollgate/metering/price";
import { waitSeconds } from "../limits/waiting";
import type { ApiKey, Directory, HoldOutcome, Refusal, RelayPorts, UpstreamTarget } from "../ports";

/** How soon to ask again where requests under way hold the balance: it is not known when they end. */
const HELD_RETRY_MS = 1000;

/** How much quota a request sets aside. */
export interface HoldQuota {
  /** What must be there: an estimate of the prompt, and the answer as long as the client's limit lets it be. */
  least: number;
  /** What it may cost at worst, whatever the upstream makes of the request; as much of it is held as is there. */
  most: number;
}

export interface Reservation {
  price: Price;
  hold: Hold;
}

const reservationOf = (
  directory: Pick<Directory, "markKey">,
  key: ApiKey,
  price: Price,
  placed: HoldOutcome,
): Reservation | Refusal => {
  if (typeof placed !== "string") return { price, hold: placed };
  if (placed === "token-exhausted") directory.markKey(key, TOKEN_EXHAUSTED);
  const isHeld = placed === "user-quota-held" || placed === "token-quota-held";
  return isHeld ? { code: placed, retryAfterSeconds: waitSeconds(HELD_RETRY_MS) } : { code: placed };
};

const awaitReservation = async (
  directory: Pick<Directory, "markKey">,
  key: ApiKey,
  price: Price,
  placed: Promise<HoldOutcome>,
): Promise<Reservation | Refusal> => reservationOf(directory, key, price, await placed);

/**
 * The third step: set aside what the answer may cost at worst.
 * @param group the one of the user's by which the request goes.
 * @param model the name after the channel's mapping.
 * @param task knows what its answer may cost at worst.
 * @param channel as the task speaks to it.
 * @returns a promise only where the hold has to wait for the database.
 */
export const reserveQuota = (
  {
    directory,
    pricing,
    holds,
  }: Pick<RelayPorts, "pricing" | "holds"> & { directory: Pick<Directory, "markKey"> },
  key: ApiKey,
  group: string,
  model: string,
  task: {
    readonly writesText: boolean;
    /** As the client called it. */
    readonly model: string;
    holdQuota(price: Price, defaultTokens: number, channel: UpstreamTarget, model: string): HoldQuota;
  },
  channel: UpstreamTarget,
): Reservation | Refusal | Promise<Reservation | Refusal> => {
  const price = pricing.find(model, group, key.user, task.model);
  if (!price) return { code: "model-price-missing", params: { model } };
  if (task.writesText && !price.isOutputPriced) return { code: "output-price-missing", params: { model } };
  const { least, most } = task.holdQuota(price, pricing.defaultHoldTokens(), channel, model);
  // A free model's tools may cost something.
  const isFree = price.isFree && most === 0;
  const placed = holds.place(key.user.account, key.account, least, isFree, Math.max(least, most));
  return placed instanceof Promise
    ? awaitReservation(directory, key, price, placed)
    : reservationOf(directory, key, price, placed);
};
