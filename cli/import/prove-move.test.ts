import type { ImportedChannel } from "@tollgate/contract/records/imported-records";
import { describe, expect, it } from "vitest";
import { mapChannels } from "./map-channels";
import { mapOptions } from "./map-options";
import type { Move } from "./mapped";
import type { Series } from "./origin";
import { proveMove } from "./prove-move";
import type { ChannelRow, LogRow } from "./source-rows";

interface Source {
  channels?: Partial<ChannelRow>[];
  options?: Record<string, unknown>;
  lines?: Partial<LogRow>[];
  tokens?: Partial<Move["before"]["tokens"][number]>[];
  /** Changes what came of the import, as a fault of it would. */
  bend?: (channels: ImportedChannel[]) => ImportedChannel[];
}

const prove = (series: Series, { channels = [], options = {}, lines = [], tokens = [{}], bend }: Source) => {
  const origin = { series, version: undefined };
  const rows = channels.map(
    (row, index): ChannelRow => ({ id: index + 1, type: 14, key: "k", status: 1, group: "default", ...row }),
  );
  const stored = Object.entries(options).map(([key, value]) => ({ key, value: JSON.stringify(value) }));
  const { records } = mapChannels(rows, origin);
  const before: Move["before"] = {
    users: [{ id: 1, group: "default" }],
    tokens: tokens.map((token, index) => ({ id: index + 1, user_id: 1, ...token })),
    channels: rows,
    options: stored,
    lines: lines.map((line, index) => ({ id: index + 1, type: 2, user_id: 1, channel_id: 1, ...line })),
  };
  return proveMove({
    origin,
    before,
    after: {
      users: [{ id: 1, group: "default", status: 1 }],
      tokens: before.tokens.map(({ id, models, model_limits }) => ({
        id,
        userId: 1,
        status: 1,
        models: (models ?? model_limits)?.split(","),
      })),
      channels: bend ? bend(records) : records,
      options: mapOptions(stored, origin, { channels: rows, groups: new Set(["default"]) }).options,
    },
  });
};

describe("models of keys after a move", () => {
  const channels = [
    { models: "a,b" },
    { models: "c", status: 2 },
    { models: "d", group: "vip" },
    { models: "b,e", group: "default,vip" },
  ];

  it("are the same, through groups, switched-off channels and the key's own list", async () => {
    const { models } = await prove("new-api", {
      channels,
      tokens: [{}, { model_limits_enabled: true, model_limits: "a,e,nothing" }],
    });
    expect(models).toEqual({ keys: 2, differences: [] });
  });

  it("that are not the same are named, with the keys", async () => {
    const { models } = await prove("new-api", {
      channels,
      tokens: [{}, {}],
      bend: (records) =>
        records.filter(({ id }) => id !== 1).map((each) => ({ ...each, groups: ["default", "vip"] })),
    });
    expect(models.differences).toEqual([{ keys: [1, 2], missing: ["a"], added: ["d"] }]);
  });

  it("are missing where a channel had to be left out or switched off, or a key's group is not taken over", async () => {
    const left = await prove("new-api", { channels: [{ type: 36, models: "suno" }, ...channels] });
    expect(left.models.differences).toEqual([{ keys: [1], missing: ["suno"], added: [] }]);
    const group = await prove("new-api", { channels, tokens: [{ group: "vip" }] });
    expect(group.models.differences).toEqual([{ keys: [1], missing: ["d"], added: ["a"] }]);
  });
});

describe("lines of the source, priced again", () => {
  const ModelRatio = { m: 1, "claude-sonnet-4-5": 1.5 };

  it("of one-api cost the same as before", async () => {
    const { prices } = await prove("one-api-0.6", {
      options: { ModelRatio, CompletionRatio: { m: 3 }, GroupRatio: { default: 0.5 } },
      channels: [{ models: "x", model_mapping: '{"x":"m"}' }],
      lines: [
        { model_name: "m", prompt_tokens: 1000, completion_tokens: 100, quota: 650 },
        { model_name: "m", prompt_tokens: 3, completion_tokens: 1, quota: 3 },
        { model_name: "m", prompt_tokens: 3, completion_tokens: 1, quota: 4 },
      ],
    });
    expect(prices).toEqual({ lines: 3, differences: [], unknown: [] });
  });

  it("of new-api cost the same as before: by the client's name, with cached tokens", async () => {
    const other = JSON.stringify({ claude: true, cache_tokens: 10_000, cache_creation_tokens: 1000 });
    const { prices } = await prove("new-api", {
      options: { ModelRatio: { ...ModelRatio, alias: 2 }, CacheRatio: { "claude-sonnet-4-5": 0.1 } },
      channels: [{ models: "alias,claude-sonnet-4-5", model_mapping: '{"alias":"m"}' }],
      lines: [
        // Anthropic's count of the prompt leaves the cache out: 100 + 10,000 × 0.1 + 1,000 × 1.25 + 200 × 5, at 1.5.
        { model_name: "claude-sonnet-4-5", prompt_tokens: 100, completion_tokens: 200, quota: 5025, other },
        { model_name: "alias", prompt_tokens: 1000, completion_tokens: 0, quota: 2000 },
      ],
    });
    expect(prices).toEqual({ lines: 2, differences: [], unknown: [] });
  });

  it("that would cost something else are told by model, from one percent on", async () => {
    const line = { model_name: "m", prompt_tokens: 1000, completion_tokens: 0 };
    const { prices } = await prove("one-api-0.6", {
      options: { ModelRatio },
      channels: [{ models: "m" }],
      lines: [
        { ...line, quota: 1000 },
        { ...line, quota: 1010 },
        { ...line, quota: 1012 },
        { ...line, quota: 500 },
      ],
    });
    expect(prices.differences).toEqual([{ model: "m", lines: 2, before: 1512, after: 2000, example: 3 }]);
  });

  it("that cannot be priced say why", async () => {
    const { prices } = await prove("new-api", {
      options: { ModelRatio },
      channels: [{ models: "m" }],
      lines: [
        { model_name: "nobody", prompt_tokens: 1, completion_tokens: 1, quota: 5 },
        { model_name: "m", prompt_tokens: 0, completion_tokens: 0, quota: 5 },
        { model_name: "m", prompt_tokens: -1, completion_tokens: 0, quota: 5 },
        { model_name: "m", prompt_tokens: 1, completion_tokens: 0, quota: 2n ** 60n },
        { model_name: "m", prompt_tokens: 1, completion_tokens: 0, quota: 5, other: '{"web_search":true}' },
        { model_name: "m", prompt_tokens: 1, completion_tokens: 0, quota: 5, other: "not JSON" },
      ],
    });
    expect(prices.differences).toEqual([]);
    expect(prices.unknown).toEqual([
      { model: "m", reason: "says-too-little", lines: 5 },
      { model: "nobody", reason: "no-price", lines: 1 },
    ]);
  });
});
