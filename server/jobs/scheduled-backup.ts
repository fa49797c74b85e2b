import { spawn } from "node:child_process";
import { mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { constants, setPriority } from "node:os";
import { join } from "node:path";
import type { Notices } from "../notices/notices";
import type { Job } from "./start-job";

/** When backups are made by themselves. */
export interface BackupPlan {
  folder: string;
  /** From 0 to 23, by this machine's clock. */
  hour: number;
  /** Number of files to keep. */
  keep: number;
}

/** Interval for checking whether a backup is due; also the delay before a failed one is retried. */
const LOOK_MS = 600_000;
/** Interval for checking whether the process stops. */
const STOP_MS = 200;
const DAY_MS = 86_400_000;

const NAME = /^tollgate-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)Z\.tar$/;
/** Files left behind by an interrupted backup. */
const LEFTOVER = /^\.tollgate-backup-/;

const nameAt = (nowMs: number): string =>
  `tollgate-${new Date(nowMs).toISOString().slice(0, 19).replaceAll(":", "-")}Z.tar`;

/**
 * Backups in a folder that this job made, newest first by start time; milliseconds since the epoch. Backups dated in
 * the future, left by a wrong clock, neither count as today's nor displace real ones.
 */
const readBackups = (folder: string, nowMs: number): { name: string; madeAt: number }[] =>
  readdirSync(folder)
    .flatMap((name) => {
      const [, day, hours, minutes, seconds] = NAME.exec(name) ?? [];
      return day === undefined
        ? []
        : [{ name, madeAt: Date.parse(`${day}T${hours}:${minutes}:${seconds}Z`) }];
    })
    .filter(({ madeAt }) => madeAt <= nowMs)
    .sort((one, other) => other.madeAt - one.madeAt);

/** When the newest backup was due. */
const dueAt = (hour: number, nowMs: number): number => {
  const due = new Date(nowMs);
  due.setHours(hour, 0, 0, 0);
  if (due.getTime() > nowMs) due.setDate(due.getDate() - 1);
  return due.getTime();
};

const removeLeftovers = (folder: string, nowMs: number): void => {
  for (const name of readdirSync(folder).filter((each) => LEFTOVER.test(each)))
    if (nowMs - statSync(join(folder, name)).mtimeMs > DAY_MS)
      rmSync(join(folder, name), { recursive: true, force: true });
};

export interface BackupTools {
  plan: BackupPlan;
  /** Writes a backup into a new file. @throws Error with the reason. */
  write(file: string, isStopped: () => boolean): Promise<void>;
  notices: Pick<Notices, "raise" | "resolve">;
  /** Milliseconds since the epoch. */
  now(): number;
}

/** Writes a backup every day, keeps the newest, and notifies people once when it fails, and when it works again. */
export const scheduledBackups = ({ plan, write, notices, now }: BackupTools): Job => {
  const { folder, hour, keep } = plan;
  const attempt = async (isStopped: () => boolean): Promise<void> => {
    const nowMs = now();
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const [newest] = readBackups(folder, nowMs);
    if (newest && newest.madeAt >= dueAt(hour, nowMs)) return;
    removeLeftovers(folder, nowMs);
    try {
      await write(join(folder, nameAt(nowMs)), isStopped);
      notices.resolve("backup-failed", folder);
    } finally {
      // A backup of faulty data is written and reported, and counts as well: the disk would fill.
      for (const { name } of readBackups(folder, nowMs).slice(keep))
        rmSync(join(folder, name), { force: true });
    }
  };
  return {
    name: "backing-up",
    everyMs: LOOK_MS,
    async run(isStopped) {
      try {
        await attempt(isStopped);
      } catch (error) {
        if (isStopped()) return;
        const reason = error instanceof Error ? error.message : String(error);
        notices.raise({ event: "backup-failed", subject: folder, params: { place: folder, reason } });
        throw error;
      }
    },
  };
};

/** The last line of a command's output. */
const lastLine = (text: string): string => text.trimEnd().split("\n").at(-1) ?? "";

/**
 * Writes a backup by the command, in a separate process: copying would stop every stream of this one. The command sends
 * no notice: the job reports the outcome, once.
 * @param script the built command. @param environment names the location of the data.
 */
export const writeByCommand =
  (script: string, environment: NodeJS.ProcessEnv): BackupTools["write"] =>
  (file, isStopped) =>
    new Promise((resolve, reject) => {
      const child = spawn(process.execPath, [script, "backup", "--untold", file], {
        env: environment,
        stdio: ["ignore", "pipe", "pipe"],
      });
      if (child.pid !== undefined) {
        try {
          setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
        } catch {
          // It has ended, or may not be changed.
        }
      }
      let [said, failed] = ["", ""];
      child.stdout.on("data", (chunk: Buffer) => {
        said += chunk.toString();
      });
      child.stderr.on("data", (chunk: Buffer) => {
        failed += chunk.toString();
      });
      const watch = setInterval(() => {
        if (isStopped()) child.kill();
      }, STOP_MS);
      child.on("error", (error) => {
        clearInterval(watch);
        reject(error);
      });
      child.on("close", (status) => {
        clearInterval(watch);
        if (status === 0) resolve();
        // Also for a file that was written but holds faulty data: the faults are reported, and the file stays.
        else reject(new Error(lastLine(failed) || lastLine(said) || `the command ended with ${status}`));
      });
    });
