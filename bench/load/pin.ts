import { execFileSync } from "node:child_process";
import { availableParallelism } from "node:os";

/** Whether a program is in the path. */
export const hasProgram = (name: string): boolean => {
  try {
    execFileSync("which", [name], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
};

const TASKSET = "taskset";

/** Whether relays get their own core: Linux with two cores or more. */
export const canPin = hasProgram(TASKSET) && availableParallelism() > 1;

/** The core of the measured target, and that of load and upstream. */
export const RELAY_CORE = 0;
export const LOAD_CORE = 1;

/** Words in front of a command that keep it on one core; none where that cannot be done, or for undefined. */
export const pin = (core: number | undefined): string[] =>
  canPin && core !== undefined ? [TASKSET, "-c", String(core)] : [];

/** Pins a running process, and its future children, to one core. */
export const pinRunning = (pid: number, core: number): void => {
  if (canPin) execFileSync(TASKSET, ["-pc", String(core), String(pid)], { stdio: "ignore" });
};
