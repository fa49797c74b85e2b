import { readFileSync, writeFileSync } from "node:fs";

const readField = (pid: number, field: string): number => {
  const kib = new RegExp(`^${field}:\\s+(\\d+) kB$`, "m").exec(
    readFileSync(`/proc/${pid}/status`, "utf8"),
  )?.[1];
  return (Number(kib) * 1024) / 1e6;
};

const sum = (pids: readonly number[], field: string): number =>
  pids.reduce((total, pid) => total + readField(pid, field), 0);

/** Current resident memory of these processes (VmRSS), in MB of a million bytes. */
export const residentMb = (pids: readonly number[]): number => sum(pids, "VmRSS");

/** The most that they had in memory since their start or the last `forgetPeak` (VmHWM), in MB. */
export const peakResidentMb = (pids: readonly number[]): number => sum(pids, "VmHWM");

/** Lets the peak begin again (https://man7.org/linux/man-pages/man5/proc_pid_clear_refs.5.html). */
export const forgetPeak = (pids: readonly number[]): void => {
  for (const pid of pids) writeFileSync(`/proc/${pid}/clear_refs`, "5");
};
