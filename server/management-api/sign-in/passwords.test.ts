import { beforeEach, describe, expect, it, vi } from "vitest";
import { Failure } from "../failure";
import { hashPassword, verifyPassword } from "./passwords";

/** Hash tasks in the thread pool: now, the maximum so far, and functions that end them. */
const pool = vi.hoisted(() => ({ now: 0, most: 0, total: 0, endings: [] as (() => void)[] }));
const occupy = vi.hoisted(() => async <T>(value: T): Promise<T> => {
  pool.now += 1;
  pool.total += 1;
  pool.most = Math.max(pool.most, pool.now);
  await new Promise<void>((resolve) => pool.endings.push(resolve));
  pool.now -= 1;
  return value;
});
vi.mock("@node-rs/argon2", () => ({ hash: () => occupy("$argon2id$x"), verify: () => occupy(true) }));
vi.mock("@node-rs/bcrypt", () => ({ compare: () => occupy(true) }));

const settleAll = async (): Promise<void> => {
  for (;;) {
    await new Promise((resolve) => setImmediate(resolve));
    const ending = pool.endings.shift();
    if (!ending) return;
    ending();
  }
};

beforeEach(() => {
  pool.most = 0;
  pool.total = 0;
});

describe("hashing passwords (S6)", () => {
  it("never has more than one hash task in the thread pool, whichever kind they are", async () => {
    const tasks = [
      ...Array.from({ length: 10 }, () => hashPassword("p")),
      ...Array.from({ length: 10 }, () => verifyPassword("$argon2id$x", "p")),
      ...Array.from({ length: 10 }, () => verifyPassword("$2a$10$x", "p")),
      ...Array.from({ length: 10 }, () => verifyPassword(undefined, "p")),
    ];
    const done = Promise.all(tasks);
    await settleAll();
    await done;
    expect(pool.total).toBeGreaterThanOrEqual(40);
    expect(pool.most).toBe(1);
  });

  it("refuses with 503 when the queue is too long, and takes the next when it has become shorter", async () => {
    const outcomes = Array.from({ length: 300 }, () =>
      verifyPassword("$argon2id$x", "p").then(
        () => "checked",
        (error: unknown) => (error instanceof Failure ? `${error.status} ${error.key}` : "broken"),
      ),
    );
    await settleAll();
    const counts = new Map<string, number>();
    for (const outcome of await Promise.all(outcomes)) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
    expect(Object.fromEntries(counts)).toEqual({ checked: 65, "503 sign-in-busy": 235 });
    const next = verifyPassword("$argon2id$x", "p");
    await settleAll();
    expect(await next).toBe(true);
  });
});
