import { readFileSync } from "node:fs";

/** The kernel's clock ticks per second, in which /proc counts CPU time. */
export const TICKS_PER_SECOND = 100;

/** User and system time of all threads of these processes together, in clock ticks. */
export const cpuTicks = (pids: number[]): number =>
  pids.reduce((sum, pid) => {
    // The second field is the program's name in brackets and may hold blanks.
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return sum + Number(fields[11]) + Number(fields[12]);
  }, 0);
