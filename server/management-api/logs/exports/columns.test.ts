import { channel } from "@tollgate/contract/api/channels";
import { invoice } from "@tollgate/contract/api/invoices";
import { ledgerEntry } from "@tollgate/contract/api/ledger";
import { log } from "@tollgate/contract/api/logs";
import { order } from "@tollgate/contract/api/orders";
import { type ProfitRowWire, profitRowWireSchema } from "@tollgate/contract/api/profit";
import { promotion } from "@tollgate/contract/api/promotions";
import { redemption } from "@tollgate/contract/api/redemptions";
import { type UsageGrouping, type UsagePointWire, usagePoint } from "@tollgate/contract/api/usage";
import { user } from "@tollgate/contract/api/user";
import { CHANNEL_LIMITS } from "@tollgate/contract/management/channel-limits";
import { LIMITS } from "@tollgate/contract/management/limits";
import { expect, it } from "vitest";
import {
  channelColumns,
  codeColumns,
  invoiceColumns,
  ledgerColumns,
  logColumns,
  orderColumns,
  profitColumns,
  promotionColumns,
  type StatementLine,
  statementColumns,
  usageColumns,
  userColumns,
} from "./columns";
import type { FileColumn } from "./file-format";

const cell = <Row>(columns: readonly FileColumn<Row>[], name: string, row: Row) =>
  columns.find((column) => column.name === name)?.of(row);

it("names the requests without a model or a channel in a file of sums", () => {
  const name = (by: UsageGrouping, point: Partial<UsagePointWire>) =>
    cell(usageColumns(String, by), "name", { name: "", ...point } as UsagePointWire);
  expect(name("model", { key: "" })).toBe("not offered");
  expect(name("channel", { key: "0" })).toBe("no channel");
  expect(name("model", { key: "gpt", name: "gpt" })).toBe("gpt");
  expect(name("channel", { key: "7" })).toBe("");
  expect(name("none", { key: "" })).toBe("");
  expect(name("model", { key: "", others: 3 })).toBe("");
});

it("names the requests without a model or a channel in a file of profit", () => {
  const row = { key: "0", name: "", model: "" } as ProfitRowWire;
  const columns = profitColumns("channel_model");
  expect([cell(columns, "name", row), cell(columns, "model", row)]).toEqual(["no channel", "not offered"]);
  expect(cell(profitColumns("channel"), "model", { key: "1", name: "main" } as ProfitRowWire)).toBe("");
});

const limitsOf = (limits: Readonly<Record<string, { readonly name: string }>>) =>
  Object.fromEntries(Object.values(limits).map(({ name }) => [name, "is a setting"]));

interface File {
  readonly file: string;
  /** The schema of its rows in answers. */
  readonly schema: unknown;
  readonly columns: readonly { readonly name: string }[];
  /** Fields of an answer that the file leaves out, with the reason. */
  readonly leftOut?: Readonly<Record<string, string>>;
}

const FILES: readonly File[] = [
  {
    file: "the log",
    schema: log.schema,
    columns: logColumns(String, String, () => undefined, String),
    leftOut: { token_id: "leads to the key's page", upstream_error: "is on the receipt" },
  },
  { file: "usage", schema: usagePoint.schema, columns: usageColumns(String, "none") },
  { file: "profit", schema: profitRowWireSchema, columns: profitColumns("none") },
  { file: "the ledger", schema: ledgerEntry.schema, columns: ledgerColumns(String, false) },
  {
    file: "users",
    schema: user.schema,
    columns: userColumns(),
    leftOut: {
      password: "is always empty",
      verification_code: "is always empty",
      access_token: "is a secret",
      aff_code: "is the user's own",
      model_aliases: "is JSON of settings",
      ...{ permission_set: "is an administrator's", permissions: "is the administrator's own" },
      ...limitsOf(LIMITS),
    },
  },
  {
    file: "channels",
    schema: channel.schema,
    columns: channelColumns(String, String),
    leftOut: {
      key: "is a secret",
      other: "means something else for each vendor",
      ...{ tag: "is a setting", test_model: "is a setting", skip_tests: "is a setting" },
      ...{ calendar: "is JSON of settings", overrides: "is JSON of settings", buying_prices: "is JSON" },
      closed_until: "changes with the calendar's windows",
      used_requests: "counts for the calendar's windows",
      typed_balance: "is in the balance",
      ...limitsOf(CHANNEL_LIMITS),
    },
  },
  {
    file: "codes",
    schema: redemption.schema,
    columns: codeColumns(String),
    leftOut: { count: "is always 0" },
  },
  { file: "promotions", schema: promotion.schema, columns: promotionColumns(String) },
  { file: "invoices", schema: invoice.schema, columns: invoiceColumns(String) },
  {
    file: "orders",
    schema: order.schema,
    columns: orderColumns(String),
    leftOut: {
      pay: "is for the buyer",
      is_late: "is for the page of the order",
      expires_time: "is for the page of the order",
      detail: "is for the page of the order",
      completed_name: "is in completed_by",
    },
  },
];

it.each(FILES)("exports each field of $file, or leaves it out for a reason", (each) => {
  const { schema, columns, leftOut = {} } = each;
  const names = columns.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  const { shape } = schema as { readonly shape: object };
  const missing = Object.keys(shape).filter((field) => !names.includes(field));
  expect(missing.sort()).toEqual(Object.keys(leftOut).sort());
});

it("adds a statement's amounts in a column that names their currency", () => {
  const line: StatementLine = { section: "charge", key: "", name: "", count: null, quota: -694_444 };
  const columnsOf = (currency: string, symbol: string, rate: string) =>
    statementColumns([line], { quotaPerUnit: 500_000, shown: { currency, symbol, rate } });
  expect(statementColumns([], undefined).map(({ name }) => name)).toEqual([
    "section",
    "key",
    "name",
    "count",
    "quota",
  ]);
  expect(columnsOf("USD", "$", "1")).toHaveLength(5);
  const columns = columnsOf("CNY", "¥", "7.2");
  expect(columns.at(-1)?.name).toBe("amount_cny");
  expect(cell(columns, "amount_cny", line)).toBe(-9.9999936);
  expect(cell(columns, "amount_cny", { ...line, quota: null })).toBeNull();
  expect(cell(columns, "quota", line)).toBe(-694_444);
});
