import { readFileSync } from "node:fs";

/** The kernel's clock ticks per second, in which /proc counts CPU time. */
export const TICKS_PER_SECOND = 100;

/** User and system time that a file of /proc tells. */
const readTicks = (file: string): number => {
  // The second field is the program's name in brackets and may hold blanks.
  const stat = readFileSync(file, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return Number(fields[11]) + Number(fields[12]);
};

/** User and system time of all threads of these processes together, in clock ticks. */
export const cpuTicks = (pids: number[]): number =>
  pids.reduce((sum, pid) => sum + readTicks(`/proc/${pid}/stat`), 0);

/** User and system time of a process' first thread alone, in clock ticks: of Node the one that runs the program. */
export const threadTicks = (pid: number): number => readTicks(`/proc/${pid}/task/${pid}/stat`);
