import { describe, expect, it } from "vitest";
import { readDurationInSteps, readDurationSeconds } from "../audio-duration";

const EBML = "1a45dfa380";
const SEGMENT = "18538067ff";
const CLUSTER = "1f43b675";

const hex = (...pieces: string[]): Buffer => Buffer.from(pieces.join("").replaceAll(" ", ""), "hex");
const element = (id: string, content: string): string =>
  id + (0x4000 + content.length / 2).toString(16) + content;
const track = (codec: string, number = "01"): string =>
  element("ae", element("d7", number) + element("86", Buffer.from(codec).toString("hex")));
const tracks = (...all: string[]): string => element("1654ae6b", all.join(""));

const fill = (head: Buffer, unit: Buffer, size: number): Buffer =>
  Buffer.concat([head, Buffer.alloc(size, unit)]);

const countSteps = (file: Buffer): number => {
  const steps = readDurationInSteps(file);
  let count = 0;
  while (count < 5000 && !steps.next().done) count += 1;
  return count;
};

describe("a Matroska file whose elements overlap", () => {
  const SIZE = 300_000;
  const head = hex(EBML, SEGMENT, tracks(track("A_FLAC"), track("A_OPUS", "02")));
  /** A cluster of some bytes, whose block claims a million. */
  const overlong = hex(CLUSTER, "88 a3 100f4240 81 0000 00");

  it.each([
    ["blocks that are longer than their clusters", head, overlong],
    ["lists of tracks that reach over all others", hex(EBML, SEGMENT), hex("1654ae6b ff")],
    ["packets of no bytes in small blocks", head, hex("a3 85 82 0000 04 ff")],
  ])("is read in steps whose number its size bounds: %s", (_, begin, unit) => {
    expect(countSteps(fill(begin, unit, SIZE))).toBeLessThan(500);
  });

  it("counts the packets behind those that use the bound up", () => {
    const packets = Buffer.alloc(9000, hex("a3 85 82 0000 80 08"));
    const cluster = Buffer.concat([hex(CLUSTER, "10002328"), packets]);
    const honest = Buffer.concat([head, cluster]);
    const file = Buffer.concat([head, Buffer.alloc(150_000, overlong), cluster]);
    expect(readDurationSeconds(honest)).toBeGreaterThan(10);
    expect(readDurationSeconds(file)).toBeGreaterThanOrEqual(readDurationSeconds(honest) ?? 0);
  });
});
