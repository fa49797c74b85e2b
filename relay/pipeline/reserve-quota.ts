import { TOKEN_EXHAUSTED } from "@tollgate/contract/values/statuses";
import type { Hold } from "@tollgate/metering/ledger";
import type { Price } from "@tollgate/metering/price";
import { waitSeconds } from "../limits/waiting";
import type { HoldOutcome } from "../ports/charges";
import type { Refusal } from "../ports/client";
import type { ApiKey, Directory, UpstreamTarget } from "../ports/directory";
import type { RelayPorts } from "../ports/relay-ports";

/** Retry interval when running requests hold the balance: their end is not known. */
const HELD_RETRY_MS = 1000;

/** The quota that a request reserves. */
export interface HoldQuota {
  /** The required minimum: an estimate of the prompt, plus the answer at the client's own limit. */
  least: number;
  /** The worst-case cost, whatever the upstream does; the hold is up to this, limited by the available balance. */
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
 * The third step: reserves the worst-case cost of the answer.
 * @param group the user's group for this request.
 * @param model the name after the channel's mapping.
 * @param task computes the worst-case cost of its answer.
 * @param channel the target resolved for the task.
 * @returns a promise only when the hold must wait for the database.
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
    /** Its name before the channel's mapping. */
    readonly model: string;
    /** Its name with the effort that the client named, which may have another price. */
    readonly effortName?: string | undefined;
    holdQuota(price: Price, defaultTokens: number, channel: UpstreamTarget, model: string): HoldQuota;
  },
  channel: UpstreamTarget,
): Reservation | Refusal | Promise<Reservation | Refusal> => {
  const price = pricing.find(model, group, key.user, task.model, task.effortName);
  if (!price) return { code: "model-price-missing", params: { model } };
  if (task.writesText && !price.isOutputPriced) return { code: "output-price-missing", params: { model } };
  const { least, most } = task.holdQuota(price, pricing.defaultHoldTokens(), channel, model);
  // The tools of a free model may still have a price.
  const isFree = price.isFree && most === 0;
  const placed = holds.place(key.user.account, key.account, least, isFree, Math.max(least, most));
  return placed instanceof Promise
    ? awaitReservation(directory, key, price, placed)
    : reservationOf(directory, key, price, placed);
};
