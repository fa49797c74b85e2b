import { expect, it } from "vitest";
import { rowReader } from "./read-row";
import { TableRemarks } from "./table-remarks";

it("a row whose id leaves none for those who come later is left out: two of them would share one", () => {
  const remarks = new TableRemarks("users");
  const read = rowReader("users", ["id", "username"], 1000, remarks);
  expect(read([2 ** 52, "the last"])).toMatchObject({ id: 2 ** 52 });
  const beyond = [2 ** 52 + 1, Number.MAX_SAFE_INTEGER, "9007199254740993", "9223372036854775807", 0, -1];
  for (const id of beyond) expect(read([id, "beyond"])).toBeUndefined();
  expect(remarks.all()).toMatchObject([{ effect: "left-out", code: "id-invalid", count: beyond.length }]);
});
