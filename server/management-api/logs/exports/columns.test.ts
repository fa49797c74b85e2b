import type { ProfitRowWire } from "@tollgate/contract/api/profit";
import type { UsageGrouping, UsagePointWire } from "@tollgate/contract/api/usage";
import { expect, it } from "vitest";
import { profitColumns, usageColumns } from "./columns";
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
