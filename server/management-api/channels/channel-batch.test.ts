import { channelsBodySchema } from "@tollgate/contract/api/channel-batches";
import type { Channel } from "@tollgate/contract/api/channels";
import type { ChannelChange } from "@tollgate/contract/records/channel-record";
import { channelOf } from "@tollgate/testkit/channel-of";
import { describe, expect, it } from "vitest";
import { Failure } from "../failure";
import { changeMany, tagsOf } from "./channel-batch";

const setUp = () => {
  const world = new Map<number, Channel>(
    [
      channelOf({ id: 1, tag: "pool", models: ["a", "b"] }),
      channelOf({ id: 2, tag: "pool", models: ["b"], status: 2 }),
      channelOf({ id: 3, models: ["c"] }),
    ].map((channel) => [channel.id, channel]),
  );
  const told: string[] = [];
  const channels = {
    *overview() {
      for (const channel of world.values()) yield { channel };
    },
    async change(id: number, change: ChannelChange) {
      const known = world.get(id);
      if (!known) return undefined;
      const { key: _, deadKeys: __, windows: ___, ...fields } = change;
      world.set(id, { ...known, ...fields });
      return world.get(id);
    },
    async remove(id: number) {
      world.delete(id);
    },
  };
  const change = (body: unknown) =>
    changeMany(
      channelsBodySchema.parse(body),
      channels,
      ({ key }) => key,
      async ({ id }, what) => void told.push(`${id} ${what === "deleted" ? what : "changed"}`),
    );
  return { world, channels, change, told };
};

describe("one change of many channels", () => {
  it("is made to those that are named, or to those of a tag", async () => {
    const { world, change, told } = setUp();
    expect(await change({ ids: [1, 3, 99], action: "disable" })).toEqual({ done: 2, failed: [] });
    expect([...world.values()].map(({ status }) => status)).toEqual([2, 2, 2]);
    expect(
      await change({ tag: " pool ", action: "edit", change: { priority: 7, group: "vip,default" } }),
    ).toEqual({
      done: 2,
      failed: [],
    });
    expect(world.get(2)).toMatchObject({ priority: 7, groups: ["vip", "default"] });
    expect(world.get(3)?.priority).toBe(0);
    await change({ tag: "pool", action: "delete" });
    expect([...world.keys()]).toEqual([3]);
    expect(told.slice(-2)).toEqual(["1 deleted", "2 deleted"]);
  });

  it("adds models and takes models away, and leaves no channel without any", async () => {
    const { world, change } = setUp();
    const answer = await change({
      ids: [1, 2],
      action: "edit",
      change: { add_models: "", remove_models: "b" },
    });
    expect(answer).toEqual({
      done: 1,
      failed: [{ id: 2, name: "channel 2", reason: "channel-models-missing" }],
    });
    expect(world.get(1)?.models).toEqual(["a"]);
    expect(world.get(2)?.models).toEqual(["b"]);
    await change({ ids: [1, 2], action: "edit", change: { add_models: "d, a,d" } });
    expect(world.get(1)?.models).toEqual(["a", "d"]);
    expect(world.get(2)?.models).toEqual(["b", "d", "a"]);
  });

  it.each([
    { action: "edit", change: { priority: 1 } },
    { ids: [1], tag: "pool", action: "disable" },
    { ids: [], action: "disable" },
    { tag: "nobody", action: "disable" },
    { ids: [1], action: "edit" },
    { ids: [1], action: "edit", change: {} },
    { ids: [1], action: "edit", change: { models: "x", add_models: "y" } },
  ])("is refused where it says nothing that could be done: %j", async (body) => {
    const { change, told } = setUp();
    const outcome = await change(body).catch((failure: unknown) => failure);
    expect(outcome instanceof Failure || (outcome as { done: number }).done === 0).toBe(true);
    expect(told).toEqual([]);
  });

  it("says which tags there are", () => {
    const { channels } = setUp();
    expect(tagsOf(channels)).toEqual([{ tag: "pool", count: 2, enabled: 1 }]);
  });

  it("says of more than a thousand tags which most channels have, by name", () => {
    const { world, channels } = setUp();
    world.clear();
    const once = Array.from({ length: 1500 }, (_, index) => `tag ${10_000 + index}`);
    for (const [id, tag] of [...once, "z often", "z often"].entries()) world.set(id, channelOf({ id, tag }));
    expect(tagsOf(channels).map(({ tag }) => tag)).toEqual([...once.slice(0, 999), "z often"]);
    expect(tagsOf(channels, "tag 11499")).toEqual([{ tag: "tag 11499", count: 1, enabled: 1 }]);
  });
});
