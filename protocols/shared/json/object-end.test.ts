import { describe, expect, it, vi } from "vitest";
import { ObjectEnd } from "./object-end";

const TEXT = JSON.stringify({ a: 'x"}\\', "{": [{ b: '\\\\"' }, "]}"], c: {} });

describe("the end of an object that comes in pieces", () => {
  it("is seen at its last bracket, wherever it is cut", () => {
    for (let first = 0; first <= TEXT.length; first += 1)
      for (let second = first; second <= TEXT.length; second += 1) {
        const end = new ObjectEnd();
        const pieces = [TEXT.slice(0, first), TEXT.slice(first, second), TEXT.slice(second, -1)];
        for (const piece of pieces) end.push(piece);
        expect(end.isReached).toBe(second === TEXT.length);
        end.push("} ");
        expect(end.isReached).toBe(true);
      }
  });

  /** A long string within an object, and what ends both. */
  const LONG = `{"a":"${"{".repeat(1024 * 1024)}`;
  const REST = '"}';

  it("is also found after a long piece, and an earlier check does not change it", () => {
    for (const isAsked of [false, true]) {
      const end = new ObjectEnd();
      end.push(LONG);
      if (isAsked) expect(end.isReached).toBe(false);
      end.push(LONG.slice(6));
      if (isAsked) expect(end.isReached).toBe(false);
      end.push(REST);
      expect(end.isReached).toBe(true);
    }
  });

  it("is not searched in a long piece before a caller checks (issue 11: no hold above 50 ms)", () => {
    const write = vi.spyOn(Buffer.prototype, "write");
    try {
      const end = new ObjectEnd();
      end.push(LONG + REST);
      expect(write).not.toHaveBeenCalled();
      expect(end.isReached).toBe(true);
      expect(write).toHaveBeenCalled();
    } finally {
      write.mockRestore();
    }
  });
});
