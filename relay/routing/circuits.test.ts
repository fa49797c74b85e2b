import type { UpstreamError, UpstreamErrorKind } from "@tollgate/contract/relay/error";
import { describe, expect, it } from "vitest";
import { Circuits } from "./circuits";

const error = (kind: UpstreamErrorKind, retryAfterSeconds?: number): UpstreamError => ({
  kind,
  status: 500,
  message: "",
  code: "",
  ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
});

const setUp = () => {
  const clock = { ms: 1_000_000 };
  const circuits = new Circuits(() => clock.ms);
  const failTimes = (times: number, kind: UpstreamErrorKind = "overloaded") => {
    for (let i = 0; i < times; i += 1) circuits.fail("1", "gpt-4", error(kind));
  };
  const isOpen = (model = "gpt-4", entryId = "1") => circuits.isOpen(entryId, model);
  return { clock, circuits, failTimes, isOpen };
};

describe("the circuits of a key", () => {
  it.each(["overloaded", "network", "empty", "unknown"] as const)(
    "open after five failures in a row (%s), for this key and model only",
    (kind) => {
      const { failTimes, isOpen } = setUp();
      failTimes(4, kind);
      expect(isOpen()).toBe(false);
      failTimes(1, kind);
      expect([isOpen(), isOpen("gpt-3.5-turbo"), isOpen("gpt-4", "2")]).toEqual([true, false, false]);
    },
  );

  it("are counted by channel while they are open", () => {
    const { circuits, clock } = setUp();
    circuits.fail("12/aa", "gpt-4", error("dead-key"));
    circuits.fail("12/bb", "gpt-4", error("model-missing"));
    circuits.fail("3/cc", "gpt-4", error("overloaded"));
    expect([...circuits.countOpen()]).toEqual([[12, 2]]);
    clock.ms += 10 * 60_000;
    expect([...circuits.countOpen()]).toEqual([]);
  });

  it("forget failures when one request goes well", () => {
    const { circuits, failTimes, isOpen } = setUp();
    failTimes(4);
    circuits.succeed("1", "gpt-4");
    failTimes(4);
    expect(isOpen()).toBe(false);
  });

  it("let one request try when their time is over, and close when it goes well", () => {
    const { clock, circuits, failTimes, isOpen } = setUp();
    failTimes(5);
    clock.ms += 15_000;
    expect(isOpen()).toBe(false);
    circuits.begin("1", "gpt-4");
    expect(isOpen()).toBe(true);
    circuits.succeed("1", "gpt-4");
    expect(isOpen()).toBe(false);
  });

  it("stay open twice as long after a trial that failed, at most five minutes", () => {
    const { clock, circuits, failTimes, isOpen } = setUp();
    failTimes(5);
    for (const openMs of [30_000, 60_000, 120_000, 240_000, 300_000, 300_000]) {
      clock.ms += 300_000;
      circuits.begin("1", "gpt-4");
      failTimes(1);
      clock.ms += openMs - 1;
      expect(isOpen()).toBe(true);
      clock.ms += 1;
      expect(isOpen()).toBe(false);
    }
  });

  it("let another request try when the trial's client left, or when nothing more was heard of it", () => {
    const { clock, circuits, failTimes, isOpen } = setUp();
    failTimes(5);
    clock.ms += 15_000;
    circuits.begin("1", "gpt-4");
    circuits.abandon("1", "gpt-4");
    expect(isOpen()).toBe(false);
    circuits.begin("1", "gpt-4");
    clock.ms += 60_000;
    expect(isOpen()).toBe(false);
  });

  it("open for as long as a rate limit says, and for a few seconds when it says nothing", () => {
    const { clock, circuits, isOpen } = setUp();
    circuits.fail("1", "gpt-4", error("rate-limited", 20));
    clock.ms += 19_999;
    expect(isOpen()).toBe(true);
    clock.ms += 1;
    expect(isOpen()).toBe(false);
    circuits.fail("1", "gpt-4", error("rate-limited"));
    expect(isOpen()).toBe(true);
    clock.ms += 5_000;
    expect(isOpen()).toBe(false);
  });

  it("open for every model when the key is dead, and for the one model that is missing", () => {
    const { circuits, isOpen } = setUp();
    circuits.fail("1", "gpt-4", error("model-missing"));
    expect([isOpen(), isOpen("gpt-3.5-turbo")]).toEqual([true, false]);
    circuits.fail("1", "gpt-4", error("dead-key"));
    expect([isOpen(), isOpen("gpt-3.5-turbo")]).toEqual([true, true]);
  });

  it("take a caller's mistake for a sign of life", () => {
    const { circuits, failTimes, isOpen } = setUp();
    failTimes(4);
    circuits.fail("1", "gpt-4", error("caller"));
    failTimes(1);
    expect(isOpen()).toBe(false);
  });
});
