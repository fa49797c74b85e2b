import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { createRandom } from "@tollgate/testkit/random";
import { describe, expect, it } from "vitest";
import { RateLimit } from "./rate-limit";

describe("RateLimit", () => {
  it("takes so many calls per window and address, forgets refused ones, and says how long they have to wait", () => {
    const limit = new RateLimit(2, 1000);
    expect([0, 100, 200, 900].map((now) => limit.take("a", now))).toEqual([0, 0, 800, 100]);
    expect(limit.take("b", 200)).toBe(0);
    expect(limit.take("a", 1000)).toBe(0);
    expect(limit.take("a", 1050)).toBe(50);
    expect(limit.take("a", 1100)).toBe(0);
  });

  it("is divided by the nodes that live, each of which takes one call at least", () => {
    const place = { nodes: 2 };
    const limit = new RateLimit(4, 1000, () => place.nodes);
    expect([0, 1, 2].map((now) => limit.take("a", now))).toEqual([0, 0, 998]);
    place.nodes = 1;
    expect([3, 4, 5].map((now) => limit.take("a", now))).toEqual([0, 0, 995]);
    place.nodes = 10;
    expect([1003, 1004, 2003, 2004].map((now) => limit.take("a", now))).toEqual([1, 0, 1, 0]);
  });

  it("of 0 takes everything", () => {
    const limit = new RateLimit(0, 1000);
    expect(new Set(Array.from({ length: 100 }, () => limit.take("a", 0)))).toEqual(new Set([0]));
    limit.giveBack("a");
  });

  it("counts no call that was given back", () => {
    const limit = new RateLimit(2, 1000);
    for (let i = 0; i < 10; i += 1) {
      expect(limit.take("a", i)).toBe(0);
      limit.giveBack("a");
    }
    expect([limit.take("a", 20), limit.take("a", 21), limit.take("a", 22)]).toEqual([0, 0, 998]);
    limit.giveBack("somebody else");
    expect(limit.take("a", 23)).toBe(997);
  });

  it("agrees with a plain count of the calls in the window, for random callers", () => {
    const random = createRandom(3);
    const limit = new RateLimit(3, 100);
    const taken = new Map<string, number[]>();
    for (let now = 0; now < 20_000; now += Math.floor(random() * 12)) {
      const caller = `caller ${Math.floor(random() * 4)}`;
      const live = (taken.get(caller) ?? []).filter((time) => now - time < 100);
      const expected = live.length < 3 ? 0 : live[0]! + 100 - now;
      expect(limit.take(caller, now), `${caller} at ${now}`).toBe(expected);
      if (expected > 0) continue;
      if (random() < 0.3) limit.giveBack(caller);
      else live.push(now);
      taken.set(caller, live);
    }
  });
});

describe("S3: names for strangers", () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const heapUsed = (): number => {
    collect();
    return process.memoryUsage().heapUsed;
  };

  it("takes the same few bytes in memory, however long it is and whatever it was cut from", () => {
    const limit = new RateLimit(20, 1000);
    const before = heapUsed();
    for (let i = 0; i < 600; i += 1) {
      // A name of 100 KB, and a short one that is a piece of a text of 100 KB: each would keep all of it.
      limit.take(`${i}${"x".repeat(100_000)}`, i);
      limit.take(`${"x".repeat(100_000)}, 203.0.113.${i}`.slice(100_002), i);
    }
    expect(heapUsed() - before).toBeLessThan(10_000_000);
    expect(limit.take("a", 0)).toBe(0);
  });
});
