import { createRandom } from "@tollgate/testkit/random";
import { describe, expect, it } from "vitest";
import { RateLimit } from "../../http/rate-limit";
import { type SignInAttempt, SignInLimits } from "./sign-in-limits";

const WINDOW_MS = 1000;
const CALLS = 5;

const stranger: SignInAttempt = {
  username: "root",
  subscriber: "203.0.113.1",
  userId: 1,
  deviceId: undefined,
  isKnownAddress: false,
};

const createLimits = (): SignInLimits => new SignInLimits(new RateLimit(CALLS, WINDOW_MS), CALLS, WINDOW_MS);

/** Whether an attempt gets as far as the password. */
const isLet = (begun: ReturnType<SignInLimits["begin"]>): begun is () => void => typeof begun === "function";

/** Wrong guesses, each from an address of its own. @returns how many were let through to the password. */
const guess = (limits: SignInLimits, times: number, more: Partial<SignInAttempt> = {}): number => {
  let looked = 0;
  for (let i = 0; i < times; i += 1) {
    if (isLet(limits.begin({ ...stranger, subscriber: `198.51.100.${i}`, ...more }, i))) looked += 1;
  }
  return looked;
};

describe("S11: guesses at one account", () => {
  it("are stopped, from however many addresses they come", () => {
    expect(guess(createLimits(), 100)).toBe(2 * CALLS);
  });

  it("at an unknown name are stopped like those at a known one", () => {
    expect(guess(createLimits(), 100, { userId: undefined })).toBe(2 * CALLS);
  });

  it("from one address are stopped sooner", () => {
    expect(guess(createLimits(), 100, { subscriber: "198.51.100.1" })).toBe(CALLS);
  });

  it("never keep out who comes with a known device, from wherever", () => {
    const limits = createLimits();
    guess(limits, 100);
    guess(limits, 100, { subscriber: stranger.subscriber });
    expect(isLet(limits.begin(stranger, 200))).toBe(false);
    for (let i = 0; i < 50; i += 1) {
      const takeBack = limits.begin({ ...stranger, deviceId: "laptop" }, 200 + i);
      expect(isLet(takeBack)).toBe(true);
      // The password was right.
      if (isLet(takeBack)) takeBack();
    }
  });

  it("never keep out who comes from where the account is signed in", () => {
    const limits = createLimits();
    guess(limits, 100);
    expect(isLet(limits.begin({ ...stranger, isKnownAddress: true }, 200))).toBe(true);
  });

  it("are stopped on a known device, too, which then is a stranger's", () => {
    const limits = createLimits();
    expect(guess(limits, 100, { deviceId: "stolen", subscriber: "198.51.100.1" })).toBe(2 * CALLS);
    expect(guess(limits, 100, { deviceId: "stolen", isKnownAddress: true })).toBe(CALLS);
    expect(isLet(limits.begin({ ...stranger, deviceId: "laptop" }, 200))).toBe(true);
  });

  it("count while they are under way: many at once are not more", () => {
    const limits = createLimits();
    const begun = Array.from({ length: 50 }, (_, i) => limits.begin({ ...stranger, subscriber: `${i}` }, 0));
    expect(begun.filter(isLet)).toHaveLength(2 * CALLS);
  });

  it("do not count when they were right, nor those at other accounts", () => {
    const limits = createLimits();
    for (let i = 0; i < 100; i += 1) {
      const takeBack = limits.begin({ ...stranger, subscriber: `198.51.100.${i}` }, i);
      if (isLet(takeBack)) takeBack();
    }
    guess(limits, 100, { userId: 2, username: "alice" });
    expect(isLet(limits.begin(stranger, 200))).toBe(true);
  });

  it("of made-up names do not push out the record of an account", () => {
    const limits = createLimits();
    guess(limits, 100);
    for (let i = 0; i < 30_000; i += 1) {
      limits.begin(
        { ...stranger, userId: undefined, username: `name ${i}`, subscriber: `address ${i}` },
        200,
      );
    }
    expect(limits.begin(stranger, 200)).toBe(WINDOW_MS - 200);
  });

  it("in any order never keep the known device out, and never pass the limit without one", () => {
    const random = createRandom(11);
    const limits = createLimits();
    let passed: number[] = [];
    for (let now = 0; now < 30_000; now += Math.floor(random() * 60)) {
      if (random() < 0.3) {
        const takeBack = limits.begin({ ...stranger, deviceId: "laptop" }, now);
        expect(isLet(takeBack), `at ${now}`).toBe(true);
        if (isLet(takeBack)) takeBack();
      } else if (isLet(limits.begin({ ...stranger, subscriber: `${Math.floor(random() * 1000)}` }, now))) {
        passed = [...passed.filter((time) => now - time < WINDOW_MS), now];
        expect(passed.length, `at ${now}`).toBeLessThanOrEqual(2 * CALLS);
      }
    }
  });
});
