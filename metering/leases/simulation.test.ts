import { seeds } from "@tollgate/testkit/seeds";
import { describe, expect, it } from "vitest";
import { MUTATIONS } from "./testing/mutations";
import { simulate } from "./testing/simulate";

/*
 * Installations of several nodes, drawn from seeds (testing/world.ts). What fails is shown step by step by
 * `npm run simulate -- --seed <seed>`, which also plays as many as one likes.
 */

const STEPS = 400_000;
const SEEDS_APART = 10_000;
/** The rarest of the faults below took 570,000 steps at most, from ten different seeds. */
const STEPS_TO_FIND = 2_000_000;

describe("nodes, database, clocks and network as values", () => {
  it.each(seeds(6).map((block) => block * SEEDS_APART))("keep every promise (seeds from %i)", (first) => {
    expect(simulate(first, STEPS).broken).toBeUndefined();
  });

  it("meet everything that is there to be met", () => {
    const notMet = new Set<string>();
    for (let block = 0; block < 10 && (block === 0 || notMet.size > 0); block += 1) {
      const { broken, met } = simulate(1 + block * SEEDS_APART, STEPS);
      expect(broken).toBeUndefined();
      for (const [what, times] of Object.entries(met)) {
        if (times > 0) notMet.delete(what);
        else if (block === 0) notMet.add(what);
      }
    }
    expect([...notMet]).toEqual([]);
  });

  it("play the same again from the same seed", () => {
    const play = (): string[] => {
      const lines: string[] = [];
      simulate(7, 1, undefined, (line) => lines.push(line));
      return lines;
    };
    expect(play()).toEqual(play());
  });
});

describe("a fault put in on purpose is found", () => {
  it.each(Object.entries(MUTATIONS))("%s", (_, parts) => {
    expect(simulate(1, STEPS_TO_FIND, parts).broken).toBeDefined();
  });
});
