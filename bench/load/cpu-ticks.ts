import { readFileSync } from "node:fs";

/** The kernel's clock ticks per second, in which /proc counts CPU time. */
export const TICKS_PER_SECOND = 100;

/** The fields of a file of /proc, from the third on (https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html). */
const readFields = (file: string): string[] => {
  // The second field is the program's name in brackets and may hold blanks.
  const stat = readFileSync(file, "utf8");
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
};

/** User and system time from a file of /proc. */
const readTicks = (file: string): number => {
  const fields = readFields(file);
  return Number(fields[11]) + Number(fields[12]);
};

/** User and system time of all threads of these processes together, in clock ticks. */
export const cpuTicks = (pids: number[]): number =>
  pids.reduce((sum, pid) => sum + readTicks(`/proc/${pid}/stat`), 0);

/** User and system time of a process' first thread alone, in clock ticks: of Node the one that runs the program. */
export const threadTicks = (pid: number): number => readTicks(`/proc/${pid}/task/${pid}/stat`);

/** User and system time of a process, of its children, and of those that it had, in clock ticks. */
export const familyTicks = (pid: number): number => {
  const fields = readFields(`/proc/${pid}/stat`);
  let sum = [11, 12, 13, 14].reduce((total, field) => total + Number(fields[field]), 0);
  for (const child of readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ")) {
    try {
      if (child !== "") sum += readTicks(`/proc/${child}/stat`);
    } catch {
      // It has ended since: its parent counts it from now on.
    }
  }
  return sum;
};
