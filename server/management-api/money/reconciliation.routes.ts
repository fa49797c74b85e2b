import {
  addUpstreamTopUp,
  deleteReconciliation,
  getReconciliation,
  listBalanceMovements,
  listReconciliations,
  RECONCILIATION_SORTS,
  readBillColumns,
  reconcileBalance,
  reconcileBill,
} from "@tollgate/contract/api/reconciliations";
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
import { existing, Failure } from "../failure";
import { implement, type Route, type RouteContext, readInteger, readListPage } from "../route";
import type { Services } from "../services";
import { sharedBy } from "../shared-by";

/** Maximum rows of expected amounts: a year of some dozen models. */
const MAX_EXPECTED = 20_000;
const SAMPLE_ROWS = 5;
/** A reading before the period counts as its beginning; older ones than this are ignored. */
const LOOK_BACK_SECONDS = 31 * 86_400;

const toWire = ({ id, channelId, createdAt, createdBy, content }: ReconciliationRecord): Reconciliation => ({
  id,
  channel: channelId,
  created_at: createdAt,
  created_by: createdBy,
  ...content,
});

/** Whether a bill is being read. */
const reading = sharedBy(() => ({ isBusy: false }));

const nameOf = async (services: Services, id: number): Promise<string> => {
  const channel = existing(await services.storage.read.channels.find(id));
  return channel.name;
};

/** A file is megabytes: one at a time is enough for any number of administrators. */
const alone = async <T>(services: Services, step: () => Promise<T>): Promise<T> => {
  const files = reading(services);
  if (files.isBusy) throw new Failure("bill-busy");
  files.isBusy = true;
  try {
    return await step();
  } finally {
    files.isBusy = false;
  }
};

const keep = async (
  services: Services,
  context: RouteContext<"admin", { channel: number }>,
  content: ReconciliationContent,
): Promise<Reconciliation> => {
  const channelId = context.body.channel;
  const record = { channelId, createdAt: services.now(), createdBy: context.caller.username, content };
  const id = await services.storage.write.reconciliations.add(record);
  await audit(services, context, "reconciliation.create", channelId, {
    id,
    source: content.source,
    rows: content.rows.length,
  });
  return toWire({ id, ...record });
};

const expectedOf = (services: Services, channelId: number, from: number, to: number, offsetMinutes: number) =>
  services.storage.read.profit.report(
    {
      filter: { channelId, startTimestamp: from, endTimestamp: to },
      by: "day_model",
      order: "name",
      isDescending: false,
      limit: MAX_EXPECTED,
      offsetMinutes,
    },
    services.now(),
  );

const find = async (services: Services, id: number): Promise<ReconciliationRecord> =>
  existing(await services.storage.read.reconciliations.find(id));

/** Upstreams' bills beside expected amounts; beyond the contract. */
export const reconciliationRoutes: Route[] = [
  implement(listReconciliations, async ({ services, query }) => {
    const records = await services.storage.read.reconciliations.page(
      ...readListPage(query, RECONCILIATION_SORTS),
    );
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
  implement(getReconciliation, async ({ services, params }) => toWire(await find(services, params.id))),
  implement(deleteReconciliation, async (context) => {
    const { id } = await find(context.services, context.params.id);
    await context.services.storage.write.reconciliations.remove(id);
    await audit(context.services, context, "reconciliation.delete", id);
    return undefined;
  }),
  implement(readBillColumns, async ({ services, body }) => {
    const { columns, rows } = await alone(services, () => readBill(body.file));
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
    const channel_name = await nameOf(context.services, body.channel);
    const used = { ...body, model: body.model, offsetMinutes: body.offset_minutes };
    const conversion = {
      unitsPerUsd: parseDecimal(body.units_per_usd) ?? ONE,
      quotaPerUnit: quotaPerUnitOf(context.services.pricing.book()),
    };
    const billed = await alone(context.services, async () =>
      billedDays(await readBill(body.file), used, conversion),
    );
    const expected = await expectedOf(
      context.services,
      body.channel,
      billed.firstAt,
      billed.lastAt,
      body.offset_minutes,
    );
    // Models merged into "others" would be in no row.
    if (expected.others) throw new Failure("bill-too-large");
    return keep(context.services, context, {
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
    const channel_name = await nameOf(context.services, channel);
    const movements = await context.services.storage.read.reconciliations.movements(
      channel,
      start_timestamp - LOOK_BACK_SECONDS,
      end_timestamp,
    );
    const { used, ...range } = balanceMoved(movements, start_timestamp);
    const { total } = await expectedOf(context.services, channel, range.first_at + 1, range.last_at, 0);
    const perUnit = context.services.options.number("QuotaPerUnit");
    return keep(context.services, context, {
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
  implement(listBalanceMovements, ({ services, query }) =>
    services.storage.read.reconciliations.movements(
      readInteger(query.channel),
      readInteger(query.start_timestamp),
      readInteger(query.end_timestamp) || services.now(),
    ),
  ),
  implement(addUpstreamTopUp, async (context) => {
    const { channel, at, amount, note } = context.body;
    await nameOf(context.services, channel);
    await context.services.storage.write.reconciliations.addMovement({
      channelId: channel,
      at,
      kind: "top-up",
      amount,
      note,
    });
    await audit(context.services, context, "reconciliation.top_up", channel, { at, amount, note });
    return undefined;
  }),
];
