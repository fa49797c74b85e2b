import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { readDurationSeconds } from "../audio-duration";

const PAGE = `4f676753000{first}${"0".repeat(16)}01${"0".repeat(22)}01`;
const page = (isFirst: boolean, content: string): string =>
  PAGE.replace("{first}", isFirst ? "2" : "0") + (content.length / 2).toString(16).padStart(2, "0") + content;
const NAME = Buffer.from("vorbis").toString("hex");

/** A stream whose setup has one codebook with a table of values. @param shape dimensions and entries. */
const vorbisWith = (shape: string): Buffer => {
  const codebook = `424356${shape}`;
  return Buffer.from(
    page(true, `01${NAME}0000000001803e0000${"0".repeat(24)}b801`) +
      page(false, `03${NAME}`) +
      page(false, `05${NAME}00${codebook}80${"0".repeat(80)}`),
    "hex",
  );
};

describe("a codebook of Vorbis", () => {
  it.each([
    ["no dimensions and one entry", "0000010000"],
    ["no dimensions and many entries", "0000ffffff"],
    ["no entries", "0100000000"],
    ["more values than a decoder accepts", "ffffffffff"],
  ])("with %s ends", (_, shape) => {
    const file = vorbisWith(shape);
    const read = (): unknown => readDurationSeconds(file);
    // A time limit that stops a loop without an end.
    expect(runInNewContext("read()", { read }, { timeout: 5000 })).toBe(file.length / 2000);
  });
});
