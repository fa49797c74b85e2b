import { createRandom } from "@tollgate/testkit/random";
import { seeds } from "@tollgate/testkit/seeds";
import { describe, expect, it } from "vitest";
import { BytePieces } from "./byte-pieces";

describe("BytePieces", () => {
  it.each(seeds(60))("gives out the bytes in order, however they are cut (seed %i)", (seed) => {
    const random = createRandom(seed);
    const gathered = new BytePieces();
    const sizes = [0, 1, 2, 100, 5_000, 16_384, 70_000];
    for (let round = 0; round < 3; round += 1) {
      const expected: Buffer[] = [];
      const count = Math.floor(random() * 200);
      for (let index = 0; index < count; index += 1) {
        const size = sizes[Math.floor(random() * sizes.length)] as number;
        const piece = Buffer.alloc(size, Math.floor(random() * 256));
        expected.push(piece);
        gathered.push(piece);
        if (size > 0) expect(gathered.lastByte).toBe(piece.at(-1));
      }
      const all = Buffer.concat(expected);
      expect(gathered.length).toBe(all.length);
      expect(gathered.take().equals(all)).toBe(true);
      expect(gathered.length).toBe(0);
      expect(gathered.lastByte).toBeUndefined();
    }
  });

  it("gives out a single piece without copying it", () => {
    const gathered = new BytePieces();
    const piece = Buffer.from("one");
    gathered.push(piece);
    expect(gathered.take()).toBe(piece);
  });

  it("keeps one object for thousands of pieces of one byte", () => {
    const gathered = new BytePieces();
    for (let index = 0; index < 50_000; index += 1) gathered.push(Buffer.from("x"));
    expect(gathered.takePieces().length).toBeLessThan(20);
  });
});
