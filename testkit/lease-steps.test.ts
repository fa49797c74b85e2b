import { describe, expect, it } from "vitest";
import { FIRST_BALANCES, type LeaseStep, LeaseSteps } from "./lease-steps";
import { seeds } from "./seeds";

const STEPS = 1000;

/** The case of each step: the property that changes its answers. */
const caseOf = (step: LeaseStep): string => {
  if (!("answer" in step)) return step.kind;
  const { kind, answer } = step;
  if (answer === undefined || answer === "epoch-over") return `${kind}: ${answer}`;
  if ("granted" in answer) return `${kind}: ${answer.granted > 0 ? "some" : "nothing"}`;
  if ("isLate" in answer) {
    const isShort = answer.booked.some(({ shortfall }) => shortfall > 0);
    return `${kind}: ${answer.isLate ? "late" : "in time"}, ${isShort ? "short" : "covered"}`;
  }
  if ("moved" in answer) return `${kind}: ${answer.moved === undefined ? "recalled" : "moved"}`;
  return kind;
};

describe("the generator of lease steps", () => {
  it.each(seeds(6))("keeps every sum of the reference (seed %i)", (seed) => {
    const steps = new LeaseSteps(seed);
    for (let step = 0; step < STEPS; step += 1) {
      steps.next();
      for (const [id] of FIRST_BALANCES) {
        const { quota, granted, settled, leases } = steps.reference.accounts.get(id)!;
        const leased = leases.reduce((sum, row) => sum + row.quota, 0);
        expect(quota + settled + leased).toBe(granted);
      }
    }
  });

  it("comes to every case", () => {
    const met = new Set<string>();
    const steps = new LeaseSteps(1);
    for (let step = 0; step < STEPS; step += 1) met.add(caseOf(steps.next()));
    expect([...met].sort()).toEqual([
      "acquire: epoch-over",
      "acquire: nothing",
      "acquire: some",
      "book: in time, covered",
      "book: in time, short",
      "book: late, covered",
      "book: late, short",
      "edit: moved",
      "edit: recalled",
      "expire",
      "give back: epoch-over",
      "give back: undefined",
      "join",
      "leave",
      "refund",
      "renew",
      "renew: epoch-over",
      "silence",
    ]);
  });
});
