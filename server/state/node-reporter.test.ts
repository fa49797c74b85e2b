import { PRODUCT_VERSION } from "@tollgate/contract/version";
import { describe, expect, it } from "vitest";
import { type NodeFacts, NodeReporter, startNodeReporter } from "./node-reporter";

const FACTS: NodeFacts = {
  startTime: 1_800_000_000,
  name: "one",
  address: () => "10.0.0.1:3000",
  isLeaving: () => false,
  requests: () => undefined,
  redisConnections: () => undefined,
};

/** A reporter that is asked every second, of a node that begins so many requests in each. */
const watch = () => {
  const requests = { begun: 500, active: 3 };
  let now = 40_000;
  let delayMs = 0;
  const reporter = new NodeReporter(
    { ...FACTS, requests: () => requests },
    () => delayMs,
    () => now,
  );
  return {
    report: () => reporter.report(),
    second(begins: number, delay = 0, elapsedMs = 1000) {
      now += elapsedMs;
      requests.begun += begins;
      delayMs = delay;
      reporter.sample();
    },
  };
};

describe("requests", () => {
  it("are those that began in the last ten seconds", () => {
    const node = watch();
    for (const begins of [100, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]) node.second(begins);
    // The oldest look is nine seconds old.
    expect(node.report()).toMatchObject({ recent_requests: 54, recent_ms: 9000, active_requests: 3 });
  });

  it("count from the start on, not from before", () => {
    const node = watch();
    expect(node.report()).toMatchObject({ recent_requests: 0, recent_ms: 0 });
    node.second(4);
    expect(node.report()).toMatchObject({ recent_requests: 4, recent_ms: 1000 });
  });

  it("are told with the time that passed, also when the process stood still", () => {
    const node = watch();
    node.second(4);
    node.second(2, 0, 60_000);
    expect(node.report()).toMatchObject({ recent_requests: 6, recent_ms: 61_000 });
  });
});

it("tells the longest delay of the last ten seconds", () => {
  const node = watch();
  node.second(0, 120.4);
  for (let second = 0; second < 9; second += 1) node.second(0, second);
  expect(node.report().event_loop_delay_ms).toBe(120);
  node.second(0, 5);
  expect(node.report().event_loop_delay_ms).toBe(8);
});

it("reports its facts, and leaves out missing ones", () => {
  const report = new NodeReporter(
    FACTS,
    () => 0,
    () => 0,
  ).report();
  expect(report).toMatchObject({
    name: "one",
    address: "10.0.0.1:3000",
    version: PRODUCT_VERSION,
    started_at: 1_800_000_000,
    is_leaving: false,
  });
  expect(report.memory_bytes).toBeGreaterThan(1e6);
  expect(Object.keys(JSON.parse(JSON.stringify(report)))).not.toContain("redis_connections");
});

it("tells of its connections", () => {
  const facts: NodeFacts = {
    ...FACTS,
    address: () => undefined,
    isLeaving: () => true,
    redisConnections: () => 0,
  };
  const report = new NodeReporter(
    facts,
    () => 0,
    () => 0,
  ).report();
  expect(report).toMatchObject({
    is_leaving: true,
    redis_connections: 0,
  });
  expect(report.address).toBeUndefined();
});

it("has no delay before it looked", () => {
  const reporter = startNodeReporter(FACTS);
  expect(reporter.report().event_loop_delay_ms).toBe(0);
  reporter.stop();
});
