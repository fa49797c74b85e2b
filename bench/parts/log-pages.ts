import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { killAtExit, PROGRAMS_FOLDER } from "../load/start-program";
import type { Settings } from "../settings";
import type { Verdict } from "../verdicts";
import type { Part } from "./part";

const ROWS = 10_000_000;

/** Every page and total of a large log (logs/bench-logs.ts), in a process of its own, which tells what it found. */
const measure = async ({ isQuick, rows }: Settings, folder: string | undefined, ...more: string[]) => {
  const words = ["--rows", String(rows ?? (isQuick ? ROWS / 10 : ROWS)), ...more];
  if (folder !== undefined) words.push("--folder", folder);
  const child = killAtExit(fork(join(PROGRAMS_FOLDER, "bench-logs.js"), words));
  const verdicts: Verdict[] = [];
  child.on("message", (verdict) => verdicts.push(verdict as Verdict));
  const [code] = (await once(child, "exit")) as [number | null];
  if (code !== 0) throw new Error("measuring the log failed");
  return verdicts;
};

export const logPages: Part = (settings) => measure(settings, settings.folder);

export const postgresLogPages: Part = (settings) => measure(settings, settings.postgresFolder, "--postgres");
