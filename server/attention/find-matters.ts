import {
  AREA_OF_MATTER,
  MATTERS,
  MAX_NAMED,
  type Matter,
  type MatterKind,
} from "@tollgate/contract/api/attention";
import type { Channel } from "@tollgate/contract/api/channels";
import { usagePoint } from "@tollgate/contract/api/usage";
import type { NoticeEventName } from "@tollgate/contract/notices/notice-events";
import type { InvoiceFilter } from "@tollgate/contract/records/invoice-record";
import type { OpenIncident } from "@tollgate/contract/records/notice-record";
import { MAX_FILTER_IDS } from "@tollgate/contract/resource/list-filter";
import { CHANNEL_DISABLED_AUTOMATICALLY, CHANNEL_ENABLED } from "@tollgate/contract/values/statuses";
import { HOUR_SECONDS, hourOf } from "@tollgate/storage/log/hours";
import type { Services } from "../management-api/services";
import { findLosses } from "../prices/buying-table";
import { missingPrices } from "../prices/missing-prices";
import { offeredModels } from "../prices/offered-models";
import { yieldToOthers } from "../yield-to-others";

export type MatterTools = Pick<
  Services,
  "storage" | "channels" | "pricing" | "priceDrafts" | "nodes" | "now"
>;

/** Rows read of a list: the exact count of a matter beyond this is not needed. */
const MOST = 100;
const DAY_SECONDS = 86_400;
/** An order that a customer is paying is no matter: cashiers end theirs within half an hour. */
const PAYING_SECONDS = 1800;
/** Fewer failed requests are not reported: a customer's mistakes look the same. */
const LEAST_FAILED = 10;
/** Channels checked for failures: those with the most requests and the most failures. */
const WATCHED_CHANNELS = 100;

/** Names of a matter's items, and the maximum length of a list. */
interface Found {
  names: readonly string[];
  limit?: number;
  /** Number of items, where fewer are named. */
  count?: number;
  /** The ids of the names, for channels. */
  ids?: readonly number[];
}

interface Look extends MatterTools {
  incidents: readonly OpenIncident[];
  /** Whether root calls. */
  isRoot: boolean;
}

/** A whole list's names, each once, in its order. */
const namesOf = (names: Iterable<string>): string[] => [...new Set(names)];

const incidentsOf = ({ incidents }: Look, event: NoticeEventName): OpenIncident[] =>
  incidents.filter((incident) => incident.event === event && !incident.isResolved);

/** Longer reasons of a failed backup stand in the process log alone. */
const MAX_REASON = 300;

/** Folder and reason of a failed backup, as the person who settles it needs both. */
const nameBackup = (json: string): string => {
  const { place, reason } = JSON.parse(json) as { place?: string; reason?: string };
  return [place, reason?.slice(0, MAX_REASON)].filter((part) => part !== undefined && part !== "").join(": ");
};

const foundChannels = (channels: readonly Pick<Channel, "id" | "name">[]): Found => ({
  names: channels.map(({ name }) => name),
  ids: channels.map(({ id }) => id),
});

/** The channels that an open incident is about, and that are in use. */
const channelsWith = (look: Look, event: NoticeEventName): Found =>
  foundChannels(
    incidentsOf(look, event).flatMap(({ subject }) => {
      const channel = look.channels.recordOf(Number(subject))?.channel;
      return channel?.status === CHANNEL_ENABLED ? [channel] : [];
    }),
  );

const findFailingChannels = async ({ storage, channels, now }: Look): Promise<Found> => {
  const json = await storage.read.usage.pointsJson(
    {
      // Whole hours are read from the sums, and no line of the log.
      filter: { startTimestamp: hourOf(now()) - HOUR_SECONDS },
      step: "day",
      by: "channel",
      offsetMinutes: 0,
      top: WATCHED_CHANNELS,
    },
    now(),
  );
  const sums = new Map<number, { answered: number; failed: number }>();
  for (const row of JSON.parse(json) as unknown[]) {
    const point = usagePoint.read(row);
    if (!point) continue;
    const { key, requests, errors } = point;
    const sum = sums.get(Number(key)) ?? { answered: 0, failed: 0 };
    sums.set(Number(key), { answered: sum.answered + requests, failed: sum.failed + errors });
  }
  const failing = [...sums].flatMap(([id, { answered, failed }]) => {
    const channel = channels.recordOf(id)?.channel;
    const isFailing = failed >= LEAST_FAILED && failed >= answered;
    return channel?.status === CHANNEL_ENABLED && isFailing ? [channel] : [];
  });
  return foundChannels(failing);
};

/** The users of applications for invoices that match a filter. */
const invoices = async ({ storage }: Look, filter: InvoiceFilter): Promise<Found> => {
  const found = await storage.read.invoices.page(filter, 0, MOST);
  return { names: namesOf(found.map(({ username }) => username)), count: found.length, limit: MOST };
};

const FINDERS: Readonly<Record<MatterKind, (look: Look) => Found | Promise<Found>>> = {
  "backup-failed": async (look) =>
    incidentsOf(look, "backup-failed").length === 0
      ? { names: [] }
      : { names: (await look.storage.read.notices.paramsOf("backup-failed")).map(nameBackup) },

  "nodes-silent": async ({ nodes }) => ({
    names: (await nodes.all())
      .filter(({ state }) => state === "silent")
      .map(({ name, address, id }) => name ?? address ?? String(id ?? "")),
  }),

  "channels-disabled": ({ channels }) =>
    foundChannels(
      [...channels.overview()].flatMap(({ channel }) =>
        channel.status === CHANNEL_DISABLED_AUTOMATICALLY ? [channel] : [],
      ),
    ),

  "channels-failing": findFailingChannels,

  "keys-disabled": ({ channels }) =>
    foundChannels(
      [...channels.overview()].flatMap(({ channel, deadKeys }) =>
        deadKeys > 0 && channel.status === CHANNEL_ENABLED ? [channel] : [],
      ),
    ),

  "upstream-balance-low": (look) => channelsWith(look, "upstream-balance-low"),

  "sold-at-loss": async ({ channels, pricing, now }) => {
    const selling = { book: pricing.book(), nowMs: now() * 1000, yieldToOthers };
    const losses = await findLosses(selling, channels.enabled(), (id) => channels.buyingPricesOf(id));
    return { names: namesOf(losses.map(({ model }) => model)) };
  },

  "models-unpriced": ({ channels, pricing, now }) => ({
    names: missingPrices(pricing.book(), offeredModels(channels.enabled()), now() * 1000).map(
      ({ model }) => model,
    ),
  }),

  "refunds-open": async ({ storage }) => {
    const { byHand, asking } = storage.read.orders;
    const refunds = [...(await byHand(MOST)), ...(await asking(MOST))];
    return { names: refunds.map(({ order }) => order.number), limit: MOST };
  },

  "invoices-to-reverse": (look) => invoices(look, { needsReversal: true }),

  "invoices-open": (look) => invoices(look, { state: "open" }),

  "tickets-waiting": async ({ storage, isRoot }) => {
    const waiting = { filter: { state: "waiting-for-support" }, isOfCustomers: !isRoot };
    const found = await storage.read.tickets.page(waiting, 0, MOST);
    return { names: namesOf(found.map(({ username }) => username)), count: found.length, limit: MOST };
  },

  "payments-refused": async ({ storage, now }) => {
    const faults = await storage.read.orders.faults(undefined, MOST);
    const late = faults.filter(({ lastAt }) => lastAt > now() - DAY_SECONDS);
    return { names: namesOf(late.map(({ provider }) => provider)), count: late.length, limit: MOST };
  },

  "orders-open": async ({ storage, now }) => {
    const orders = await storage.read.orders.page({ state: "pending" }, 0, MOST);
    const late = orders.filter(({ createdAt }) => createdAt < now() - PAYING_SECONDS);
    return { names: late.map(({ number }) => number), limit: MOST };
  },

  "payouts-asked": async ({ storage }) => {
    const payouts = await storage.read.commissions.payouts({ state: "asked" }, 0, MOST);
    return { names: namesOf(payouts.map(({ username }) => username)), count: payouts.length, limit: MOST };
  },

  "drafts-refused": async ({ priceDrafts }) => ({
    names: (await priceDrafts.list())
      .filter(({ state, fault, conflict_count: conflicts }) =>
        state === "scheduled" ? conflicts > 0 : state === "draft" && fault !== "",
      )
      .map(({ name }) => name),
  }),

  "drafts-due": async ({ priceDrafts, now }) => ({
    names: (await priceDrafts.list())
      .filter(({ state, holds_from: at }) => state === "scheduled" && at < now() + DAY_SECONDS)
      .map(({ name }) => name),
  }),
};

/** Returns the matters that wait for a person, the costliest to ignore first. @param isRoot whether root calls. */
export const findMatters = async (tools: MatterTools, isRoot: boolean): Promise<Matter[]> => {
  const look = { ...tools, incidents: await tools.storage.read.notices.open(), isRoot };
  const matters: Matter[] = [];
  for (const kind of MATTERS) {
    if (AREA_OF_MATTER[kind] === undefined && !isRoot) continue;
    const { names, limit, ids, count = names.length } = await FINDERS[kind](look);
    if (count === 0) continue;
    const isCut = limit !== undefined && count >= limit;
    matters.push({
      kind,
      count,
      names: names.slice(0, MAX_NAMED),
      ...(ids ? { ids: ids.slice(0, MAX_FILTER_IDS) } : {}),
      ...(isCut ? { limit } : {}),
    });
  }
  return matters;
};
