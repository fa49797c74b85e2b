import type { IncomingMessage } from "node:http";
import { describe, expect, it } from "vitest";
import { RefusalLimits } from "./refusal-limits";

const requestFrom = (address: string): IncomingMessage =>
  ({ socket: { remoteAddress: address } }) as unknown as IncomingMessage;

const HOME = requestFrom("192.0.2.1");
const OTHER = requestFrom("192.0.2.2");

const setUp = (perMinute: number) => {
  const clock = { now: 1_000_000 };
  const limits = new RefusalLimits({
    perMinute: () => perMinute,
    now: () => clock.now,
    subscriberOf: ({ socket }) => socket.remoteAddress ?? "",
  });
  const refuse = (times: number, keyId = 1, from = HOME): void => {
    for (let index = 0; index < times; index += 1) limits.ended(keyId, from, 403);
  };
  return { clock, limits, refuse };
};

describe("refused requests of a key (S19)", () => {
  it("are refused unread once the limit is reached", () => {
    const { limits, refuse } = setUp(60);
    refuse(59);
    expect(limits.check(1, HOME)).toBeUndefined();
    refuse(1);
    expect(limits.check(1, HOME)).toMatchObject({ code: "refusals-limited", retryAfterSeconds: 1 });
  });

  it("are let in again after the time that the refusal names", () => {
    const { clock, limits, refuse } = setUp(6);
    refuse(6);
    expect(limits.check(1, HOME)?.retryAfterSeconds).toBe(10);
    clock.now += 9_999;
    expect(limits.check(1, HOME)).toBeDefined();
    clock.now += 1;
    expect(limits.check(1, HOME)).toBeUndefined();
  });

  it("hold up neither another key at the same address nor the same key at another", () => {
    const { limits, refuse } = setUp(2);
    refuse(5);
    expect(limits.check(2, HOME)).toBeUndefined();
    expect(limits.check(1, OTHER)).toBeUndefined();
  });

  it("are forgotten with the first request that is answered", () => {
    const { limits, refuse } = setUp(2);
    refuse(1);
    limits.ended(1, HOME, 200);
    refuse(1);
    expect(limits.check(1, HOME)).toBeUndefined();
  });

  it("do not count where the service is at fault, nor without a limit", () => {
    const { limits } = setUp(1);
    limits.ended(1, HOME, 503);
    expect(limits.check(1, HOME)).toBeUndefined();
    const unlimited = setUp(0);
    unlimited.refuse(100);
    expect(unlimited.limits.check(1, HOME)).toBeUndefined();
  });
});
