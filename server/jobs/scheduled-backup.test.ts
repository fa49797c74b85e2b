import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { scheduledBackups, writeByCommand } from "./scheduled-backup";

const HOUR_MS = 3_600_000;
/** Three in the afternoon, by this machine's clock. */
const AFTERNOON = new Date(2026, 10, 22, 15).getTime();

let parent: string;
let folder: string;

beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), "tollgate-scheduled-"));
  folder = join(parent, "backups");
});
afterEach(() => rmSync(parent, { recursive: true }));

const setUp = () => {
  const clock = { now: AFTERNOON };
  const told: unknown[] = [];
  const state = { fault: undefined as Error | undefined, writesFaulty: false };
  const job = scheduledBackups({
    plan: { folder, hour: 3, keep: 2 },
    async write(file) {
      if (state.fault) throw state.fault;
      writeFileSync(file, "");
      if (state.writesFaulty) throw new Error("the data has a fault");
    },
    notices: {
      raise: (notice) => void told.push(notice),
      resolve: (...incident) => void told.push(incident),
    },
    now: () => clock.now,
  });
  const look = (): Promise<void> => job.run(() => false);
  const at = async (hours: number): Promise<string[]> => {
    clock.now = AFTERNOON + hours * HOUR_MS;
    await look();
    return readdirSync(folder).sort();
  };
  return { clock, told, state, look, at, job };
};

describe("backups that are made by themselves", () => {
  it("are made once a day from the hour on, and the newest are kept", async () => {
    const { at } = setUp();
    const first = await at(0);
    expect(first).toEqual([expect.stringMatching(/^tollgate-2026-11-2\dT\d\d-00-00Z\.tar$/)]);
    expect(await at(11.9)).toEqual(first);
    const second = await at(12);
    expect(second).toHaveLength(2);
    expect(await at(35.9)).toEqual(second);
    writeFileSync(join(folder, "somebody-else's.tar"), "");
    const third = await at(36);
    expect(third).toContain("somebody-else's.tar");
    expect(third).not.toContain(first[0]);
    expect(third).toHaveLength(3);
  });

  it("are made whatever a wrong clock has left in the folder, and take no place of real ones", async () => {
    const { at } = setUp();
    mkdirSync(folder);
    const wrong = ["tollgate-2031-01-01T03-00-00Z.tar", "tollgate-2026-99-99T99-99-99Z.tar"];
    for (const name of ["tollgate-2032-01-01T03-00-00Z.tar", ...wrong]) writeFileSync(join(folder, name), "");
    expect(await at(0)).toHaveLength(4);
    await at(24);
    const files = await at(48);
    expect(files.filter((name) => name.startsWith("tollgate-2026-11"))).toHaveLength(2);
  });

  it("are as many of faulty data, so that the disk does not fill", async () => {
    const { at, state, clock, look } = setUp();
    state.writesFaulty = true;
    for (const hours of [0, 24, 48, 72]) {
      clock.now = AFTERNOON + hours * HOUR_MS;
      await expect(look()).rejects.toThrow("the data has a fault");
    }
    expect(await at(72.1)).toHaveLength(2);
  });

  it("tell people where one failed, try again, and tell when it works", async () => {
    const { at, state, told, look, job } = setUp();
    state.fault = new Error("no room on the disk");
    await expect(look()).rejects.toThrow("no room");
    const notice = {
      event: "backup-failed",
      subject: folder,
      params: { place: folder, reason: "no room on the disk" },
    };
    expect(told).toEqual([notice]);
    // A process that stops cuts its own backup off.
    await job.run(() => true);
    expect(told).toEqual([notice]);
    state.fault = undefined;
    expect(await at(0.2)).toHaveLength(1);
    expect(told).toEqual([notice, ["backup-failed", folder]]);
  });

  it("leave nothing behind of one that was cut off long ago", async () => {
    const { at } = setUp();
    const [old, young] = [join(folder, ".tollgate-backup-old"), join(folder, ".tollgate-backup-young")];
    for (const path of [old, young]) mkdirSync(join(path, "stage"), { recursive: true });
    const at1 = AFTERNOON / 1000;
    utimesSync(old, at1 - 90_000, at1 - 90_000);
    utimesSync(young, at1, at1);
    expect(await at(0)).toEqual([".tollgate-backup-young", expect.stringContaining("tollgate-2026")]);
  });

  it("are written by the command, whose last words are the reason where it fails, and which ends with this process", async () => {
    const script = join(parent, "command.mjs");
    writeFileSync(
      script,
      `if (process.env.HOW === "fail") { console.error("first\\nThe disk is full."); process.exit(1); }
       if (process.env.HOW === "hang") setInterval(() => {}, 1000);
       if (process.argv.slice(2).join(" ") !== "backup --untold file.tar") process.exit(2);`,
    );
    const write = (how: string, isStopped = () => false) =>
      writeByCommand(script, { ...process.env, HOW: how })("file.tar", isStopped);
    await write("");
    await expect(write("fail")).rejects.toThrow(/^The disk is full\.$/);
    await expect(write("hang", () => true)).rejects.toThrow();
  });
});
