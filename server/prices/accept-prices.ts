import {
  holdsFromMs,
  type ModelPriceEntry,
  type ModelPrices,
  parseModelPrices,
} from "@tollgate/contract/management/model-price";
import type { AcceptPricesBody } from "@tollgate/contract/management/price-sync";
import { isAbsurd, priceDifferences } from "@tollgate/metering/price-differences";
import { isModelName } from "@tollgate/vendors/price-sources/source-price";
import { Failure } from "../management-api/failure";
import type { Options } from "../state/options";
import type { SitePricing } from "../state/pricing";
import { effectivePrice } from "./effective-price";
import { lockedPrices } from "./locked-prices";

/** The most that the option may hold, as of any other (contract/management/option.ts). */
const MAX_LENGTH = 1_000_000;

const readAccepted = (prices: AcceptPricesBody["prices"]): ModelPrices => {
  const read = parseModelPrices(JSON.stringify(prices));
  if ("fault" in read) throw new Failure("prices-invalid", { place: read.fault });
  return read;
};

const isPaid = (entry: ModelPriceEntry): boolean =>
  "perCall" in entry
    ? entry.perCall > 0
    : [entry, ...(entry.tiers ?? [])].every(({ input, output }) => input > 0 && output !== 0);

/** The entries of a model after accepting a price: future ones stay. */
const entriesWith = (known: readonly ModelPriceEntry[], entry: ModelPriceEntry, nowMs: number): unknown => {
  const later = known.filter((each) => holdsFromMs(each) > nowMs);
  return later.length === 0 ? entry : [entry, ...later];
};

/** Number of prices between two yields to other work. */
const PRICES_A_TURN = 50;

export interface Acceptance {
  options: Options;
  pricing: SitePricing;
  nowMs: number;
  /** Yields to other waiting work. */
  yieldToOthers(): Promise<void>;
}

/** Validates prices, and returns the entries to write. @throws Failure */
const judged = async (
  { pricing, nowMs, yieldToOthers }: Acceptance,
  accepted: ModelPrices,
): Promise<[model: string, entry: ModelPriceEntry][]> => {
  const book = pricing.book();
  const judgedSoFar: [string, ModelPriceEntry][] = [];
  for (const [model, [entry, ...others]] of accepted) {
    if (!entry || others.length > 0 || entry.from !== undefined || !isModelName(model) || !isPaid(entry))
      throw new Failure("prices-invalid", { place: model });
    const old = effectivePrice(book, model, nowMs);
    if (isAbsurd(priceDifferences(old, effectivePrice(book, model, nowMs, entry))))
      throw new Failure("price-absurd", { model });
    judgedSoFar.push([model, entry]);
    if (judgedSoFar.length % PRICES_A_TURN === 0) await yieldToOthers();
  }
  return judgedSoFar;
};

/**
 * Takes prices over into the option ModelPrice, all or none.
 * @param version which prices the caller has seen.
 * @throws Failure when one of them cannot be, is locked, or when prices have changed meanwhile.
 */
export const acceptPrices = async (
  acceptance: Acceptance,
  prices: AcceptPricesBody["prices"],
  version: number,
): Promise<void> => {
  const { options, nowMs } = acceptance;
  const mustBe = (): void => {
    if (options.priceVersion !== version) throw new Failure("prices-changed");
  };
  mustBe();
  const accepted = await judged(acceptance, readAccepted(prices));
  await options.change("ModelPrice", (text) => {
    // The comparison above is valid as long as the version is unchanged.
    mustBe();
    const known = parseModelPrices(text);
    if ("fault" in known) throw new Failure("option-data-invalid", { key: "ModelPrice", place: known.fault });
    const locked = lockedPrices(options);
    const next = new Map<string, unknown>(Object.entries(JSON.parse(text)));
    for (const [model, entry] of accepted) {
      if (locked.has(model)) throw new Failure("price-locked", { model });
      next.set(model, entriesWith(known.get(model) ?? [], entry, nowMs));
    }
    const written = JSON.stringify(Object.fromEntries(next), null, 2);
    if (written.length > MAX_LENGTH) throw new Failure("prices-too-many");
    return written;
  });
};
