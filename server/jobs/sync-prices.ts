import { setImmediate as turnOfOthers } from "node:timers/promises";
import type { Channel } from "@tollgate/contract/management/channel";
import type { PriceRow } from "@tollgate/contract/management/price-sync";
import type { AuditChanges } from "@tollgate/storage/accounts/ports";
import type { Logger } from "pino";
import { Failure } from "../management-api/failure";
import type { Notices } from "../notices/notices";
import { acceptPrices } from "../prices/accept-prices";
import { comparePrices } from "../prices/compare-prices";
import { fetchPrices } from "../prices/fetch-prices";
import { lockedPrices } from "../prices/locked-prices";
import { offeredModels } from "../prices/offered-models";
import type { Options } from "../state/options";
import type { SitePricing } from "../state/pricing";
import type { Job } from "./start-job";

const HOUR_MS = 3_600_000;

/** How often is looked whether it is time. */
const EVERY_MS = 10 * 60_000;

export interface PriceSync {
  options: Options;
  pricing: SitePricing;
  channels: { enabled(): Channel[] };
  audit: Pick<AuditChanges, "add">;
  /** Of several nodes one alone asks; the next one goes on where it is gone. */
  isMine(): boolean;
  logger: Pick<Logger, "info" | "warn">;
  notices: Pick<Notices, "raise" | "resolve">;
  /** Milliseconds since the epoch. */
  nowMs(): number;
  /** Asks a source for its prices. */
  fetch?: typeof fetchPrices;
}

/** Whether a price may be accepted without anybody looking: it is charged already, and every part changes by less than so much. */
const isSmall = ({ state, is_locked, price, differences }: PriceRow, percent: number): boolean =>
  state === "changed" &&
  !is_locked &&
  price !== undefined &&
  differences.every((each) => each.percent !== undefined && Math.abs(each.percent) < percent);

/** How many models a line of the log names. */
const NAMED = 20;
const named = (rows: readonly PriceRow[]): string[] => rows.slice(0, NAMED).map(({ model }) => model);

const giveWay = async (): Promise<void> => {
  await turnOfOthers();
};

/**
 * Compares the prices of what channels offer with a published list, every few hours where the site wants it (options
 * PriceSyncSource, PriceSyncHours): says in the log what differs, and accepts small changes where that is wanted, too
 * (PriceSyncAcceptBelow).
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
    const document = await fetch({ source }, nowMs(), giveWay);
    const version = options.priceVersion;
    const rows = await comparePrices({
      book: pricing.book(),
      nowMs: nowMs(),
      document,
      offered: new Set(offeredModels(channels.enabled()).keys()),
      locked: lockedPrices(options),
      isOnlyOffered: true,
      giveWay,
    });
    return { rows, version };
  };

  const accept = async (source: string, rows: readonly PriceRow[], version: number): Promise<void> => {
    if (rows.length === 0) return;
    const prices = Object.fromEntries(rows.map(({ model, price }) => [model, price]));
    await acceptPrices({ options, pricing, nowMs: nowMs(), giveWay }, prices, version);
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
        const percent = options.number("PriceSyncAcceptBelow");
        const small = rows.filter((row) => isSmall(row, percent));
        await accept(source, small, version);
        const open = rows.filter(({ state, model }) => {
          const isOpen = state === "new" || state === "changed" || state === "refused";
          return isOpen && !small.some((each) => each.model === model);
        });
        if (open.length > 0) {
          const about = { source, count: open.length, models: named(open) };
          logger.warn(about, "prices differ from a list: compare them in the settings");
          notices.raise({ event: "prices-differ", subject: source, params: about });
        } else notices.resolve("prices-differ", source);
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        logger.warn({ source, reason: error.key }, "prices could not be compared with a list");
      }
    },
  };
};
