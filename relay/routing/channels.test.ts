import type { BuyingPrices } from "@tollgate/contract/management/buying-price";
import type { Change } from "@tollgate/contract/records/change";
import type { ChannelChange, ChannelRecord } from "@tollgate/contract/records/channel-record";
import {
  CHANNEL_DISABLED_AUTOMATICALLY,
  CHANNEL_DISABLED_BY_HAND,
  CHANNEL_ENABLED,
} from "@tollgate/contract/values/statuses";
import { channelOf } from "@tollgate/testkit/channel-of";
import { describe, expect, it } from "vitest";
import type { ChannelStore } from "../ports/directory";
import { Channels } from "./channels";

const recordOf = (id: number, key = "key-a\nkey-b"): ChannelRecord => ({
  channel: channelOf({ id }),
  key,
  deadKeys: [],
  proxy: "",
});

async function* pages(...records: ChannelRecord[]): AsyncGenerator<ChannelRecord[]> {
  yield records;
}

/** Two channels of two keys each, over a store whose calls are done in their order, when the test says so. */
const setUp = async (nowMs = () => 0, buyingPrices?: BuyingPrices) => {
  const stored = new Map([1, 2].map((id) => [id, { ...recordOf(id), buyingPrices }]));
  const written: [id: number, change: ChannelChange][] = [];
  const waiting: (() => void)[] = [];
  const state = { isBroken: false, isDisablingOn: true };
  const later = <T>(step: () => T): Promise<T> =>
    new Promise((resolve, reject) => {
      waiting.push(() => (state.isBroken ? reject(new Error("disk full")) : resolve(step())));
    });
  const store: ChannelStore = {
    create: (channels) =>
      later(() =>
        channels.map(({ key, status = CHANNEL_ENABLED }, index) => {
          const known = recordOf(10 + index, key);
          const record = { ...known, buyingPrices: undefined, channel: { ...known.channel, status } };
          stored.set(record.channel.id, record);
          return record;
        }),
      ),
    change: (id, { deadKeys, key, proxy, ...fields }) =>
      later(() => {
        written.push([id, fields]);
        const known = stored.get(id);
        if (!known) return undefined;
        const record = {
          ...known,
          channel: { ...known.channel, ...fields },
          deadKeys: deadKeys ?? known.deadKeys,
        };
        stored.set(id, record);
        // As another thread answers: a copy.
        return structuredClone(record);
      }),
    remove: (id) => later(() => void stored.delete(id)),
    removeDisabled: () =>
      later(() => {
        const ids = [...stored.values()]
          .filter(({ channel }) => channel.status !== CHANNEL_ENABLED)
          .map(({ channel }) => channel.id);
        for (const id of ids) stored.delete(id);
        return ids;
      }),
  };
  const changes: Change[] = [];
  const incidents: string[] = [];
  const errors: string[] = [];
  const channels = new Channels(store, {
    incidents: {
      channelDisabled: ({ id }) => incidents.push(`channel ${id} off`),
      keyDisabled: ({ id }) => incidents.push(`key of ${id} off`),
      channelEnabled: ({ id }) => incidents.push(`channel ${id} on`),
    },
    isDisablingOn: () => state.isDisablingOn,
    nowMs,
    announce: (change) => changes.push(change),
    reportError: (error) => errors.push(error.message),
  });
  await channels.load(pages(...structuredClone([...stored.values()])));
  const finish = async (): Promise<void> => {
    for (let step = waiting.shift(); step; step = waiting.shift()) {
      step();
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  const candidates = () => channels.candidates("default", "m").map(({ channel }) => channel.id);
  return { channels, stored, written, state, finish, candidates, changes, incidents, errors };
};

describe("a channel", () => {
  it("takes its place among the routes once it is stored, and then it is announced", async () => {
    const { channels, finish, candidates, changes } = await setUp();
    const created = channels.create([{ key: "key-c" } as Parameters<Channels["create"]>[0][number]]);
    expect(candidates()).toEqual([1, 1, 2, 2]);
    await finish();
    expect((await created).map(({ id }) => id)).toEqual([10]);
    expect(candidates()).toEqual([1, 1, 2, 2, 10]);
    const changed = channels.change(2, { models: ["other"], priority: 5 });
    await finish();
    expect((await changed)?.priority).toBe(5);
    expect(candidates()).toEqual([1, 1, 10]);
    void channels.remove(1);
    await finish();
    expect(candidates()).toEqual([10]);
    expect(channels.keysOf(1)).toEqual([]);
    expect(changes.map(({ id, what }) => `${id} ${what}`)).toEqual(["10 created", "2 changed", "1 removed"]);
  });

  it("stays unchanged and announces no change when the store fails", async () => {
    const { channels, state, finish, candidates, changes } = await setUp();
    state.isBroken = true;
    const attempts = [channels.change(1, { priority: 5 }), channels.remove(1), channels.removeDisabled()];
    const outcomes = Promise.allSettled(attempts);
    await finish();
    expect((await outcomes).map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
    expect(candidates()).toEqual([1, 1, 2, 2]);
    expect(changes).toEqual([]);
  });

  it("is chosen while its calendar has it open, and listed all the time", async () => {
    let now = Date.parse("2026-11-23T07:59:59Z");
    const { channels, finish, candidates } = await setUp(() => now);
    const hours = [{ days: [1], from: "08:00", to: "18:00" }];
    void channels.change(1, { calendar: { hours } });
    await finish();
    expect(candidates()).toEqual([2, 2]);
    expect(channels.toTest().map(({ id }) => id)).toEqual([2]);
    now += 1000;
    channels.reviewCalendars();
    expect(candidates()).toEqual([1, 1, 2, 2]);
    void channels.change(2, { calendar: { endsAt: now / 1000 + 60 } });
    await finish();
    now += 60_000;
    channels.reviewCalendars();
    expect(candidates()).toEqual([1, 1]);
    now = Date.parse("2026-11-23T18:00:00Z");
    channels.reviewCalendars();
    expect(candidates()).toEqual([]);
    expect(channels.isListed("default", "m")).toBe(true);
  });

  it("that is switched off does not come back with its hours", async () => {
    let now = Date.parse("2026-11-23T07:00:00Z");
    const { channels, finish, candidates } = await setUp(() => now);
    void channels.change(1, {
      status: CHANNEL_DISABLED_BY_HAND,
      calendar: { hours: [{ days: [1], from: "08:00", to: "18:00" }] },
    });
    await finish();
    now += 3_600_000;
    channels.reviewCalendars();
    expect(candidates()).toEqual([2, 2]);
  });

  it("is copied with its keys and its upstream's prices, and switched off", async () => {
    const upstream = { group: "", as_of: 3, prices: [{ model: "m", price: { input: 1, output: 2 } }] };
    const { channels, finish, candidates, written } = await setUp(() => 0, { rules: [], upstream });
    const copied = channels.copy(1, "copy", 5);
    await finish();
    expect(await copied).toBeDefined();
    expect(await channels.copy(99, "copy", 5)).toBeUndefined();
    expect(candidates()).toEqual([1, 1, 2, 2]);
    expect(channels.keysOf(10)).toHaveLength(2);
    expect(written).toEqual([[10, { upstreamPrices: JSON.stringify(upstream) }]]);
  });

  it("that is gone cannot be changed", async () => {
    const { channels, finish, changes } = await setUp();
    const changed = channels.change(7, { priority: 5 });
    await finish();
    expect(await changed).toBeUndefined();
    expect(changes).toEqual([]);
  });

  it("is switched off at once, also for requests under way, and stored after", async () => {
    const { channels, stored, finish, candidates, changes, incidents } = await setUp();
    const [entry] = channels.keysOf(1);
    channels.disable(1, "too slow");
    channels.disable(1, "too slow");
    expect(entry?.channel.status).toBe(CHANNEL_DISABLED_AUTOMATICALLY);
    expect(candidates()).toEqual([2, 2]);
    expect(changes).toEqual([]);
    await finish();
    expect(stored.get(1)?.channel.status).toBe(CHANNEL_DISABLED_AUTOMATICALLY);
    expect(changes).toEqual([{ of: "channel", id: 1, what: "changed" }]);
    expect(incidents).toEqual(["channel 1 off"]);
    const removed = channels.removeDisabled();
    await finish();
    expect(await removed).toEqual([1]);
    expect(channels.nameOf(1)).toBe("");
  });

  it("loses a dead key, and with the last one itself; a key that works again brings it back", async () => {
    const { channels, stored, finish, candidates, incidents } = await setUp();
    const [first, second] = channels.keysOf(1);
    if (!first || !second) throw new Error("the channel has no two keys");
    channels.reportDeadKey(first, "revoked");
    channels.reportDeadKey(first, "revoked");
    expect(candidates()).toEqual([1, 2, 2]);
    channels.reportDeadKey(second, "revoked");
    expect(candidates()).toEqual([2, 2]);
    await finish();
    expect(stored.get(1)?.deadKeys).toHaveLength(2);
    expect(channels.keysOutOfUse().map(({ id }) => id)).toEqual([first.id, second.id]);
    channels.reviveKey(second);
    await finish();
    expect(candidates()).toEqual([1, 2, 2]);
    expect(stored.get(1)).toMatchObject({
      channel: { status: CHANNEL_ENABLED },
      deadKeys: [expect.any(String)],
    });
    expect(incidents).toEqual(["key of 1 off", "channel 1 off", "channel 1 on"]);
  });

  it("keeps the gateway's own findings while an administrator's change is being stored", async () => {
    const { channels, stored, finish, candidates } = await setUp();
    const [dead] = channels.keysOf(1);
    if (!dead) throw new Error("the channel has no key");
    void channels.change(1, { priority: 5 });
    void channels.change(2, { priority: 6 });
    channels.reportDeadKey(dead, "revoked");
    channels.disable(2, "too slow");
    await finish();
    expect(candidates()).toEqual([1]);
    expect(stored.get(1)).toMatchObject({ channel: { priority: 5 }, deadKeys: [expect.any(String)] });
    // Nothing of that outlives its being stored.
    void channels.change(2, { status: CHANNEL_ENABLED, deadKeys: [] });
    await finish();
    expect(candidates()).toEqual([2, 2, 1]);
    void channels.change(1, { status: CHANNEL_DISABLED_BY_HAND });
    await finish();
    expect(candidates()).toEqual([2, 2]);
  });

  it("keeps the gateway's own findings until all of them are stored", async () => {
    const { channels, finish, candidates } = await setUp();
    const [dead] = channels.keysOf(1);
    if (!dead) throw new Error("the channel has no key");
    channels.reportDeadKey(dead, "revoked");
    void channels.change(1, { priority: 5 });
    channels.disable(1, "too slow");
    await finish();
    expect(candidates()).toEqual([2, 2]);
  });

  it("keeps its dead keys where the option says that they stay", async () => {
    const { channels, state, finish, candidates, incidents } = await setUp();
    state.isDisablingOn = false;
    for (const entry of channels.keysOf(1)) channels.reportDeadKey(entry, "revoked");
    await finish();
    expect(candidates()).toEqual([1, 1, 2, 2]);
    expect(incidents).toEqual([]);
  });

  it("that was switched off by hand stays off, whatever works again", async () => {
    const { channels, finish, candidates, incidents } = await setUp();
    const [dead] = channels.keysOf(1);
    if (!dead) throw new Error("the channel has no key");
    channels.reportDeadKey(dead, "revoked");
    void channels.change(1, { status: CHANNEL_DISABLED_BY_HAND });
    await finish();
    channels.reviveKey(dead);
    await finish();
    expect(candidates()).toEqual([2, 2]);
    expect(incidents).toEqual(["key of 1 off"]);
  });

  it("without a key that works has all of them, for a test to find out how they are", async () => {
    const { channels, finish, candidates } = await setUp();
    for (const entry of channels.keysOf(1)) channels.reportDeadKey(entry, "revoked");
    await finish();
    expect(candidates()).toEqual([2, 2]);
    expect(channels.keysOf(1)).toHaveLength(2);
  });

  it("goes on as it is in memory when a switch cannot be stored", async () => {
    const { channels, state, finish, candidates, errors, changes } = await setUp();
    state.isBroken = true;
    channels.disable(1, "too slow");
    await finish();
    expect(candidates()).toEqual([2, 2]);
    expect(errors).toEqual(["disk full"]);
    expect(changes).toEqual([]);
  });
});

describe("channels as others have stored them", () => {
  it("take their places among the routes, and those that are gone leave them", async () => {
    const { channels, changes } = await setUp();
    const target = channels.keysOf(1)[0];
    const other = { ...recordOf(3), channel: channelOf({ id: 3, priority: 9 }) };
    channels.refresh([1, 2, 3], [recordOf(1, "key-a"), other]);
    const { groups, models } = other.channel;
    const [group = "", model = ""] = [groups[0], models[0]];
    expect(channels.candidates(group, model).map(({ channel }) => channel.id)).toEqual([3, 3, 1]);
    // The same key is known by the same name: what its breaker knows of it stays.
    expect(channels.keysOf(1).map(({ id }) => id)).toEqual([target?.id]);
    expect(changes.map(({ id, what }) => `${id} ${what}`)).toEqual(["2 removed", "1 changed", "3 created"]);
  });

  it("keep the gateway's own findings that are not stored yet", async () => {
    const { channels, finish } = await setUp();
    const [dead] = channels.keysOf(1);
    if (!dead) throw new Error("there is no key");
    channels.reportDeadKey(dead, "dead");
    channels.refresh([1], [recordOf(1)]);
    expect(channels.keysOf(1)).toHaveLength(1);
    await finish();
    channels.refresh([1], [recordOf(1)]);
    expect(channels.keysOf(1)).toHaveLength(2);
  });
});

describe("the models of a key", () => {
  it("are those of its groups, each once, as far as it may use them", async () => {
    const { channels, finish } = await setUp();
    void channels.change(2, { groups: ["vip"], models: ["m", "a"] });
    await finish();
    expect(channels.modelsOfKey(["default"], undefined)).toEqual(["m"]);
    expect(channels.modelsOfKey(["default", "vip"], undefined)).toEqual(["a", "m"]);
    expect(channels.modelsOfKey(["default", "vip"], new Set(["a", "z"]))).toEqual(["a"]);
    expect(channels.modelsOfKey(["none"], undefined)).toEqual([]);
  });

  it("are offered by the key's groups, and without groups all of them", async () => {
    const { channels, finish } = await setUp();
    void channels.change(2, { groups: ["unpriced"], models: ["m", "a"] });
    await finish();
    expect([...channels.offered(new Set(["default"])).keys()]).toEqual(["m"]);
    expect([...channels.offered().keys()].sort()).toEqual(["a", "m"]);
  });
});
