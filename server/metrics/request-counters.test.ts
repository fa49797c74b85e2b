import { NO_USAGE } from "@tollgate/contract/relay/usage";
import type { AttemptRecord, ChargeRecord } from "@tollgate/relay/ports/charges";
import type { ApiKey } from "@tollgate/relay/ports/directory";
import { chargeRecordOf } from "@tollgate/relay/testing/charge-record-of";
import { readExposition, sumOf } from "@tollgate/testkit/read-exposition";
import { describe, expect, it } from "vitest";
import { METRICS } from "./catalogue";
import { RequestCounters, type SeriesLimits } from "./request-counters";

const ACCOUNT = { id: 1, quota: 1, held: 0, isUnlimited: false };
const KEY: ApiKey = {
  id: 2,
  name: "k",
  status: 1,
  expiredTime: -1,
  account: ACCOUNT,
  user: { id: 1, username: "alice", role: 1, status: 1, groups: ["default"], account: ACCOUNT },
};

const recordOf = (more: Partial<ChargeRecord> = {}): ChargeRecord =>
  chargeRecordOf(KEY, { requestedModel: "gpt-4o", ...more });

const attemptOf = (channelId: number, outcome: string, firstByteMs?: number): AttemptRecord => ({
  channelId,
  outcome,
  status: 200,
  startedMs: 0,
  firstByteMs,
  durationMs: 10,
});

/** Offers models that begin with "gpt". */
const setUp = (limits?: SeriesLimits) => {
  const asked: string[] = [];
  const counters = new RequestCounters(({ requestedModel }) => {
    asked.push(requestedModel);
    return requestedModel.startsWith("gpt");
  }, limits);
  const text = (): string => [...counters.write()].join("");
  return { counters, asked, text, read: () => readExposition(text()) };
};

describe("RequestCounters", () => {
  it("adds up charges and failures, by model and channel", () => {
    const { counters, read } = setUp();
    const usage = { ...NO_USAGE, cacheReadTokens: 7, reasoningTokens: 3 };
    counters.charged(recordOf({ promptTokens: 10, completionTokens: 5, usage }), 40);
    counters.charged(recordOf({ promptTokens: 1, completionTokens: 1, channelId: 2 }), 2);
    counters.failed(recordOf({ end: "failed", channelId: 0 }));
    counters.charged(recordOf({ protocol: "anthropic-messages", operation: "chat" }), 1);
    const metrics = read();
    const model = "gpt-4o";
    expect(sumOf(metrics, "tollgate_requests_total")).toBe(4);
    expect(sumOf(metrics, "tollgate_requests_total", { outcome: "failed", channel: "none" })).toBe(1);
    expect(sumOf(metrics, "tollgate_requests_total", { protocol: "anthropic-messages" })).toBe(1);
    expect(sumOf(metrics, "tollgate_tokens_total", { model, channel: "1", direction: "input" })).toBe(11);
    expect(sumOf(metrics, "tollgate_tokens_total", { model, direction: "output" })).toBe(7);
    expect(sumOf(metrics, "tollgate_token_parts_total", { part: "cache_read" })).toBe(7);
    expect(sumOf(metrics, "tollgate_token_parts_total", { part: "reasoning" })).toBe(3);
    expect(sumOf(metrics, "tollgate_quota_charged_total", { model, channel: "1" })).toBe(41);
    expect(sumOf(metrics, "tollgate_quota_charged_total")).toBe(43);
  });

  it("counts the shortfall of balances, less the amounts that were taken in the end", () => {
    const { counters, read } = setUp();
    counters.charged(recordOf({ quota: 10, shortfall: 5 }), 10);
    counters.charged(recordOf({ quota: 10, shortfall: 5 }), 13);
    expect(sumOf(read(), "tollgate_quota_shortfall_total")).toBe(7);
    expect(sumOf(read(), "tollgate_quota_charged_total")).toBe(23);
  });

  it("spreads durations over buckets, of streams also the time to the first byte, and of each try", () => {
    const { counters, read } = setUp();
    counters.charged(recordOf({ durationMs: 50 }), 1);
    const attempts = [attemptOf(1, "overloaded", 20), attemptOf(2, "ok", 700), attemptOf(2, "network")];
    counters.charged(recordOf({ isStream: true, durationMs: 700_000, firstByteMs: 900, attempts }), 1);
    const metrics = read();
    const name = "tollgate_request_duration_seconds";
    const bucketOf = (stream: string, le: string): number | undefined =>
      metrics
        .get(name)
        ?.samples.find(
          ({ labels }) => labels.stream === stream && labels.le === le && labels.model === "gpt-4o",
        )?.value;
    expect([bucketOf("false", "0.05"), bucketOf("false", "+Inf")]).toEqual([1, 1]);
    expect([bucketOf("true", "600"), bucketOf("true", "+Inf")]).toEqual([0, 1]);
    const sums = metrics.get(name)?.samples.filter(({ name: each }) => each === `${name}_sum`) ?? [];
    expect(sums.reduce((sum, { value }) => sum + value, 0)).toBeCloseTo(700.05);
    expect(sumOf(metrics, "tollgate_upstream_attempts_total", { channel: "2" })).toBe(2);
    expect(sumOf(metrics, "tollgate_upstream_attempts_total", { outcome: "overloaded" })).toBe(1);
  });

  it("makes no series of names that no channel offers, however many", () => {
    const { counters, text, read } = setUp();
    for (let i = 0; i < 10_000; i += 1)
      counters.failed(recordOf({ requestedModel: `hostile-${i}`, channelId: 0, end: "failed" }));
    expect(sumOf(read(), "tollgate_requests_total", { model: "other" })).toBe(10_000);
    expect(text()).not.toContain("hostile");
    expect(text().split("\n").length).toBeLessThan(200);
  });

  it("asks once of a name that is offered", () => {
    const { counters, asked } = setUp();
    for (let i = 0; i < 3; i += 1) counters.charged(recordOf(), 1);
    expect(asked).toEqual(["gpt-4o"]);
  });

  it("has a limit of series, and counts the rest together", () => {
    const { counters, read } = setUp({ pairs: 3, models: 2, channels: 2 });
    for (const requestedModel of ["gpt-a", "gpt-b", "gpt-c"])
      for (const channelId of [1, 2, 3])
        counters.charged(recordOf({ requestedModel, channelId, attempts: [attemptOf(channelId, "ok")] }), 5);
    const metrics = read();
    expect(sumOf(metrics, "tollgate_quota_charged_total")).toBe(45);
    expect(sumOf(metrics, "tollgate_upstream_attempts_total")).toBe(9);
    expect(sumOf(metrics, "tollgate_label_overflow_total")).toBeGreaterThan(0);
    const names = (name: string, label: string) =>
      new Set(metrics.get(name)?.samples.map(({ labels }) => labels[label]));
    expect(names("tollgate_quota_charged_total", "model")).toEqual(new Set(["gpt-a", "other"]));
    expect(names("tollgate_upstream_attempts_total", "channel")).toEqual(new Set(["1", "2", "other"]));
  });

  it.each([
    ["quotes and backslashes", 'gpt "x" \\ \\n'],
    ["line feeds", "gpt\nx 1\n# HELP y z"],
    ["NUL and other control characters", "gpt\u0000\u001b[31m\r\u0085"],
    ["half of a pair", "gpt\ud800"],
    ["length", `gpt${"x".repeat(100_000)}`],
    ["what stands for others", "gpt other"],
  ])("writes a text that can be read for a model named with %s", (_, requestedModel) => {
    const { counters, text, read } = setUp();
    counters.charged(recordOf({ requestedModel, promptTokens: 4 }), 9);
    const model = [...(read().get("tollgate_quota_charged_total")?.samples ?? [])][0]?.labels.model ?? "";
    expect(model.slice(0, 3)).toBe("gpt");
    expect(model.length).toBeLessThanOrEqual(201);
    expect(/[\p{Cc}]/u.test(text().replaceAll("\n", ""))).toBe(false);
    expect(sumOf(read(), "tollgate_quota_charged_total", { model })).toBe(9);
  });

  it("counts names together that differ only in unshown characters, and one that is called other with the others", () => {
    const { counters, read } = setUp();
    const offered = new RequestCounters(() => true);
    offered.charged(recordOf({ requestedModel: "other" }), 1);
    expect(sumOf(readExposition([...offered.write()].join("")), "tollgate_quota_charged_total")).toBe(1);
    for (const requestedModel of [
      "gpt\u0000",
      "gpt\u0001",
      `gpt${"a".repeat(300)}b`,
      `gpt${"a".repeat(300)}c`,
    ])
      counters.charged(recordOf({ requestedModel }), 1);
    expect(
      read()
        .get("tollgate_quota_charged_total")
        ?.samples.map(({ value }) => value),
    ).toEqual([2, 2]);
  });

  it("counts refusals by code, and charges that are lost", () => {
    const { counters, read } = setUp();
    counters.refused("model-unknown");
    counters.refused("model-unknown");
    counters.lost(recordOf({ quota: 12 }));
    expect(sumOf(read(), "tollgate_refusals_total", { code: "model-unknown" })).toBe(2);
    expect(sumOf(read(), "tollgate_lost_charges_total")).toBe(1);
    expect(sumOf(read(), "tollgate_lost_quota_total")).toBe(12);
  });

  it("writes each metric with the labels that it is declared with", () => {
    const { counters, read } = setUp();
    const attempts = [attemptOf(1, "ok", 5)];
    const usage = { ...NO_USAGE, cacheReadTokens: 1 };
    counters.charged(recordOf({ isStream: true, firstByteMs: 1, attempts, usage, shortfall: 1 }), 1);
    counters.refused("internal");
    const declared = new Map(Object.values(METRICS).map((metric) => [metric.name as string, metric]));
    for (const [name, { kind, help, samples }] of read()) {
      expect(declared.get(name)).toMatchObject({ kind, help });
      for (const { labels } of samples) {
        const { le: _, ...own } = labels;
        expect(Object.keys(own).sort()).toEqual([...(declared.get(name)?.labels ?? [])].sort());
      }
    }
  });
});
