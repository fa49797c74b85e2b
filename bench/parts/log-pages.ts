import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { killAtExit, PROGRAMS_FOLDER } from "../load/start-program";
import type { Settings } from "../settings";
import type { Verdict } from "../verdicts";
import type { Part } from "./part";

const ROWS = 10_000_000;
const ROWS_BESIDE_LISTS = 1_000_000;

/** Runs logs/bench-logs.ts in its own process, which reports its results. @param usual lines of the log. */
const run = async (
  { isQuick, rows }: Settings,
  usual: number,
  folder: string | undefined,
  ...more: string[]
): Promise<Verdict[]> => {
  const words = ["--rows", String(rows ?? (isQuick ? usual / 10 : usual)), ...more];
  if (folder !== undefined) words.push("--folder", folder);
  const child = killAtExit(fork(join(PROGRAMS_FOLDER, "bench-logs.js"), words));
  const verdicts: Verdict[] = [];
  child.on("message", (verdict) => verdicts.push(verdict as Verdict));
  const [code] = (await once(child, "exit")) as [number | null];
  if (code !== 0) throw new Error("measuring the log failed");
  return verdicts;
};

/** Every page and total of a large log. */
export const logPages: Part = (settings) => run(settings, ROWS, settings.folder);

export const postgresLogPages: Part = (settings) =>
  run(settings, ROWS, settings.postgresFolder, "--postgres");

/** Every list of a large installation. */
export const listPages: Part = (settings) =>
  run(settings, ROWS_BESIDE_LISTS, settings.listsFolder, "--lists");

export const postgresListPages: Part = (settings) =>
  run(settings, ROWS_BESIDE_LISTS, settings.postgresListsFolder, "--lists", "--postgres");
