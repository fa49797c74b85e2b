import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { mutate } from "@tollgate/testkit/recordings/mutate";
import { someOf } from "@tollgate/testkit/seeds";
import { describe, expect, it } from "vitest";
import { readDurationSeconds } from "../audio-duration";

const FOLDER = fileURLToPath(new URL("../../../testkit/recordings/", import.meta.url));
const TABLE = join(FOLDER, "lengths.json");
const NAMES = readdirSync(join(FOLDER, "files")).sort();
const SEEDS = 60;

const readHonest = (name: string): Buffer => readFileSync(join(FOLDER, "files", name));

/** Seconds that ffmpeg decodes, as Whisper has its recordings decoded. */
const decode = (path: string): number => {
  const { stdout } = spawnSync(
    "ffmpeg",
    ["-loglevel", "quiet", "-nostdin", "-i", path, "-vn", "-f", "s16le", "-ac", "1", "-ar", "16000", "-"],
    { timeout: 20_000, maxBuffer: 64 * 1024 * 1024 },
  );
  return Math.round((stdout.length / 32_000) * 1000) / 1000;
};

/** Decoded length of an honest file (seed 0) and of its mutants, those that cannot be decoded left out. */
type Lengths = Record<string, Record<string, number>>;

it.runIf(process.env.RECORD_LENGTHS === "yes")("records the length that a decoder finds", () => {
  const scratch = mkdtempSync(join(tmpdir(), "recordings-"));
  const lengths: Lengths = {};
  for (const name of NAMES) {
    const found: Record<string, number> = {};
    for (let seed = 0; seed <= SEEDS; seed += 1) {
      const path = join(scratch, name);
      writeFileSync(path, seed === 0 ? readHonest(name) : mutate(readHonest(name), seed));
      const seconds = decode(path);
      if (seconds > 0) found[seed] = seconds;
    }
    lengths[name] = found;
  }
  rmSync(scratch, { recursive: true });
  writeFileSync(TABLE, `${JSON.stringify(lengths, undefined, 2)}\n`);
});

const LENGTHS = JSON.parse(readFileSync(TABLE, "utf8")) as Lengths;

/** Share and seconds that may be missing: decoders fill gaps, and begin with a part of a frame. */
const TOLERANCE = { share: 0.05, seconds: 0.1 };

describe("the length of a recording, compared with a decoder (M16)", () => {
  it.each(NAMES)("is within a few per cent for the honest file %s", (name) => {
    const seconds = readDurationSeconds(readHonest(name)) ?? 0;
    const decoded = LENGTHS[name]?.[0] ?? Number.NaN;
    expect(seconds).toBeGreaterThan(decoded * 0.99);
    // Coders add a part of a frame at the begin and the end.
    expect(seconds).toBeLessThan(decoded * 1.02 + 0.13);
  });

  it.each(NAMES)("is never less for %s with rewritten headers", (name) => {
    const honest = readHonest(name);
    const tried = someOf(Object.entries(LENGTHS[name] ?? {}).filter(([seed]) => seed !== "0"));
    expect(tried.length).toBeGreaterThan(0);
    for (const [seed, decoded] of tried) {
      const mutant = mutate(honest, Number(seed));
      // A file of no known kind counts by its size.
      const seconds = readDurationSeconds(mutant) ?? mutant.length / 4000;
      expect(seconds, `seed ${seed}`).toBeGreaterThan(decoded * (1 - TOLERANCE.share) - TOLERANCE.seconds);
    }
  });
});
