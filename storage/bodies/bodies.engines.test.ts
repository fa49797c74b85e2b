import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { onEngine } from "../testing/on-engine";
import { MASTER_KEY } from "../testing/sample-records";
import type { BodySteps } from "./ports";
import { type BodiesUnderTest, newPostgresBodies, newSqliteBodies } from "./testing/bodies-under-test";
import { bodyOf, large, PLENTY } from "./testing/sample-bodies";

const newStore = onEngine({ sqlite: newSqliteBodies, postgres: newPostgresBodies });

let store: BodiesUnderTest;
let bodies: BodySteps;
let close: () => Promise<void>;

const open = async (masterKey = MASTER_KEY): Promise<void> => {
  ({ bodies, close } = await store.open(masterKey));
};

beforeEach(async () => {
  store = await newStore();
  await open();
});

afterEach(async () => {
  await close();
  store.remove();
});

const textOf = (bytes: Uint8Array | undefined): string | undefined =>
  bytes === undefined ? undefined : Buffer.from(bytes).toString();

describe("stored bodies", () => {
  it("come back unchanged, to their owner and to an administrator", async () => {
    await bodies.add(bodyOf("r1"), PLENTY);
    for (const userId of [1, undefined]) {
      const found = await bodies.find("r1", userId);
      expect(found).toMatchObject({
        ...{ requestId: "r1", userId: 1, createdAt: 1000 },
        path: "/v1/rerank",
      });
      expect(textOf(found?.request.bytes)).toBe('{"say":"hällo"}');
      expect(textOf(found?.answer.bytes)).toBe("data: 你好\n\n");
      expect(found?.answer).toMatchObject({ contentType: "text/event-stream", sizeBytes: 99, status: 200 });
    }
    expect(await bodies.find("r1", 2)).toBeUndefined();
    expect(await bodies.find("r2", undefined)).toBeUndefined();
    expect([await bodies.has("r1"), await bodies.has("r2")]).toEqual([true, false]);
  });

  it("come back without an address that was not kept", async () => {
    await bodies.add(bodyOf("r1", { path: undefined }), PLENTY);
    expect((await bodies.find("r1", 1))?.path).toBeUndefined();
  });

  it("keep only type and size of a body that is no text", async () => {
    const request = { contentType: "multipart/form-data", sizeBytes: 5000, bytes: undefined };
    await bodies.add(bodyOf("r1", { request }), PLENTY);
    const found = await bodies.find("r1", 1);
    expect(found?.request).toEqual(request);
    expect(textOf(found?.answer.bytes)).toBe("data: 你好\n\n");
  });

  it("cannot be read where they are stored, nor with another master key", async () => {
    const words = Buffer.from("a very secret prompt".repeat(20));
    const request = { contentType: "application/json", sizeBytes: words.length, bytes: words };
    await bodies.add(bodyOf("r1", { request }), PLENTY);
    await close();
    const stored = await store.stored();
    expect([stored.includes("r1"), stored.includes("secret prompt")]).toEqual([true, false]);
    await open(new Uint8Array(32).fill(8));
    await expect(bodies.find("r1", 1)).rejects.toThrow();
  });

  it("go when they are too old, in steps", async () => {
    for (let index = 0; index < 600; index += 1)
      await bodies.add(bodyOf(`old-${index}`, { createdAt: 999 }), PLENTY);
    await bodies.add(bodyOf("new"), PLENTY);
    expect(await bodies.clearBefore(1000)).toEqual({ deleted: 500, isDone: false });
    expect(await bodies.clearBefore(1000)).toEqual({ deleted: 100, isDone: true });
    expect([await bodies.has("old-0"), await bodies.has("new")]).toEqual([false, true]);
  });

  it("go with their user", async () => {
    await bodies.add(bodyOf("mine"), PLENTY);
    await bodies.add(bodyOf("theirs", { userId: 2 }), PLENTY);
    expect(await bodies.clearUser(2)).toEqual({ deleted: 1, isDone: true });
    expect([await bodies.has("mine"), await bodies.has("theirs")]).toEqual([true, false]);
  });

  it("push out the oldest where there are too many, also after a restart", async () => {
    for (let index = 1; index <= 5; index += 1) await bodies.add(large(`r${index}`, index), 350_000);
    const kept = async () => {
      const has = await Promise.all([1, 2, 3, 4, 5, 6].map((index) => bodies.has(`r${index}`)));
      return has.flatMap((isKept, index) => (isKept ? [index + 1] : []));
    };
    expect(await kept()).toEqual([3, 4, 5]);
    await close();
    await open();
    await bodies.add(large("r6", 6), 350_000);
    expect(await kept()).toEqual([4, 5, 6]);
    await bodies.add(large("larger than all", 7, 400_000), 350_000);
    expect([await kept(), await bodies.has("larger than all")]).toEqual([[], false]);
  });

  it("are stored once, whatever comes under the same id", async () => {
    await bodies.add(bodyOf("r1"), PLENTY);
    await bodies.add(bodyOf("r1", { userId: 2 }), PLENTY);
    expect((await bodies.find("r1", undefined))?.userId).toBe(1);
  });
});
