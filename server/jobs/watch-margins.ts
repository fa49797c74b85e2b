import { hasKnownCost, marginOf, type ProfitRow, profitOf } from "@tollgate/contract/api/profit";
import { COST_UNITS } from "@tollgate/contract/values/quota";
import type { NoticeQueries } from "@tollgate/storage/accounts/site-ports";
import { HOUR_SECONDS, hourOf } from "@tollgate/storage/log/hours";
import type { ProfitQueries } from "@tollgate/storage/log/ports";
import type { Notices } from "../notices/notices";
import type { Job } from "./start-job";

const EVERY_MS = 10 * 60_000;

/** Over which times is looked, in hours: the running hour and the one before, and a day. */
const RANGES = [1, 24];

/** Losses reported per round, the largest first; the others follow in the next rounds. */
const AT_ONCE = 20;

const EVENT = "margin-negative";

export interface MarginWatch {
  profit: ProfitQueries;
  open: NoticeQueries["open"];
  notices: Pick<Notices, "raise" | "resolve">;
  channelName(id: number): string;
  /** Only one of several nodes runs this; when it is gone, the next one takes over. */
  isMine(): boolean;
  /** Unix seconds. */
  now(): number;
}

const subjectOf = ({ key, model = "" }: ProfitRow): string => `${key} ${model}`;

/**
 * Finds models of channels that cost more than they earn, over the last hour or day, from known costs. Each is reported
 * once, and once more when it is over.
 */
export const watchingMargins = ({ profit, open, notices, channelName, isMine, now }: MarginWatch): Job => {
  const findLosses = async (hours: number): Promise<ProfitRow[]> => {
    const { rows } = await profit.report(
      {
        filter: { startTimestamp: hourOf(now()) - hours * HOUR_SECONDS },
        by: "channel_model",
        order: "profit",
        isDescending: false,
        limit: 1000,
        offsetMinutes: 0,
      },
      now(),
    );
    return rows.filter((row) => hasKnownCost(row) && profitOf(row) < 0);
  };

  return {
    name: "watching-margins",
    everyMs: EVERY_MS,
    async run() {
      if (!isMine()) return;
      const losses = new Map<string, ProfitRow>();
      for (const hours of RANGES) for (const row of await findLosses(hours)) losses.set(subjectOf(row), row);
      const incidents = await open();
      const known = new Set(incidents.filter(({ event }) => event === EVENT).map(({ subject }) => subject));
      for (const subject of known) if (!losses.has(subject)) notices.resolve(EVENT, subject);
      const told = [...losses.values()].sort((a, b) => profitOf(a) - profitOf(b));
      for (const row of told.filter((each) => !known.has(subjectOf(each))).slice(0, AT_ONCE)) {
        const id = Number(row.key);
        const margin = marginOf(row);
        notices.raise({
          event: EVENT,
          subject: subjectOf(row),
          params: {
            id,
            name: channelName(id),
            model: row.model ?? "",
            revenue: row.costedRevenue,
            cost: Math.ceil(row.cost / COST_UNITS),
            margin: margin === undefined ? "–" : `${(margin * 100).toFixed(1)}%`,
          },
        });
      }
    },
  };
};
