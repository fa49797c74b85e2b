import { expect, it } from "vitest";
import { remotePort } from "./remote-port";

interface Port {
  users: { find(id: number): Promise<string>; count(): Promise<number> };
  logs: { page(offset: number, limit: number): Promise<string> };
}

it("a port elsewhere has every method, and is no promise", async () => {
  const calls: unknown[][] = [];
  const port = remotePort<Port>(async (...call) => {
    calls.push(call);
    return "answer";
  });
  expect(await port.users.find(5)).toBe("answer");
  await port.logs.page(10, 20);
  await port.users.count();
  expect(calls).toEqual([
    ["users", "find", [5]],
    ["logs", "page", [10, 20]],
    ["users", "count", []],
  ]);
  expect(await port).toBe(port);
  expect(await port.users).toBe(port.users);
  expect(port.users.find).toBe(port.users.find);
  // A copy would have no method at all.
  expect(() => ({ ...port.users })).toThrow();
});
