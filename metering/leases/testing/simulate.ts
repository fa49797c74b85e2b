import type { Met } from "./installation";
import { PARTS, type Parts, PromiseBroken, World } from "./world";

/** Number of events after which an installation is healed and its books are compared; the next one starts. */
const EVENTS = 4000;

interface Simulated {
  steps: number;
  worlds: number;
  met: Met;
  /** The first seed that broke a promise, and how. */
  broken: { seed: number; message: string } | undefined;
}

/**
 * Runs one installation from a seed.
 * @throws PromiseBroken, also when a constraint of the database is violated.
 */
const play = (seed: number, parts: Parts, trace?: (line: string) => void): World => {
  const world = new World(seed, parts, trace);
  try {
    for (let event = 0; event < EVENTS; event += 1) world.step();
    world.finish();
  } catch (error) {
    if (error instanceof PromiseBroken || !(error instanceof Error)) throw error;
    world.fail(error.stack ?? error.message);
  }
  return world;
};

/**
 * Runs installations until a number of steps is reached or a promise is broken.
 * @param first the first seed; the next installation has the next. @param trace called for each step.
 */
export const simulate = (
  first: number,
  steps: number,
  parts: Parts = PARTS,
  trace?: (line: string) => void,
): Simulated => {
  const all: Simulated = { steps: 0, worlds: 0, met: new World(first, parts).met, broken: undefined };
  for (let seed = first; all.steps < steps; seed += 1) {
    try {
      const world = play(seed, parts, trace);
      all.steps += world.steps;
      for (const name of Object.keys(all.met) as (keyof Met)[]) all.met[name] += world.met[name];
    } catch (error) {
      if (!(error instanceof PromiseBroken)) throw error;
      all.broken = { seed, message: error.message };
      return all;
    }
    all.worlds += 1;
  }
  return all;
};
