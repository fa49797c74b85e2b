import { randomBytes } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type OpenStorage, openBodies } from "../../open-sqlite";
import { MASTER_KEY } from "../../testing/sample-records";
import { lazyBodies } from "../lazy-bodies";
import type { StoredBody } from "../stored-body";
import type { BodyRepository } from "./bodies.repository";
import { bodyFilePath } from "./body-file";

const PLENTY = 1_000_000_000;

let folder: string;
let path: string;
let storage: OpenStorage<{ bodies: BodyRepository }>;
let bodies: BodyRepository;

const open = async (masterKey = MASTER_KEY): Promise<void> => {
  storage = await openBodies(path, masterKey);
  bodies = storage.repositories.bodies;
};

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "tollgate-bodies-"));
  path = join(folder, "test.db");
  await open();
});

afterEach(() => {
  storage.close();
  rmSync(folder, { recursive: true });
});

const bodyOf = (requestId: string, more: Partial<StoredBody> = {}): StoredBody => ({
  requestId,
  userId: 1,
  createdAt: 1000,
  request: { contentType: "application/json", sizeBytes: 15, bytes: Buffer.from('{"say":"hällo"}') },
  answer: {
    contentType: "text/event-stream",
    sizeBytes: 99,
    bytes: Buffer.from("data: 你好\n\n"),
    status: 200,
  },
  ...more,
});

/** A body that does not shrink. */
const large = (requestId: string, createdAt: number, sizeBytes = 100_000): StoredBody =>
  bodyOf(requestId, {
    createdAt,
    request: { contentType: "application/json", sizeBytes, bytes: randomBytes(sizeBytes) },
  });

const textOf = (bytes: Uint8Array | undefined): string | undefined =>
  bytes === undefined ? undefined : Buffer.from(bytes).toString();

describe("stored bodies", () => {
  it("come back as they were, to their owner and to whoever may see all", () => {
    bodies.add(bodyOf("r1"), PLENTY);
    for (const userId of [1, undefined]) {
      const found = bodies.find("r1", userId);
      expect(found).toMatchObject({ requestId: "r1", userId: 1, createdAt: 1000 });
      expect(textOf(found?.request.bytes)).toBe('{"say":"hällo"}');
      expect(textOf(found?.answer.bytes)).toBe("data: 你好\n\n");
      expect(found?.answer).toMatchObject({ contentType: "text/event-stream", sizeBytes: 99, status: 200 });
    }
    expect(bodies.find("r1", 2)).toBeUndefined();
    expect(bodies.find("r2", undefined)).toBeUndefined();
    expect([bodies.has("r1"), bodies.has("r2")]).toEqual([true, false]);
  });

  it("tell nothing but type and size of what is no text", () => {
    const request = { contentType: "multipart/form-data", sizeBytes: 5000, bytes: undefined };
    bodies.add(bodyOf("r1", { request }), PLENTY);
    const found = bodies.find("r1", 1);
    expect(found?.request).toEqual(request);
    expect(textOf(found?.answer.bytes)).toBe("data: 你好\n\n");
  });

  it("cannot be read in the file, nor with another master key", async () => {
    const words = Buffer.from("a very secret prompt".repeat(20));
    const request = { contentType: "application/json", sizeBytes: words.length, bytes: words };
    bodies.add(bodyOf("r1", { request }), PLENTY);
    storage.close();
    expect(readFileSync(bodyFilePath(path)).includes("secret prompt")).toBe(false);
    await open(new Uint8Array(32).fill(8));
    expect(() => bodies.find("r1", 1)).toThrow();
  });

  it("go when they are too old, and the file gets smaller", () => {
    for (let index = 0; index < 600; index += 1) bodies.add(large(`old-${index}`, 999, 5000), PLENTY);
    bodies.add(bodyOf("new"), PLENTY);
    /** Of the file and its write-ahead log. */
    const size = (): number =>
      ["", "-wal"].reduce((sum, end) => sum + statSync(bodyFilePath(path) + end).size, 0);
    expect(size()).toBeGreaterThan(3_000_000);
    expect(bodies.clearBefore(1000)).toEqual({ deleted: 500, isDone: false });
    expect(bodies.clearBefore(1000)).toEqual({ deleted: 100, isDone: true });
    expect([bodies.has("old-0"), bodies.has("new")]).toEqual([false, true]);
    expect(size()).toBeLessThan(300_000);
  });

  it("go with their user", () => {
    bodies.add(bodyOf("mine"), PLENTY);
    bodies.add(bodyOf("theirs", { userId: 2 }), PLENTY);
    expect(bodies.clearUser(2)).toEqual({ deleted: 1, isDone: true });
    expect([bodies.has("mine"), bodies.has("theirs")]).toEqual([true, false]);
  });

  it("push out the oldest where there are too many, also after a restart", async () => {
    for (let index = 1; index <= 5; index += 1) bodies.add(large(`r${index}`, index), 350_000);
    const kept = () => [1, 2, 3, 4, 5, 6].filter((index) => bodies.has(`r${index}`));
    expect(kept()).toEqual([3, 4, 5]);
    storage.close();
    await open();
    bodies.add(large("r6", 6), 350_000);
    expect(kept()).toEqual([4, 5, 6]);
  });

  it("are stored once, whatever comes under the same id", () => {
    bodies.add(bodyOf("r1"), PLENTY);
    bodies.add(bodyOf("r1", { userId: 2 }), PLENTY);
    expect(bodies.find("r1", undefined)?.userId).toBe(1);
  });
});

describe("the thread of the bodies", () => {
  const starting = (target: string) => {
    const starts: string[] = [];
    const lazy = lazyBodies(target, async () => {
      starts.push(target);
      // As the real one: whatever is asked of it, it takes for a method's name.
      const onThread = new Proxy({} as Record<string, unknown>, {
        get: (_, name: keyof BodyRepository) => {
          const method = bodies[name] as ((...parameters: unknown[]) => unknown) | undefined;
          if (!method) throw new Error(`the bodies have no ${name}`);
          return async (...parameters: unknown[]) => method(...parameters);
        },
      });
      return { bodies: onThread as never, close: async () => undefined };
    });
    return { lazy, starts };
  };

  it("does not start, and makes no file, while nothing is stored", async () => {
    const { lazy, starts } = starting(join(folder, "absent.sqlite"));
    expect(await lazy.has("r1")).toBe(false);
    expect(await lazy.find("r1", undefined)).toBeUndefined();
    expect(await lazy.clearBefore(9999)).toBe(0);
    expect(await lazy.clearUser(1)).toBe(0);
    await lazy.close();
    expect(starts).toEqual([]);
    expect(existsSync(join(folder, "absent.sqlite"))).toBe(false);
  });

  it("starts once with the first body, and deletes in as many steps as it takes", async () => {
    const { lazy, starts } = starting(join(folder, "absent.sqlite"));
    await Promise.all(Array.from({ length: 1001 }, (_, index) => lazy.add(bodyOf(`r${index}`), PLENTY)));
    expect(starts.length).toBe(1);
    expect(await lazy.has("r1000")).toBe(true);
    expect(await lazy.clearBefore(1001)).toBe(1001);
    expect(await lazy.has("r1000")).toBe(false);
  });

  it("is tried again after it could not start", async () => {
    let failures = 0;
    const lazy = lazyBodies(bodyFilePath(path), async () => {
      failures += 1;
      throw new Error("the disk is full");
    });
    await expect(lazy.has("r1")).rejects.toThrow("the disk is full");
    await expect(lazy.has("r1")).rejects.toThrow("the disk is full");
    expect(failures).toBe(2);
    await lazy.close();
  });
});
