import { describe, expect, it } from "vitest";
import { readDurationInSteps, readDurationSeconds } from "../audio-duration";

const EBML = "1a45dfa380";
const SEGMENT = "18538067ff";
const CLUSTER = "1f43b675";

const hex = (...pieces: string[]): Buffer => Buffer.from(pieces.join("").replaceAll(" ", ""), "hex");
const element = (id: string, content: string): string =>
  id + (0x4000 + content.length / 2).toString(16) + content;
const track = (codec: string, number = "01", more = ""): string =>
  element("ae", element("d7", number) + element("86", Buffer.from(codec).toString("hex")) + more);
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

describe("a Matroska file with one packet of Opus beside another track", () => {
  const KIND = { sound: element("83", "02"), picture: element("83", "01") };
  const SECOND = Buffer.concat([hex("a3 4fa4 82 0000 80"), Buffer.alloc(4000)]);
  const fileOf = (other: string, stated = ""): Buffer =>
    Buffer.concat([
      hex(EBML, SEGMENT, stated, tracks(track("A_OPUS"), other)),
      hex(CLUSTER, "ff a3 86 81 0000 80 0800"),
      ...Array.from({ length: 60 }, () => SECOND),
    ]);

  it.each([
    ["in a codec without a clock", track("A_WAVPACK4", "02")],
    ["in a codec of any name", track("anything", "02", KIND.sound)],
    ["that is packed once more", track("A_OPUS", "02", element("6d80", ""))],
  ])("counts the sound %s by its size", (_, other) => {
    expect(readDurationSeconds(fileOf(other))).toBeCloseTo(60, 0);
  });

  it("counts no pictures", () => {
    expect(readDurationSeconds(fileOf(track("V_VP8", "02", KIND.picture)))).toBeCloseTo(0.02, 3);
  });

  it("believes a stated length that is longer", () => {
    const minutes = Buffer.alloc(8);
    minutes.writeDoubleBE(300_000);
    const stated = element("1549a966", element("4489", minutes.toString("hex")));
    expect(readDurationSeconds(fileOf(track("A_DTS", "02"), stated))).toBe(300);
    expect(readDurationSeconds(fileOf(track("V_VP8", "02", KIND.picture), stated))).toBeCloseTo(0.02, 3);
  });

  it("counts by the size behind more tracks than are read", () => {
    const decoys = Array.from({ length: 120 }, () => track("V_VP8", "03")).join("");
    expect(readDurationSeconds(fileOf(decoys + track("A_DTS", "02")))).toBeGreaterThan(60);
  });
});
