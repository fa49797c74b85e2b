import { createHook } from "node:async_hooks";
import { PerformanceObserver } from "node:perf_hooks";
import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/*
 * V8 lets the space for new objects grow to 16 MB on Node 20 and to 64 on Node 24, twice over, and takes the most where
 * nothing but short-lived objects pass, as in a relay. `--max-semi-space-size` is read when an isolate begins, so that for
 * the first one it could only stand on the command line; the factor by which the space grows is read each time that it does
 * (`SemiSpaceNewSpace::Grow` in V8's src/heap/new-spaces.cc, `Heap::ResizeNewSpace` in newer ones).
 */

/** Size of this thread's objects before their first collection, in bytes; V8 has it twice. */
export const MAX_YOUNG_BYTES = 8 * 1024 * 1024;

/** The same for each of the other threads, which work in batches. */
export const YOUNG_BYTES_OF_THREADS = 2 * 1024 * 1024;

const MB = 1024 * 1024;
/** A space's pages are slightly larger than their content. */
const TOLERANCE = 1.1;

type Growth = 1 | 2;
let growth: Growth = 2;

const setGrowth = (factor: Growth): void => {
  growth = factor;
  setFlagsFromString(`--semi-space-growth-factor=${factor}`);
};

/** The space for new objects of this thread as it is now, in bytes: one of its two halves. */
export const youngBytes = (): number => {
  const space = getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space");
  return space === undefined ? 0 : space.space_used_size + space.space_available_size;
};

/**
 * Keeps the space for new objects at its current size, in all threads: starting needs no more. A starting thread resets
 * the factor of all threads to 2 (`Heap::ConfigureHeap` in V8's src/heap/heap.cc), so this is repeated after each.
 */
export const holdYoungGeneration = (): void => {
  setGrowth(1);
  process.on("worker", (worker) => worker.once("online", () => setGrowth(growth)));
};

/**
 * Lets the space for new objects of this thread grow up to a bound from now on. Looks after each collection, as the space
 * grows at the end of one, and shrinks at the end of a full one in a quiet time.
 * @param mostBytes a power of two times a megabyte.
 */
export const boundYoungGeneration = (mostBytes = MAX_YOUNG_BYTES): void => {
  const look = (): void => {
    const next = youngBytes() * 2 <= mostBytes * TOLERANCE ? 2 : 1;
    if (next !== growth) setGrowth(next);
  };
  look();
  new PerformanceObserver(look).observe({ entryTypes: ["gc"] });
};

/**
 * Sets the final size of the space for new objects for threads that start from now on; otherwise they would grow, or
 * not, by the value that `boundYoungGeneration` sets for the first one.
 * @param bytes of one half; whole megabytes.
 */
export const setYoungGenerationOfThreads = (bytes: number): void => {
  setFlagsFromString(`--min-semi-space-size=${bytes / MB}`);
  setFlagsFromString(`--max-semi-space-size=${bytes / MB}`);
};

let keptTick: object | undefined;

/**
 * Keeps one of the objects that `process.nextTick` makes, and with it V8's class of them. A full collection while no
 * such object exists drops the class, and V8 then gives up on the statement that makes them
 * (`Runtime_DefineKeyedOwnPropertyInLiteral` in its src/runtime/runtime-object.cc): each call takes five times as long
 * until the process ends, and a request makes seven. Only a hook sees these objects; it is disabled again immediately.
 * @returns the kept object; undefined where Node makes no such object.
 */
export const keepTickClass = (): object | undefined => {
  const hook = createHook({
    init(_id, type, _trigger, resource) {
      if (type === "TickObject") keptTick ??= resource;
    },
  }).enable();
  process.nextTick(() => {});
  hook.disable();
  return keptTick;
};

/** Collects garbage from the start, some 20 ms: V8 itself would wait for new objects, possibly for minutes. */
export const collectGarbage = (): void => {
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("gc");
  setFlagsFromString("--no-expose-gc");
  if (typeof collect === "function") collect();
};
