import { readFileSync } from "node:fs";

/**
 * What all programs of the machine worked since it started, in clock ticks: user, nice and system time, and what the
 * host took away (steal). Interrupts are left out, as no process is charged for them.
 */
export const machineTicks = (): number => {
  const [user = 0, nice = 0, system = 0, , , , , steal = 0] = readFileSync("/proc/stat", "utf8")
    .slice("cpu ".length, 200)
    .trim()
    .split(/\s+/)
    .map(Number);
  return user + nice + system + steal;
};
