import { describe, expect, it } from "vitest";
import { KeyedMutex } from "./keyed-mutex";

const later = () => new Promise((resolve) => setTimeout(resolve, 1));

describe("KeyedMutex", () => {
  it("never runs two steps of one key together, and keeps their order", async () => {
    const turns = new KeyedMutex<string>();
    let value = 0;
    const seen: number[] = [];
    const raise = () =>
      turns.run("a", async () => {
        const read = value;
        await later();
        value = read + 1;
        seen.push(value);
      });
    await Promise.all([raise(), raise(), raise()]);
    expect(seen).toEqual([1, 2, 3]);
  });

  it("goes on after a step that failed", async () => {
    const turns = new KeyedMutex<string>();
    const failed = turns.run("a", () => Promise.reject(new Error("no")));
    const next = turns.run("a", async () => "yes");
    await expect(failed).rejects.toThrow("no");
    await expect(next).resolves.toBe("yes");
  });

  it("lets other keys pass", async () => {
    const turns = new KeyedMutex<string>();
    void turns.run("a", () => new Promise(() => {}));
    await expect(turns.run("b", async () => 1)).resolves.toBe(1);
  });
});
