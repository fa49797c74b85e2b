import { readFileSync } from "node:fs";

/**
 * CPU time of all programs of the machine since it started, in clock ticks: user, nice and system time, and time taken
 * by the host (steal). Interrupts are excluded, as no process is charged for them.
 */
export const machineTicks = (): number => {
  const [user = 0, nice = 0, system = 0, , , , , steal = 0] = readFileSync("/proc/stat", "utf8")
    .slice("cpu ".length, 200)
    .trim()
    .split(/\s+/)
    .map(Number);
  return user + nice + system + steal;
};
