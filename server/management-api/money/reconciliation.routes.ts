import {
  addUpstreamTopUp,
  deleteReconciliation,
  getReconciliation,
  listBalanceMovements,
  listReconciliations,
  readBillColumns,
  reconcileBalance,
  reconcileBill,
} from "@tollgate/contract/api/reconciliations";
import { PAGE_SIZE } from "@tollgate/contract/management/envelope";
import {
  type Reconciliation,
  type ReconciliationContent,
  sumReconciled,
} from "@tollgate/contract/management/reconciliation";
import type { ReconciliationRecord } from "@tollgate/contract/records/reconciliation-record";
import { ONE, parseDecimal } from "@tollgate/contract/values/decimal";
import { quotaPerUnitOf } from "@tollgate/metering/price";
import { presetFor } from "@tollgate/vendors/slim/bill-presets";
import { readBill } from "../../reconciliation/read-bill";
import { balanceMoved, billedDays, billedOfBalance, compareBill } from "../../reconciliation/reconcile";
import { audit } from "../audit";
import { Failure } from "../failure";
import { implement, type Route, type RouteContext, readInteger, readPage } from "../route";
import type { Services } from "../services";

/** Rows of what was expected: a year of some dozen models. */
const MAX_EXPECTED = 20_000;
const SAMPLE_ROWS = 5;
/** A reading that is older than the time that is asked for counts as its beginning; so far back is looked. */
const LOOK_BACK_SECONDS = 31 * 86_400;

const toWire = ({ id, channelId, createdAt, createdBy, content }: ReconciliationRecord): Reconciliation => ({
  id,
  channel: channelId,
  created_at: createdAt,
  created_by: createdBy,
  ...content,
});

/** What upstreams bill beside what was expected; beyond the contract. */
export const reconciliationRoutes = (services: Services): Route[] => {
  const { storage, options, pricing, now } = services;
  let isReading = false;

  const nameOf = async (id: number): Promise<string> => {
    const channel = await storage.read.channels.find(id);
    if (!channel) throw new Failure("record-not-found");
    return channel.name;
  };

  /** A file is megabytes: one at a time is enough for any number of administrators. */
  const alone = async <T>(step: () => Promise<T>): Promise<T> => {
    if (isReading) throw new Failure("bill-busy");
    isReading = true;
    try {
      return await step();
    } finally {
      isReading = false;
    }
  };

  const keep = async (
    context: RouteContext<"admin", { channel: number }>,
    content: ReconciliationContent,
  ): Promise<Reconciliation> => {
    const channelId = context.body.channel;
    const record = { channelId, createdAt: now(), createdBy: context.caller.username, content };
    const id = await storage.write.reconciliations.add(record);
    await audit(services, context, "reconciliation.create", channelId, {
      id,
      source: content.source,
      rows: content.rows.length,
    });
    return toWire({ id, ...record });
  };

  const expectedOf = (channelId: number, from: number, to: number, offsetMinutes: number) =>
    storage.read.profit.report(
      {
        filter: { channelId, startTimestamp: from, endTimestamp: to },
        by: "day_model",
        order: "name",
        isDescending: false,
        limit: MAX_EXPECTED,
        offsetMinutes,
      },
      now(),
    );

  const find = async (id: number): Promise<ReconciliationRecord> => {
    const record = await storage.read.reconciliations.find(id);
    if (!record) throw new Failure("record-not-found");
    return record;
  };

  return [
    implement(listReconciliations, async ({ query }) => {
      const records = await storage.read.reconciliations.page(readPage(query) * PAGE_SIZE, PAGE_SIZE);
      return records.map(({ id, channelId, createdAt, createdBy, content }) => ({
        id,
        channel: channelId,
        channel_name: content.channel_name,
        created_at: createdAt,
        created_by: createdBy,
        source: content.source,
        first_at: content.first_at,
        last_at: content.last_at,
        ...sumReconciled(content.rows),
      }));
    }),
    implement(getReconciliation, async ({ params }) => toWire(await find(params.id))),
    implement(deleteReconciliation, async (context) => {
      const { id } = await find(context.params.id);
      await storage.write.reconciliations.remove(id);
      await audit(services, context, "reconciliation.delete", id);
      return undefined;
    }),
    implement(readBillColumns, async ({ body }) => {
      const { columns, rows } = await alone(() => readBill(body.file));
      const preset = presetFor(columns)?.name;
      return {
        columns,
        rows: rows.length,
        sample: rows.slice(0, SAMPLE_ROWS),
        ...(preset === undefined ? {} : { preset }),
      };
    }),
    implement(reconcileBill, async (context) => {
      const { body } = context;
      const channel_name = await nameOf(body.channel);
      const used = { ...body, model: body.model, offsetMinutes: body.offset_minutes };
      const conversion = {
        unitsPerUsd: parseDecimal(body.units_per_usd) ?? ONE,
        quotaPerUnit: quotaPerUnitOf(pricing.book()),
      };
      const billed = await alone(async () => billedDays(await readBill(body.file), used, conversion));
      const expected = await expectedOf(body.channel, billed.firstAt, billed.lastAt, body.offset_minutes);
      // What is not told apart would stand in no row.
      if (expected.others) throw new Failure("bill-too-large");
      return keep(context, {
        source: "csv",
        channel_name,
        first_at: billed.firstAt,
        last_at: billed.lastAt,
        threshold_percent: body.threshold_percent,
        unreadable: billed.unreadable,
        rows: compareBill(billed, expected, body.model !== undefined),
      });
    }),
    implement(reconcileBalance, async (context) => {
      const { channel, start_timestamp, end_timestamp, units_per_usd, threshold_percent } = context.body;
      const channel_name = await nameOf(channel);
      const movements = await storage.read.reconciliations.movements(
        channel,
        start_timestamp - LOOK_BACK_SECONDS,
        end_timestamp,
      );
      const { used, ...range } = balanceMoved(movements, start_timestamp);
      const { total } = await expectedOf(channel, range.first_at + 1, range.last_at, 0);
      const perUnit = options.number("QuotaPerUnit");
      return keep(context, {
        source: "balance",
        channel_name,
        ...range,
        threshold_percent,
        unreadable: 0,
        rows: [
          {
            day: "",
            model: "",
            expected: total.cost,
            billed: billedOfBalance(used, units_per_usd, perUnit),
            unknown_requests: total.requests - total.costedRequests,
          },
        ],
      });
    }),
    implement(listBalanceMovements, ({ query }) =>
      storage.read.reconciliations.movements(
        readInteger(query.channel),
        readInteger(query.start_timestamp),
        readInteger(query.end_timestamp) || now(),
      ),
    ),
    implement(addUpstreamTopUp, async (context) => {
      const { channel, at, amount, note } = context.body;
      await nameOf(channel);
      await storage.write.reconciliations.addMovement({
        channelId: channel,
        at,
        kind: "top-up",
        amount,
        note,
      });
      await audit(services, context, "reconciliation.top_up", channel, { at, amount, note });
      return undefined;
    }),
  ];
};
