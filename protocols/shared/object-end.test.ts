import { describe, expect, it } from "vitest";
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
});
