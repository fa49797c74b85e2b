import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type SendBatch, SpanExporter } from "./span-exporter";

const SETTINGS = {
  endpoint: "http://collector:4318/v1/traces",
  headers: { authorization: "Basic secret" },
  timeoutMs: 1000,
  resource: { "service.name": "gateway" },
};

/** A collector with the test's answers, and an exporter in front of it. */
const setUp = () => {
  const bodies: string[] = [];
  const reported: string[] = [];
  const world = {
    answer: async (): Promise<Response> => new Response("{}", { headers: { "content-length": "2" } }),
  };
  const send: SendBatch = (_endpoint, { body }) => {
    bodies.push(String(body));
    return world.answer();
  };
  const exporter = new SpanExporter(SETTINGS, (reason) => reported.push(reason), send);
  const add = (count: number, json = '{"name":"x"}') => {
    for (let i = 0; i < count; i += 1) exporter.add(json);
  };
  const sizes = () =>
    bodies.map((body) => {
      const { resourceSpans } = JSON.parse(body) as {
        resourceSpans: { scopeSpans: { spans: unknown[] }[] }[];
      };
      return resourceSpans[0]?.scopeSpans[0]?.spans.length ?? 0;
    });
  const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
  return { exporter, add, bodies, sizes, reported, world, pass };
};

describe("spans on their way to a collector", () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it("go together within a second, or when there are many, with the attributes of the process", async () => {
    const { exporter, add, bodies, sizes, pass } = setUp();
    add(3);
    await pass(900);
    expect(bodies).toEqual([]);
    await pass(200);
    expect(sizes()).toEqual([3]);
    expect(JSON.parse(bodies[0] ?? "")).toMatchObject({
      resourceSpans: [
        {
          resource: { attributes: [{ key: "service.name", value: { stringValue: "gateway" } }] },
          scopeSpans: [{ scope: { name: "tollgate" }, spans: [{ name: "x" }, {}, {}] }],
        },
      ],
    });
    add(512);
    await pass(0);
    expect(sizes()).toEqual([3, 512]);
    expect([exporter.sent, exporter.dropped]).toEqual([515, 0]);
  });

  it("wait while the collector is away, up to a limit; later spans are dropped and counted, with one log line", async () => {
    const { exporter, add, sizes, reported, world, pass } = setUp();
    const { answer } = world;
    world.answer = () => Promise.reject(new TypeError("fetch failed", { cause: new Error("refused") }));
    add(10_000);
    await pass(60_000);
    expect(exporter.dropped).toBe(10_000 - 4096);
    expect(reported).toEqual(["refused"]);
    const tries = sizes().length;
    expect(tries).toBeLessThan(10);
    world.answer = answer;
    await pass(120_000);
    expect(exporter.sent).toBe(4096);
    world.answer = () => Promise.reject(new Error("gone again"));
    add(1);
    await pass(2000);
    expect(reported).toEqual(["refused", "gone again"]);
  });

  it("are bounded by their size, too", () => {
    const { exporter, add } = setUp();
    add(100, "x".repeat(1024 * 1024));
    expect(exporter.dropped).toBeGreaterThanOrEqual(92);
  });

  it.each([
    [503, 2, 2, 0],
    [400, 1, 0, 2],
    [301, 1, 0, 2],
  ])("with the answer %d are sent %d times", async (status, times, sent, dropped) => {
    const { exporter, add, sizes, world, pass } = setUp();
    const { answer } = world;
    world.answer = async () => new Response(null, { status });
    add(2);
    await pass(1100);
    world.answer = answer;
    await pass(5000);
    expect([sizes().length, exporter.sent, exporter.dropped]).toEqual([times, sent, dropped]);
  });

  it("that the collector rejects in part are counted, whatever else it says", async () => {
    const { exporter, add, world, pass } = setUp();
    for (const [said, dropped] of [
      ['{"partialSuccess":{"rejectedSpans":"2"}}', 2],
      ["nonsense", 2],
      ["null", 2],
      ['{"partialSuccess":{"rejectedSpans":-5}}', 2],
      ['{"partialSuccess":{"rejectedSpans":99}}', 5],
    ] as const) {
      world.answer = async () => new Response(said, { headers: { "content-length": String(said.length) } });
      add(3);
      await pass(1100);
      expect(exporter.dropped).toBe(dropped);
    }
  });

  it("that are left at the end are sent, and do not hold it up", async () => {
    const { exporter, add, sizes, world, pass } = setUp();
    add(600);
    const closing = exporter.close();
    await pass(10);
    await closing;
    expect(sizes()).toEqual([512, 88]);
    const other = setUp();
    other.world.answer = () => new Promise(() => {});
    other.add(5);
    let isClosed = false;
    void other.exporter.close().then(() => {
      isClosed = true;
    });
    await other.pass(2100);
    expect(isClosed).toBe(true);
    expect(world).toBeDefined();
    expect(vi.getTimerCount()).toBe(0);
  });
});
