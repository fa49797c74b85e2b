import { existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type OpenStorage, openBodies } from "../../open-sqlite";
import { MASTER_KEY } from "../../testing/sample-records";
import { lazyBodies } from "../lazy-bodies";
import { bodyOf, large, PLENTY } from "../testing/sample-bodies";
import type { BodyRepository } from "./bodies.repository";
import { bodyFilePath } from "./body-file";

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

describe("the file of the bodies", () => {
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
