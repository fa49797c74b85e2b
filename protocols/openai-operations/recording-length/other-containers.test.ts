import { describe, expect, it } from "vitest";
import { readDurationInSteps, readDurationSeconds } from "../audio-duration";

const chunk = (name: string, content: Buffer): Buffer => {
  const head = Buffer.alloc(8);
  head.write(name);
  head.writeUInt32BE(content.length, 4);
  return Buffer.concat([head, content]);
};

/** @param rate of 16 bits, as an exponent. */
const describeSound = (kind: string, exponent: number): Buffer => {
  const content = Buffer.alloc(22);
  content.writeUInt16BE(1, 0);
  content.writeUInt16BE(16, 6);
  content.writeUInt16BE(16_383 + exponent, 8);
  content.writeUInt32BE(0x80000000, 10);
  content.write(kind, 18);
  return chunk("COMM", content);
};

const aiff = (...chunks: Buffer[]): Buffer => Buffer.concat([Buffer.from("FORM\0\0\0\0AIFC"), ...chunks]);

describe("an AIFF file", () => {
  it("is read in steps", () => {
    const empty = chunk("ANNO", Buffer.alloc(0));
    const steps = readDurationInSteps(aiff(...Array.from({ length: 50_000 }, () => empty)));
    let count = 0;
    while (!steps.next().done) count += 1;
    expect(count).toBeGreaterThan(20);
  });

  it("counts an unknown kind of sound by its size, whatever is described before it", () => {
    const sound = chunk("SSND", Buffer.alloc(240_008));
    const decoy = describeSound("NONE", 30);
    expect(readDurationSeconds(aiff(decoy, sound))).toBeLessThan(1);
    expect(readDurationSeconds(aiff(decoy, describeSound("QDM2", 13), sound))).toBeCloseTo(60, 0);
  });
});
