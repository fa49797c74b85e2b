import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { runInNewContext } from "node:vm";
import { recordWav } from "@tollgate/testkit/answer-shapes/recording";
import { createRandom } from "@tollgate/testkit/random";
import { findMarks, mutate } from "@tollgate/testkit/recordings/mutate";
import { seeds } from "@tollgate/testkit/seeds";
import { expect, it } from "vitest";
import { readDurationInSteps } from "../audio-duration";

/*
 * Fields that hold a size or a count are zeroed, filled or replaced in valid files: a loop whose progress depends on such
 * a field would not end, or do too much in one step.
 */

const FOLDER = fileURLToPath(new URL("../../../testkit/recordings/files/", import.meta.url));
const FILES: readonly (readonly [string, Buffer])[] = [
  ["a silent WAV", recordWav(20)],
  ...readdirSync(FOLDER).map((name) => [name, readFileSync(`${FOLDER}${name}`)] as const),
];
const SEEDS = 100;
/** The smallest recording that is read in several turns. */
const SIZE = 128 * 1024;
const HEAD_BYTES = 500;
const MAX_CHANGES = 4;
const CODEBOOK = 0x564342;
const SETUP_BYTES = 5000;

const readBits = (bytes: Uint8Array, at: number, count: number): number => {
  let value = 0;
  for (let bit = at + count - 1; bit >= at; bit -= 1)
    value = value * 2 + (((bytes[bit >> 3] ?? 0) >> (bit & 7)) & 1);
  return value;
};

/** Positions of bits near which fields are: names of chunks, and codebooks of Vorbis, which begin within a byte. */
const findFields = (honest: Buffer): { names: number[]; codebooks: number[] } => {
  const end = honest.includes("vorbis") ? Math.min(honest.length, SETUP_BYTES) * 8 : 0;
  const codebooks = Array.from({ length: end }, (_, at) => at).filter(
    (at) => readBits(honest, at, 24) === CODEBOOK,
  );
  return { names: findMarks(honest).map((at) => at * 8), codebooks: codebooks.map((at) => at + 24) };
};

/** Sets some bits to zeros, ones or anything. */
const overwrite = (bytes: Buffer, from: number, count: number, below: (limit: number) => number): void => {
  const kind = below(3);
  for (let bit = from; bit < Math.min(from + count, bytes.length * 8); bit += 1) {
    const mask = 1 << (bit & 7);
    const isSet = kind === 2 ? below(2) === 1 : kind === 1;
    const byte = bytes[bit >> 3] ?? 0;
    bytes[bit >> 3] = isSet ? byte | mask : byte & ~mask;
  }
};

const damage = (honest: Buffer, fields: ReturnType<typeof findFields>, seed: number): Buffer => {
  const fraction = createRandom(seed * 104_729);
  const below = (limit: number): number => Math.floor(fraction() * limit);
  const pick = (places: readonly number[]): number => places[below(places.length)] ?? 8 * below(HEAD_BYTES);
  let bytes = Buffer.from(below(3) > 0 ? honest : mutate(honest, seed));
  if (below(2) === 0) {
    // The beginning of a chunk is repeated up to the size.
    const from = pick(fields.names) >> 3;
    const unit = Buffer.from(bytes.subarray(from, from + 4 + below(60)));
    for (let change = below(3); change > 0; change -= 1)
      overwrite(unit, 8 * below(unit.length), 8 * (1 + below(4)), below);
    const head = bytes.subarray(0, from);
    bytes = Buffer.concat([head, Buffer.alloc(SIZE - head.length, unit)]);
  }
  for (let change = below(MAX_CHANGES); change > 0; change -= 1) {
    const near = below(3);
    const from =
      near === 0
        ? pick(fields.codebooks)
        : near === 1
          ? pick(fields.names) + 8 * below(12)
          : 8 * below(HEAD_BYTES);
    overwrite(bytes, from, 8 * (1 + below(4)), below);
  }
  return bytes;
};

/** Steps of a reading, and the longest one's milliseconds of the processor. */
const measure = (bytes: Uint8Array): { steps: number; longestMs: number } => {
  const reading = readDurationInSteps(bytes);
  let steps = 0;
  let longestMs = 0;
  for (let isOver = false; !isOver && steps < SIZE; steps += 1) {
    const before = process.cpuUsage();
    isOver = reading.next().done === true;
    longestMs = Math.max(longestMs, process.cpuUsage(before).user / 1000);
  }
  return { steps, longestMs };
};

it.each(FILES)("the reading of %s ends in few short steps, whatever its fields hold", (_, honest) => {
  const fields = findFields(honest);
  for (const seed of seeds(SEEDS)) {
    const read = (): unknown => measure(damage(honest, fields, seed));
    // A time limit that stops a loop without an end.
    const measured: unknown = runInNewContext("read()", { read }, { timeout: 20_000 });
    const { steps, longestMs } = measured as ReturnType<typeof measure>;
    expect(steps, `seed ${seed}`).toBeLessThan(300);
    // Generous: a step takes a few milliseconds, to which compiling and collecting are added.
    expect(longestMs, `seed ${seed}`).toBeLessThan(200);
  }
});
