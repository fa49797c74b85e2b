import type { IncomingMessage } from "node:http";
import { NO_USAGE } from "@tollgate/contract/relay/usage";
import type { AttemptRecord } from "@tollgate/relay/ports/charges";
import type { ApiKey } from "@tollgate/relay/ports/directory";
import { chargeRecordOf } from "@tollgate/relay/testing/charge-record-of";
import { describe, expect, it } from "vitest";
import type { SamplerName } from "./sampler";
import { Tracer } from "./tracer";

const TRACE = "0af7651916cd43dd8448eb211c80319c";
const CALLER = "b7ad6b7169203331";
const ACCOUNT = { id: 1, quota: 1, held: 0, isUnlimited: false };
const KEY: ApiKey = {
  id: 2,
  name: "the name of a key",
  status: 1,
  expiredTime: -1,
  account: ACCOUNT,
  user: { id: 1, username: "alice", role: 1, status: 1, groups: ["default"], account: ACCOUNT },
};

const attemptOf = (channelId: number, outcome: string, startedMs: number): AttemptRecord => ({
  channelId,
  outcome,
  status: outcome === "ok" ? 200 : 503,
  startedMs,
  firstByteMs: 10,
  durationMs: 50,
});

interface WireSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  status: { code?: number };
  attributes: { key: string; value: Record<string, unknown> }[];
}

const setUp = (sampler: SamplerName = "parentbased_always_on", sendsContext = false) => {
  const spans: WireSpan[] = [];
  const clock = { ms: 1_700_000_000_000 };
  const tracer = new Tracer({
    settings: { sampler, ratio: 1, sendsContext },
    exporter: { add: (json) => spans.push(JSON.parse(json) as WireSpan) },
    findChannel: (id) =>
      id === 9
        ? undefined
        : { provider: "openai", origin: "https://api.example.com", modelOf: (model) => `${model}-up` },
    now: () => clock.ms,
  });
  const begin = (traceparent?: string, url = "/v1/chat/completions?key=sk-secret", isRelayed = true) =>
    tracer.begin(
      { url, method: "POST", headers: traceparent ? { traceparent } : {} } as unknown as IncomingMessage,
      "req-1",
      isRelayed,
    );
  const attributes = (span: WireSpan | undefined): Record<string, unknown> =>
    Object.fromEntries(span?.attributes.map(({ key, value }) => [key, Object.values(value)[0]]) ?? []);
  const record = (more: Partial<Parameters<typeof chargeRecordOf>[1]> = {}) =>
    chargeRecordOf(KEY, { requestedModel: "gpt-4o", startedAtMs: clock.ms + 5, ...more });
  return { spans, clock, begin, attributes, record };
};

describe("the trace of a request", () => {
  it("is a span with a child for each attempt, below the caller's span, told once the answer has ended", () => {
    const { spans, clock, begin, attributes, record } = setUp();
    const trace = begin(`00-${TRACE}-${CALLER}-01`);
    const usage = { ...NO_USAGE, cacheReadTokens: 3 };
    const attempts = [attemptOf(1, "overloaded", 0), attemptOf(2, "ok", 60)];
    const charge = record({
      attempts,
      usage,
      promptTokens: 7,
      completionTokens: 2,
      isStream: true,
      firstByteMs: 80,
    });
    trace?.ended(charge, 40);
    expect(spans).toEqual([]);
    clock.ms += 200;
    trace?.closed(200);
    trace?.closed(200);
    const [request, failed, answered] = spans;
    expect(spans.length).toBe(3);
    expect(request).toMatchObject({ traceId: TRACE, parentSpanId: CALLER, kind: 2, status: {} });
    expect(request?.name).toBe("POST /v1/chat/completions");
    expect(request?.startTimeUnixNano).toBe("1700000000000000000");
    expect(request?.endTimeUnixNano).toBe("1700000000200000000");
    expect(attributes(request)).toMatchObject({
      "http.response.status_code": "200",
      "tollgate.request_id": "req-1",
      "tollgate.outcome": "complete",
      "tollgate.model": "gpt-4o",
      "tollgate.user.id": "1",
      "tollgate.quota": "40",
      "tollgate.attempts": "2",
    });
    for (const child of [failed, answered])
      expect(child).toMatchObject({
        traceId: TRACE,
        parentSpanId: request?.spanId,
        kind: 3,
        name: "chat gpt-4o-up",
      });
    expect(failed?.status).toEqual({ code: 2 });
    expect(attributes(failed)).toMatchObject({ "error.type": "overloaded", "tollgate.channel.id": "1" });
    expect(attributes(failed)["gen_ai.usage.input_tokens"]).toBeUndefined();
    expect(answered?.status).toEqual({});
    expect(answered?.startTimeUnixNano).toBe("1700000000065000000");
    expect(attributes(answered)).toMatchObject({
      "gen_ai.operation.name": "chat",
      "gen_ai.provider.name": "openai",
      "gen_ai.request.model": "gpt-4o-up",
      "gen_ai.usage.input_tokens": "7",
      "gen_ai.usage.output_tokens": "2",
      "gen_ai.usage.cache_read.input_tokens": "3",
      "gen_ai.response.time_to_first_chunk": 0.02,
      "server.address": "api.example.com",
      "server.port": "443",
    });
    expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(3);
    expect(JSON.stringify(spans)).not.toMatch(/sk-secret|alice|the name of a key/);
  });

  it("is told where the charge comes after the end, as with a database that is slow", () => {
    const { spans, begin, record } = setUp();
    const trace = begin();
    trace?.refused("storage-interrupted");
    trace?.closed(200);
    expect(spans).toEqual([]);
    trace?.ended(record({ attempts: [attemptOf(1, "ok", 0)] }), 5);
    expect(spans.length).toBe(2);
  });

  it("is a span with the reason when a request is refused before a channel is asked", () => {
    const { spans, begin, attributes, record } = setUp();
    const trace = begin();
    trace?.refused("token-invalid");
    trace?.closed(401);
    expect(spans.length).toBe(1);
    expect(attributes(spans[0])).toMatchObject({
      "error.type": "token-invalid",
      "tollgate.outcome": "failed",
    });
    // The client's own mistake is no error of this server.
    expect(spans[0]?.status).toEqual({});
    const failing = begin();
    failing?.refused("upstream-failed");
    failing?.ended(record({ end: "failed" }), undefined);
    failing?.closed(502);
    expect(spans.at(-1)?.status).toEqual({ code: 2 });
  });

  it("is a span for a count, which no channel is asked for, and none for an upload that broke off", () => {
    const { spans, begin } = setUp();
    begin(undefined, "/v1beta/models/gemini-9:countTokens?key=sk-secret", false)?.closed(200);
    expect(spans.map(({ name }) => name)).toEqual(["POST /v1beta/models/{model}:countTokens"]);
    begin()?.closed(0);
    expect(spans.length).toBe(1);
  });

  it("is left alone where the caller does not record it", () => {
    const { begin } = setUp();
    expect(begin(`00-${TRACE}-${CALLER}-00`)).toBeUndefined();
    expect(setUp("always_off").begin()).toBeUndefined();
  });

  it("is told to upstreams only where that is switched on, each attempt by its own span", () => {
    expect(setUp().begin()?.upstreamHeader(0)).toBeUndefined();
    const { spans, begin, record } = setUp("parentbased_always_on", true);
    const trace = begin(`00-${TRACE}-${CALLER}-01`);
    const headers = [trace?.upstreamHeader(0), trace?.upstreamHeader(1), trace?.upstreamHeader(0)];
    expect(headers[0]).toBe(headers[2]);
    trace?.ended(record({ attempts: [attemptOf(1, "network", 0), attemptOf(2, "ok", 60)] }), 1);
    trace?.closed(200);
    expect(headers.slice(0, 2)).toEqual(spans.slice(1).map(({ spanId }) => `00-${TRACE}-${spanId}-01`));
    // It is passed on, and not recorded here.
    const unsampled = begin(`00-${TRACE}-${CALLER}-00`);
    expect(unsampled?.upstreamHeader(0)).toMatch(new RegExp(`^00-${TRACE}-[0-9a-f]{16}-00$`));
    unsampled?.ended(record(), 1);
    unsampled?.closed(200);
    expect(spans.length).toBe(3);
  });

  it("keeps long and broken names short and whole, and says nothing of a channel that is gone", () => {
    const { spans, begin, record, attributes } = setUp();
    const trace = begin();
    const requestedModel = `\ud800${"x".repeat(100_000)}`;
    trace?.ended(record({ requestedModel, attempts: [attemptOf(9, "ok", 0)] }), 1);
    trace?.closed(200);
    expect(String(attributes(spans[0])["tollgate.model"]).length).toBeLessThanOrEqual(256);
    expect(attributes(spans[1])["gen_ai.provider.name"]).toBeUndefined();
    expect(JSON.stringify(spans)).not.toContain("\\ud800");
  });
});
