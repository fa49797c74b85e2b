import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { LogWire } from "@tollgate/contract/api/logs";
import { type PrometheusServer, promtool, startPrometheus } from "@tollgate/testkit/prometheus-server";
import { type ReadMetric, readExposition, sumOf } from "@tollgate/testkit/read-exposition";
import {
  type CollectedSpan,
  startTraceCollector,
  type TraceCollector,
} from "@tollgate/testkit/trace-collector";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Account, addChannel, readUsage, type Stage, startStage } from "./stage";

const TOKEN = "a-token-of-enough-characters";
const DEPLOY = join(import.meta.dirname, "../../../deploy");

let stage: Stage;
let account: Account;
let channel: number;
let collector: TraceCollector;
let prometheus: PrometheusServer | undefined;

beforeAll(async () => {
  collector = await startTraceCollector();
  stage = await startStage({
    METRICS_TOKEN: TOKEN,
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20of-the-collector",
    OTEL_SERVICE_NAME: "gateway",
    TRACE_UPSTREAMS: "1",
  });
  channel = await addChannel(stage.root, {
    base_url: stage.upstream.url,
    models: 'gpt-4o,gpt-3.5-turbo,gpt "quoted" \\ one,text-embedding-3-small,claude-sonnet-4-5',
    name: 'the "first"\\',
  });
  await stage.setOption("FallbackModelRatio", "1");
  await stage.setOption("RetryTimes", "1");
  account = await stage.addAccount("payer", 100_000_000);
});

afterAll(async () => {
  await prometheus?.stop();
  await stage?.close();
  await collector?.close();
});

const scrape = (headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${stage.server.url}/metrics`, { headers });

const readMetrics = async (): Promise<Map<string, ReadMetric>> => {
  const answer = await scrape({ authorization: `Bearer ${TOKEN}` });
  expect([answer.status, answer.headers.get("content-type")]).toEqual([
    200,
    "text/plain; version=0.0.4; charset=utf-8",
  ]);
  return readExposition(await answer.text());
};

const ask = async (path: string, body: object, key = account.key): Promise<number> => {
  const answer = await fetch(stage.server.url + path, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  await answer.text();
  return answer.status;
};

const chat = (model: string, more: object = {}): Promise<number> =>
  ask("/v1/chat/completions", {
    model,
    messages: [{ role: "user", content: "hi" }],
    max_tokens: 20,
    ...more,
  });

describe("/metrics", () => {
  it("requires the token", async () => {
    const refused = await scrape();
    expect(refused.status).toBe(403);
    expect(await refused.text()).toBe(
      '/metrics needs the token that METRICS_TOKEN names: send it as "Authorization: Bearer …"\n',
    );
    const chinese = await scrape({ authorization: "Bearer wrong", "accept-language": "zh-CN" });
    expect([chinese.status, await chinese.text()]).toEqual([403, expect.stringContaining("METRICS_TOKEN")]);
    expect((await readMetrics()).get("tollgate_ready")?.samples).toEqual([
      { name: "tollgate_ready", labels: {}, value: 1 },
    ]);
  });

  it("equals the sums of the log, by protocol, model, channel and outcome", async () => {
    stage.upstream.script({ usage: { input: 1000, output: 10, cacheRead: 800 } });
    expect(await chat("gpt-4o")).toBe(200);
    stage.upstream.reset();
    expect(await chat("gpt-4o", { stream: true })).toBe(200);
    expect(await chat('gpt "quoted" \\ one')).toBe(200);
    expect(
      await ask("/v1/messages", {
        model: "claude-sonnet-4-5",
        max_tokens: 9,
        messages: [{ role: "user", content: "hi" }],
      }),
    ).toBe(200);
    expect(await ask("/v1/embeddings", { model: "text-embedding-3-small", input: "hi" })).toBe(200);
    // The caller's own mistake, which no other channel would take.
    stage.upstream.script({ fault: "400" });
    expect(await chat("gpt-4o")).toBe(400);
    stage.upstream.reset();
    for (const name of ["unknown", 'hostile"} 1\n', "\u0000", "x".repeat(5000)])
      expect(await chat(name)).toBe(404);
    expect(await chat("gpt-4o")).toBe(200);
    expect(await ask("/v1/chat/completions", { model: "gpt-4o" }, "sk-wrong")).toBe(401);

    const lines: LogWire[] = await readUsage(stage.root, "username=payer&page_size=100");
    const metrics = await readMetrics();
    const complete = sumOf(metrics, "tollgate_requests_total", { outcome: "complete" });
    expect(complete).toBe(lines.length);
    expect(complete).toBe(6);
    for (const model of new Set(lines.map(({ model_name: name }) => name))) {
      const own = lines.filter(({ model_name: name }) => name === model);
      const sum = (field: "quota" | "prompt_tokens" | "completion_tokens") =>
        own.reduce((total, line) => total + line[field], 0);
      const labels = { model, channel: String(channel) };
      expect(sumOf(metrics, "tollgate_requests_total", { ...labels, outcome: "complete" })).toBe(own.length);
      expect(sumOf(metrics, "tollgate_quota_charged_total", labels)).toBe(sum("quota"));
      const tokens = (direction: string) => sumOf(metrics, "tollgate_tokens_total", { ...labels, direction });
      expect([tokens("input"), tokens("output")]).toEqual([sum("prompt_tokens"), sum("completion_tokens")]);
    }
    const { user } = await account.figures();
    expect(sumOf(metrics, "tollgate_quota_charged_total")).toBe(user.used);
    expect(sumOf(metrics, "tollgate_token_parts_total", { part: "cache_read" })).toBe(800);
    expect(sumOf(metrics, "tollgate_requests_total", { protocol: "anthropic-messages" })).toBe(1);
    expect(sumOf(metrics, "tollgate_requests_total", { operation: "embeddings" })).toBe(1);
    expect(sumOf(metrics, "tollgate_requests_total", { outcome: "failed", model: "gpt-4o" })).toBe(1);
    expect(sumOf(metrics, "tollgate_requests_total", { model: "other" })).toBe(4);
    expect(sumOf(metrics, "tollgate_refusals_total", { code: "model-unknown" })).toBe(4);
    expect(sumOf(metrics, "tollgate_refusals_total", { code: "token-invalid" })).toBe(1);
    expect(sumOf(metrics, "tollgate_upstream_attempts_total", { outcome: "ok" })).toBe(6);
    expect(sumOf(metrics, "tollgate_upstream_attempts_total", { outcome: "caller" })).toBe(1);
    expect(sumOf(metrics, "tollgate_time_to_first_byte_seconds_count")).toBe(0);
    const { samples = [] } = metrics.get("tollgate_time_to_first_byte_seconds") ?? {};
    expect(
      samples.find(({ name, labels }) => name.endsWith("_count") && labels.model === "gpt-4o")?.value,
    ).toBe(1);
    expect(metrics.get("tollgate_channel_info")?.samples).toEqual([
      {
        name: "tollgate_channel_info",
        labels: { channel: String(channel), name: 'the "first"\\' },
        value: 1,
      },
    ]);
  });
});

describe("traces", () => {
  const TRACE = "0af7651916cd43dd8448eb211c80319c";
  const traced = (): CollectedSpan[] => collector.spans.filter(({ traceId }) => traceId === TRACE);

  const askTraced = async (parent: string, body: object, key = account.key): Promise<number> => {
    const answer = await fetch(`${stage.server.url}/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, traceparent: `00-${TRACE}-${parent}-01` },
      body: JSON.stringify({ messages: [{ role: "user", content: "a private question" }], ...body }),
    });
    await answer.text();
    return answer.status;
  };

  it("have a span for each request below its caller's, with its attempts, and no content", async () => {
    for (const name of ["one", "two"])
      await addChannel(stage.root, {
        base_url: stage.upstream.url,
        models: "retried",
        name,
        key: `sk-${name}-secret`,
      });
    stage.upstream.reset();
    stage.upstream.script({ fault: "500" }, {});
    expect(await askTraced("aaaaaaaaaaaaaaaa", { model: "retried", stream: true })).toBe(200);
    const told = stage.upstream.requests.map(({ headers }) => headers.traceparent);
    expect(await askTraced("bbbbbbbbbbbbbbbb", { model: "retried" }, "sk-wrong")).toBe(401);
    await expect.poll(() => traced().length).toBe(4);
    const [request, refused] = ["aaaaaaaaaaaaaaaa", "bbbbbbbbbbbbbbbb"].map((parent) =>
      traced().find(({ parentSpanId }) => parentSpanId === parent),
    );
    expect(request?.attributes).toMatchObject({
      "http.response.status_code": 200,
      "tollgate.outcome": "complete",
      "tollgate.attempts": 2,
      "tollgate.user.id": account.userId,
    });
    expect(refused?.attributes).toMatchObject({
      "error.type": "token-invalid",
      "http.response.status_code": 401,
    });
    const attempts = traced().filter(({ parentSpanId }) => parentSpanId === request?.spanId);
    expect(attempts.map(({ status, attributes }) => [status.code, attributes["error.type"]])).toEqual([
      [2, "overloaded"],
      [undefined, undefined],
    ]);
    expect(told).toEqual(attempts.map(({ spanId }) => `00-${TRACE}-${spanId}-01`));
    const [line] = await account.usage();
    expect(attempts[1]?.attributes).toMatchObject({
      "gen_ai.operation.name": "chat",
      "gen_ai.request.model": "retried",
      "gen_ai.usage.input_tokens": line?.prompt_tokens,
      "gen_ai.usage.output_tokens": line?.completion_tokens,
      "server.address": "127.0.0.1",
    });
    expect(request?.attributes["tollgate.quota"]).toBe(line?.quota);
    expect(collector.resource).toMatchObject({ "service.name": "gateway" });
    expect(collector.headers[0]).toMatchObject({ authorization: "Bearer of-the-collector" });
    expect(collector.bodies.join("")).not.toMatch(/private question|sk-|secret|payer/);
    const sent = sumOf(await readMetrics(), "tollgate_spans_total", { outcome: "sent" });
    expect(sent).toBe(collector.spans.length);
  });

  it("are dropped and counted while the collector takes nothing, and requests go on", async () => {
    collector.answer(400);
    expect(await chat("gpt-4o")).toBe(200);
    await expect
      .poll(async () => sumOf(await readMetrics(), "tollgate_spans_total", { outcome: "dropped" }))
      .toBe(2);
    collector.answer(200);
    expect(stage.server.stderr).toContain("the collector of traces takes nothing");
    expect(stage.server.stderr).not.toContain("of-the-collector");
  });
});

describe("Prometheus", () => {
  it("takes /metrics without a warning, with the alert rules, and answers every query of the dashboard", async () => {
    const text = await (await scrape({ authorization: `Bearer ${TOKEN}` })).text();
    expect(promtool(["check", "metrics"], text)).toBe("");
    const rules = join(DEPLOY, "prometheus/alerts.yaml");
    expect(promtool(["check", "config", join(DEPLOY, "prometheus/prometheus.yml")])).toContain("SUCCESS");
    prometheus = await startPrometheus(new URL(stage.server.url).host, TOKEN, rules);
    const server = prometheus;
    // Under some load, until there are rates.
    const enough = async () => Number((await server.query("count_over_time(up[1m])"))[0]?.value[1] ?? 0);
    await expect
      .poll(async () => {
        await Promise.all(Array.from({ length: 20 }, (_, i) => chat("gpt-4o", { stream: i % 2 === 0 })));
        return enough();
      })
      .toBeGreaterThanOrEqual(2);
    expect(await server.targets()).toEqual([expect.objectContaining({ health: "up", lastError: "" })]);
    const [charged] = await server.query("sum(tollgate_quota_charged_total)");
    expect(Number(charged?.value[1])).toBeGreaterThan(0);
    const [rate] = await server.query("sum(rate(tollgate_requests_total[1m]))");
    expect(Number(rate?.value[1])).toBeGreaterThan(0);
    expect((await server.rules()).filter(({ lastError }) => lastError)).toEqual([]);
    const dashboard = readFileSync(join(DEPLOY, "grafana/tollgate.json"), "utf8");
    const queries = [...dashboard.matchAll(/"expr": ("(?:[^"\\]|\\.)*")/g)].map(([, json = '""']) =>
      (JSON.parse(json) as string).replaceAll("$__rate_interval", "1m").replaceAll(/\$\w+/g, ".*"),
    );
    for (const query of queries) await server.query(query);
    const warnings = server.log.split("\n").filter((line) => /"level":"(?:warn|error)"/.test(line));
    expect(warnings).toEqual([]);
  });
});
