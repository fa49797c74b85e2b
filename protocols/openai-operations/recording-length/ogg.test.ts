import { describe, expect, it } from "vitest";
import { readDurationSeconds } from "../audio-duration";

const FIRST = 2;

/** A page of one packet of at most 254 bytes; readers search a page with a wrong checksum as well. */
const page = (serial: number, flags: number, packet: Buffer): Buffer => {
  const head = Buffer.alloc(28);
  head.write("OggS");
  head.writeUInt8(flags, 5);
  head.writeUInt32LE(serial, 14);
  head.writeUInt8(1, 26);
  head.writeUInt8(packet.length, 27);
  return Buffer.concat([head, packet]);
};

/** One packet of Opus, and a minute of another stream. */
const fileOf = (name: string, decoys = 0): Buffer =>
  Buffer.concat([
    page(1, FIRST, Buffer.from("OpusHead".padEnd(19, "\0"))),
    ...Array.from({ length: decoys }, (_, index) =>
      page(100 + index, FIRST, Buffer.from("\x80theora", "latin1")),
    ),
    page(2, FIRST, Buffer.from(name, "latin1")),
    page(1, 0, Buffer.from("OpusTags")),
    page(1, 0, Buffer.from([8, 0])),
    ...Array.from({ length: 600 }, () => page(2, 0, Buffer.alloc(200))),
  ]);

describe("an Ogg file with one packet of Opus beside another stream", () => {
  it("counts sound of an unknown kind by its size", () => {
    expect(readDurationSeconds(fileOf("\x01audio"))).toBeCloseTo(60, 0);
  });

  it("counts no pictures", () => {
    expect(readDurationSeconds(fileOf("\x80theora"))).toBeCloseTo(0.02, 3);
  });

  it("counts by the size behind more streams than are told apart", () => {
    expect(readDurationSeconds(fileOf("\x01audio", 80))).toBeGreaterThan(60);
  });
});
