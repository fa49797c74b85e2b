import { expect, it } from "vitest";
import type { Consistency, Each } from "../consistency";
import { remotePort } from "./remote-port";

interface Port {
  users: { find(id: number): Promise<string>; count(): Promise<number> };
  logs: { page(offset: number, limit: number): Promise<string> };
}

const WAITS: Each<Port, Consistency> = {
  users: { find: "afterJournal", count: "any" },
  logs: { page: "afterOutbox" },
};

it("a port elsewhere has the methods of its table, and each call says what it waits for", async () => {
  const calls: unknown[][] = [];
  const port = remotePort<Port, Consistency>(WAITS, async (...call) => {
    calls.push(call);
    return "answer";
  });
  expect(await port.users.find(5)).toBe("answer");
  await port.logs.page(10, 20);
  await port.users.count();
  expect(calls).toEqual([
    ["users", "find", [5], "afterJournal"],
    ["logs", "page", [10, 20], "afterOutbox"],
    ["users", "count", [], "any"],
  ]);
  // A proxy that has every name would be taken for a promise.
  expect(await port).toBe(port);
});
