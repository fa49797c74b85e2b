import { describe, expect, it } from "vitest";
import type { Refusal } from "../ports/client";
import type { LimitPass } from "../ports/limits";
import { PendingAdmission } from "./pending-admission";

/*
 * A model test: every possible event, in every order, and each of them also left out at the end. In all cases a pass is
 * released exactly once, by its current owner; the client receives at most one message, and none once it has left.
 */

const EVENTS = [
  "pass",
  "refusal",
  "limits fail",
  "warm",
  "warm fails",
  "interrupt",
  "client leaves",
] as const;
type Event = (typeof EVENTS)[number];

/** Limits answer at most once, and so does the search for the conversation. */
const EXCLUSIVE: readonly (readonly Event[])[] = [
  ["pass", "refusal", "limits fail"],
  ["warm", "warm fails"],
];

const isPossible = (events: readonly Event[]): boolean =>
  EXCLUSIVE.every((group) => events.filter((event) => group.includes(event)).length <= 1);

/** All sequences of different events that can come, from none to all. */
const sequences = (left: readonly Event[] = EVENTS): Event[][] => [
  [],
  ...left.flatMap((event) =>
    sequences(left.filter((other) => other !== event))
      .map((rest) => [event, ...rest])
      .filter(isPossible),
  ),
];

const REFUSAL: Refusal = { code: "requests-limited" };

type Throwing = "nobody" | "enter" | "refuse";

const setUp = (waitsFor: { pass: boolean; warm: boolean }, throwing: Throwing) => {
  const seen = { entered: 0, refused: [] as string[], failed: 0, left: 0, over: 0 };
  let isGone = false;
  const outcome = {
    isGone: () => isGone,
    enter(pass: LimitPass | undefined) {
      seen.entered += 1;
      // The request ends at once, however it goes.
      pass?.leave();
      if (throwing === "enter") throw new Error("thrown");
    },
    refuse({ code }: Refusal) {
      seen.refused.push(code);
      if (throwing === "refuse") throw new Error("thrown");
    },
    fail() {
      seen.failed += 1;
    },
  };
  const pending = new PendingAdmission(waitsFor, outcome, () => {
    seen.over += 1;
  });
  const pass: LimitPass = {
    headers: {},
    leave: () => {
      seen.left += 1;
    },
  };
  const happen: Record<Event, () => void> = {
    pass: () => pending.onLimits(pass),
    refusal: () => pending.onLimits(REFUSAL),
    "limits fail": () => pending.onFailure(new Error("limits")),
    warm: () => pending.onWarm(),
    "warm fails": () => pending.onFailure(new Error("warm")),
    interrupt: () => pending.interrupt(),
    "client leaves": () => {
      isGone = true;
    },
  };
  return { seen, happen };
};

/** Whether the events decide what becomes of the request. */
const decides = (events: readonly Event[], waitsForWarm: boolean): boolean =>
  events.some((event) => !["pass", "warm", "client leaves"].includes(event)) ||
  (events.includes("pass") && (!waitsForWarm || events.includes("warm")));

const possible = (waitsForWarm: boolean): Event[][] =>
  sequences().filter((events) => waitsForWarm || !events.some((event) => event.startsWith("warm")));

describe("a request that waits to be let in", () => {
  it.each([
    ["its limits", false, "nobody"],
    ["its limits and its conversation", true, "nobody"],
    ["its limits, and fails as it begins", false, "enter"],
    ["both, and fails as it begins", true, "enter"],
    ["both, and cannot be refused", true, "refuse"],
  ] as const)(
    "for %s ends once, and its pass is given back once, whatever comes first",
    (_, warm, throwing) => {
      const all = possible(warm);
      expect(all.length).toBeGreaterThan(warm ? 200 : 20);
      for (const events of all) {
        const { seen, happen } = setUp({ pass: true, warm }, throwing);
        for (const event of events) happen[event]();
        const name = `${events.join(", ")}: ${JSON.stringify(seen)}`;
        const isDecided = decides(events, warm);
        expect(seen.over, name).toBe(isDecided ? 1 : 0);
        // A pass that came while something else is waited for is kept until then.
        expect(seen.left, name).toBe(isDecided && events.includes("pass") ? 1 : 0);
        expect(seen.entered + seen.refused.length, name).toBeLessThanOrEqual(1);
        if (throwing === "nobody")
          expect(seen.entered + seen.refused.length + seen.failed, name).toBeLessThanOrEqual(1);
        const [first] = events;
        if (first === "client leaves") expect(seen).toMatchObject({ entered: 0, refused: [], failed: 0 });
        if (isDecided && !events.includes("client leaves"))
          expect(seen.entered + seen.refused.length + seen.failed, name).toBeGreaterThan(0);
      }
    },
  );

  it("for its conversation alone keeps the pass that it has meanwhile", () => {
    for (const events of [
      ["warm"],
      ["interrupt", "warm"],
      ["warm fails"],
      ["client leaves", "warm"],
    ] as Event[][]) {
      const { seen, happen } = setUp({ pass: false, warm: true }, "nobody");
      happen.pass();
      expect(seen).toMatchObject({ entered: 0, left: 0, over: 0 });
      for (const event of events) happen[event]();
      expect(seen, events.join()).toMatchObject({ left: 1, over: 1 });
      expect(seen.entered, events.join()).toBe(events.length === 1 && events[0] === "warm" ? 1 : 0);
    }
  });
});
