import type { IncomingMessage } from "node:http";
import type { Channel } from "@tollgate/contract/api/channels";
import { readExposition, sumOf } from "@tollgate/testkit/read-exposition";
import { describe, expect, it } from "vitest";
import type { StorageLag } from "../engines/engine";
import { createClientAddresses } from "../http/client-address";
import { METRICS } from "./catalogue";
import { createMetricsEndpoint } from "./metrics-endpoint";
import { RequestCounters } from "./request-counters";
import type { StandingSources } from "./write-standing";

const channelOf = (id: number, status: number, name = `channel ${id}`) => ({
  channel: { id, status, name } as Channel,
  deadKeys: id - 1,
});

const sourcesOf = (lag: StorageLag, channels = [channelOf(1, 1), channelOf(2, 3)]): StandingSources => ({
  isReady: () => true,
  relay: {
    begun: 7,
    standing: () => ({
      admissions: 1,
      states: new Map([["streaming", 2]]),
      holds: 2,
      heldQuota: 900,
      queued: 2,
      inUse: new Map([[7, 3]]),
      openCircuits: new Map([[2, 1]]),
    }),
  },
  channels: { overview: () => channels },
  backlog: () => ({ waiting: 1, longestMs: 1500, late: 0, failures: 3 }),
  lag: () => lag,
  waitingTexts: () => 4,
  bodyBytes: () => 5,
  eventLoopDelayMs: () => 20,
  spans: () => ({ sent: 9, dropped: 1 }),
});

const ADDRESSES = createClientAddresses("");
const requestOf = (headers: Record<string, string>, remoteAddress = "127.0.0.1"): IncomingMessage =>
  ({
    socket: { remoteAddress },
    headers: { host: "127.0.0.1:3000", ...headers },
  }) as unknown as IncomingMessage;

const endpointOf = (token?: string, sources = sourcesOf({})) =>
  createMetricsEndpoint(new RequestCounters(() => true), sources, ADDRESSES, token);

describe("who may read /metrics", () => {
  it("without a token is a caller on this machine, but not through a proxy on it", () => {
    const { refusal } = endpointOf();
    expect(refusal(requestOf({}))).toBeUndefined();
    expect(refusal(requestOf({ "x-forwarded-for": "203.0.113.5" }))).toBe("metrics-not-local");
    expect(refusal(requestOf({ host: "gateway.example.com" }))).toBe("metrics-not-local");
    expect(refusal(requestOf({}, "203.0.113.5"))).toBe("metrics-not-local");
    expect(refusal(requestOf({ authorization: "Bearer anything" }, "203.0.113.5"))).toBe("metrics-not-local");
  });

  it("with a token is any caller that presents it, also through a proxy, and no other, not even from this machine", () => {
    const { refusal } = endpointOf("0123456789abcdef");
    const far = (authorization: string) =>
      refusal(requestOf({ authorization, "x-forwarded-for": "203.0.113.5" }, "10.0.0.1"));
    expect(far("Bearer 0123456789abcdef")).toBeUndefined();
    expect(far("bearer  0123456789abcdef")).toBeUndefined();
    for (const wrong of [
      "",
      "Bearer",
      "Bearer 0123456789abcde",
      "Bearer 0123456789abcdeF",
      "0123456789abcdef",
    ])
      expect(far(wrong)).toBe("metrics-token-wrong");
    expect(refusal(requestOf({}))).toBe("metrics-token-wrong");
  });
});

describe("the text of /metrics", () => {
  it("is every metric that is declared, on an engine that has them, with the declared labels", async () => {
    const lag = {
      journalBatches: 1,
      journalBytes: 2,
      outboxBatches: 3,
      feedMs: 40,
      connections: 5,
      connectionsWaiting: 6,
      leases: { accounts: 7, quota: 8, held: 9 },
    };
    const metrics = readExposition(await endpointOf(undefined, sourcesOf(lag)).read());
    expect([...metrics.keys()].sort()).toEqual(
      Object.values(METRICS)
        .map(({ name }) => name)
        .sort(),
    );
    const declared = new Map(Object.values(METRICS).map((metric) => [metric.name as string, metric]));
    for (const [name, { kind, samples }] of metrics) {
      expect(kind).toBe(declared.get(name)?.kind);
      for (const { labels } of samples)
        if (kind !== "histogram") expect(Object.keys(labels)).toEqual(declared.get(name)?.labels);
    }
    expect(sumOf(metrics, "tollgate_feed_lag_seconds")).toBe(0.04);
    expect(sumOf(metrics, "tollgate_charge_wait_seconds")).toBe(1.5);
    expect(sumOf(metrics, "tollgate_channel_enabled", { channel: "2" })).toBe(0);
    expect(sumOf(metrics, "tollgate_channels", { status: "disabled_automatically" })).toBe(1);
    expect(sumOf(metrics, "tollgate_spans_total", { outcome: "dropped" })).toBe(1);
  });

  it("leaves out figures that an engine does not have", async () => {
    const metrics = readExposition(await endpointOf(undefined, sourcesOf({ journalBatches: 0 })).read());
    expect(metrics.has("tollgate_journal_batches")).toBe(true);
    expect(metrics.has("tollgate_leased_quota")).toBe(false);
    expect(metrics.has("tollgate_feed_lag_seconds")).toBe(false);
  });

  it("keeps to its format whatever channels are called, and tells a thousand of them one by one", async () => {
    const name = '"\n\\\u0000# HELP x';
    const channels = Array.from({ length: 3000 }, (_, index) => channelOf(index + 1, 1, name));
    const metrics = readExposition(await endpointOf(undefined, sourcesOf({}, channels)).read());
    expect(metrics.get("tollgate_channel_info")?.samples.length).toBe(1000);
    expect(sumOf(metrics, "tollgate_channels", { status: "enabled" })).toBe(3000);
    expect(metrics.get("tollgate_channel_info")?.samples[0]?.labels.name).toBe('"\n\\\uFFFD# HELP x');
  });

  it("is written once for all who ask at the same time", async () => {
    let reads = 0;
    const sources = sourcesOf({});
    const endpoint = endpointOf(undefined, {
      ...sources,
      lag() {
        reads += 1;
        return {};
      },
    });
    const texts = await Promise.all([endpoint.read(), endpoint.read(), endpoint.read()]);
    expect(new Set(texts).size).toBe(1);
    expect(reads).toBe(1);
    await endpoint.read();
    expect(reads).toBe(2);
  });
});
