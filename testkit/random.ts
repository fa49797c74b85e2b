/**
 * A small deterministic generator (mulberry32), so that every failure of a seed is reproducible. It visits all of its
 * 2^32 states: one with short cycles would repeat the same few cases for any seed.
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
