/**
 * A small deterministic generator (mulberry32), so that whatever a seed found can be found again. It goes through all of
 * its 2^32 states: one that repeats itself soon tries the same few cases again and again, whatever its seed.
 * @returns numbers from 0 up to, but without, 1.
 */
export const createRandom = (seed: number): (() => number) => {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
};
