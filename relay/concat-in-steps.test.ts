import { describe, expect, it, vi } from "vitest";
import { CONCAT_STEP_BYTES, concatInSteps } from "./concat-in-steps";

const run = (pieces: readonly Uint8Array[]) => {
  const set = vi.spyOn(Buffer.prototype, "set");
  try {
    const work = concatInSteps(pieces);
    const copied: number[] = [];
    for (;;) {
      set.mockClear();
      const { done, value } = work.next();
      copied.push(set.mock.calls.reduce((sum, [part]) => sum + (part as Uint8Array).byteLength, 0));
      if (done) return { whole: value, copied };
    }
  } finally {
    set.mockRestore();
  }
};

describe("joining the pieces of a large answer", () => {
  it("gives the same bytes as joining them at once", () => {
    for (const pieces of [[], [Buffer.from("a")], [Buffer.from("a"), Buffer.alloc(0), Buffer.from("bc")]])
      expect(run(pieces).whole).toEqual(Buffer.concat(pieces));
  });

  it("copies in one turn no more than a step", () => {
    const pieces = [3, CONCAT_STEP_BYTES, 5, 2 * CONCAT_STEP_BYTES + 7].map((size, i) =>
      Buffer.alloc(size, i + 1),
    );
    const { whole, copied } = run(pieces);
    expect(whole.equals(Buffer.concat(pieces))).toBe(true);
    expect(Math.max(...copied)).toBeLessThanOrEqual(CONCAT_STEP_BYTES);
    expect(copied).toHaveLength(4);
  });
});
