import { createHash } from "node:crypto";
import type { Channel } from "@tollgate/contract/api/channels";
import type { PriceDifference, PriceRow } from "@tollgate/contract/management/price-sync";
import { priceDifferences } from "@tollgate/metering/price-differences";
import type { AuditChanges } from "@tollgate/storage/accounts/site-ports";
import type { Logger } from "pino";
import { Failure } from "../management-api/failure";
import type { Notices } from "../notices/notices";
import { acceptPrices } from "../prices/accept-prices";
import { comparePrices } from "../prices/compare-prices";
import { fetchPrices } from "../prices/fetch-prices";
import { lockedPrices } from "../prices/locked-prices";
import { offeredModels } from "../prices/offered-models";
import {
  readTakenPrices,
  stepTo,
  type TakenPrice,
  takenAfter,
  writeTakenPrices,
} from "../prices/taken-prices";
import type { Options } from "../state/options";
import type { SitePricing } from "../state/pricing";
import { yieldToOthers } from "../yield-to-others";
import type { Job } from "./start-job";

const HOUR_MS = 3_600_000;

/** Interval for checking whether a sync is due. */
const EVERY_MS = 10 * 60_000;

export interface PriceSync {
  options: Options;
  pricing: SitePricing;
  channels: { enabled(): Channel[] };
  audit: Pick<AuditChanges, "add">;
  /** Only one of several nodes fetches; when it is gone, the next one takes over. */
  isMine(): boolean;
  logger: Pick<Logger, "info" | "warn">;
  notices: Pick<Notices, "raise">;
  /** Milliseconds since the epoch. */
  nowMs(): number;
  /** Asks a source for its prices. */
  fetch?: typeof fetchPrices;
}

const areBelow = (differences: readonly PriceDifference[], percent: number): boolean =>
  differences.every((each) => each.percent !== undefined && Math.abs(each.percent) < percent);

/**
 * Whether a price may be accepted without review: the model has a price, and every part changes by less than the limit,
 * also from the last reviewed price: small steps could otherwise lead anywhere.
 */
const isSmall = (
  { state, is_locked, price, next, differences }: PriceRow,
  step: TakenPrice | undefined,
  percent: number,
): step is TakenPrice =>
  state === "changed" &&
  !is_locked &&
  price !== undefined &&
  step !== undefined &&
  areBelow(differences, percent) &&
  areBelow(priceDifferences(step.from, next), percent);

/** Maximum number of models named in a log line. */
const NAMED = 20;
const named = (rows: readonly PriceRow[]): string[] => rows.slice(0, NAMED).map(({ model }) => model);

/** Long enough to distinguish any two states of a list. */
const SUBJECT_LENGTH = 16;

/** Identifies a difference, so that it is reported once, and a new one again even before the first was reviewed. */
const subjectOf = (source: string, rows: readonly PriceRow[]): string => {
  const text = JSON.stringify(rows.map(({ model, state, fault, price }) => [model, state, fault, price]));
  return `${source} ${createHash("sha256").update(text).digest("base64url").slice(0, SUBJECT_LENGTH)}`;
};

/**
 * Compares the prices of models offered by channels with a published list, every few hours if enabled (options
 * PriceSyncSource, PriceSyncHours): logs the differences, and accepts small changes if enabled (PriceSyncAcceptBelow).
 * A series of small changes never leads further than that from the last reviewed price.
 */
export const syncingPrices = ({
  options,
  pricing,
  channels,
  audit,
  isMine,
  logger,
  notices,
  nowMs,
  fetch = fetchPrices,
}: PriceSync): Job => {
  let lastMs: number | undefined;
  const compare = async (
    source: "models.dev" | "litellm",
  ): Promise<{ rows: PriceRow[]; version: number }> => {
    const document = await fetch({ source }, nowMs(), yieldToOthers);
    const version = options.priceVersion;
    const rows = await comparePrices({
      book: pricing.book(),
      nowMs: nowMs(),
      document,
      offered: new Set(offeredModels(channels.enabled()).keys()),
      locked: lockedPrices(options),
      isOnlyOffered: true,
      yieldToOthers,
    });
    return { rows, version };
  };

  /** Accepts small changes. @returns these rows. */
  const acceptSmall = async (
    source: string,
    rows: readonly PriceRow[],
    version: number,
  ): Promise<readonly PriceRow[]> => {
    const percent = options.number("PriceSyncAcceptBelow");
    const known = readTakenPrices(options.takenPrices);
    const steps: TakenPrice[] = [];
    const small = rows.filter((row) => {
      const step = stepTo(known, row);
      const is = isSmall(row, step, percent);
      if (is) steps.push(step);
      return is;
    });
    // First stores the starting prices of the steps, because the process may be interrupted after this.
    const taken = writeTakenPrices(takenAfter(known, rows, steps));
    if (taken !== options.takenPrices) await options.putTakenPrices(taken);
    await accept(source, small, version);
    return small;
  };

  const accept = async (source: string, rows: readonly PriceRow[], version: number): Promise<void> => {
    if (rows.length === 0) return;
    const prices = Object.fromEntries(rows.map(({ model, price }) => [model, price]));
    await acceptPrices({ options, pricing, nowMs: nowMs(), yieldToOthers }, prices, version);
    const detail = JSON.stringify({ count: rows.length, models: named(rows).join(", ") });
    const who = { userId: 0, username: "", address: "" };
    await audit.add({
      ...who,
      createdAt: Math.floor(nowMs() / 1000),
      action: "prices.accept",
      target: source,
      detail,
    });
    logger.info({ source, count: rows.length, models: named(rows) }, "prices were accepted from a list");
    notices.raise({
      event: "prices-changed",
      subject: options.priceVersion,
      params: { count: rows.length, source },
    });
  };

  return {
    name: "syncing-prices",
    everyMs: EVERY_MS,
    async run() {
      const source = options.text("PriceSyncSource");
      const hours = options.number("PriceSyncHours");
      const isDue = lastMs === undefined || nowMs() - lastMs >= hours * HOUR_MS;
      if ((source !== "models.dev" && source !== "litellm") || !isDue || !isMine()) return;
      lastMs = nowMs();
      try {
        const { rows, version } = await compare(source);
        const small = await acceptSmall(source, rows, version);
        const open = rows.filter(({ state, model }) => {
          const isOpen = state === "new" || state === "changed" || state === "refused";
          return isOpen && !small.some((each) => each.model === model);
        });
        if (open.length > 0) {
          const about = { source, count: open.length, models: named(open) };
          logger.warn(about, "prices differ from a list: compare them in the settings");
          notices.raise({ event: "prices-differ", subject: subjectOf(source, open), params: about });
        }
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        logger.warn({ source, reason: error.key }, "prices could not be compared with a list");
      }
    },
  };
};
