import { expect, it } from "vitest";
import { listNodes, readNodeReport } from "./nodes";

it("reads the known fields of another version's report, and no others", () => {
  const told = { name: "a", version: 7, started_at: 1.5, recent_requests: 0, memory_bytes: null, later: {} };
  expect(readNodeReport(told)).toEqual({ name: "a", recent_requests: 0 });
});

it.each([undefined, null, "", 5, []])("reads nothing of a node that told %j", (value) => {
  expect(readNodeReport(value)).toEqual({});
});

it("leaves out malformed nodes and missing figures", () => {
  const node = { id: 4, state: "live", is_this: true, heard_at: 1_800_000_000, silent_ms: 12 };
  const list = [{ ...node, leased_quota: "7", more: 1 }, { id: 5 }, { ...node, state: "asleep" }, null];
  expect(listNodes.data?.read(list)).toEqual([node]);
});
