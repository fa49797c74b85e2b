import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { examine } from "../doctor/examine";
import { DataRefused } from "../errors";
import { openWriter } from "../open-sqlite";
import { checkFolderMarks, noteArriving, readArriving } from "../promote/folder-marks";
import { examineFolder, IMPORT_TOKEN, openFolderTarget } from "./folder-target";
import { openLoad } from "./open-load";

const MASTER_KEY = new Uint8Array(32).fill(7);
const NOTHING = {
  options: [],
  announcements: [],
  users: [],
  secondFactors: [],
  passkeys: [],
  tokens: [],
  channels: [],
  redemptions: [],
  plans: [],
  subscriptions: [],
};
const HIGHEST = { users: 41, tokens: 0, channels: 0, redemptions: 0 };

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tollgate-target-"));
});

afterEach(() => rmSync(folder, { recursive: true }));

const root = {
  username: "root",
  passwordHash: "",
  displayName: "",
  role: 100,
  quota: 0,
  group: "default",
  email: "",
  inviterId: 0,
  affCode: "",
  accessToken: undefined,
  createdTime: 0,
};

const makeFolder = async (...users: (typeof root)[]): Promise<void> => {
  const writer = await openWriter(join(folder, "tollgate.db"), MASTER_KEY);
  for (const user of users) await writer.repositories.users.create(user, 0, []);
  writer.close();
};

describe("a folder that may be written", () => {
  it("is missing, empty, or has no root user yet", async () => {
    expect(await examineFolder(join(folder, "none"))).toBeUndefined();
    expect(await examineFolder(folder)).toBeUndefined();
    await makeFolder(root);
    expect(await examineFolder(folder)).toBeUndefined();
  });

  it.each([
    ["root has a password", { ...root, passwordHash: "$argon2id$" }],
    ["there is another user", { ...root, username: "alice", role: 1 }],
  ])("is not one where %s", async (_, user) => {
    await makeFolder(user);
    expect(await examineFolder(folder)).toMatchObject({ users: 1 });
  });

  it("holds no unfinished promotion", async () => {
    noteArriving(folder, "some-other-token");
    await expect(examineFolder(folder)).rejects.toThrow(DataRefused);
  });
});

describe("a folder that is filled", () => {
  it("is as it was until it is taken over", async () => {
    await makeFolder(root);
    const before = readdirSync(folder).sort();
    const target = openFolderTarget(folder);
    const load = await openLoad(target.staging, MASTER_KEY);
    load.abandon();
    target.close();
    expect(readdirSync(folder).filter((name) => name !== "tollgate.lock")).toEqual(
      before.filter((name) => name !== "tollgate.lock"),
    );
  });

  it("is refused by a start that finds half of it, and begun again by an import", async () => {
    noteArriving(folder, `${IMPORT_TOKEN}1`);
    writeFileSync(join(folder, "logs.sqlite"), "half");
    expect(() => checkFolderMarks(join(folder, "tollgate.db"))).toThrow("folder-incomplete");
    expect(await examineFolder(folder)).toBeUndefined();
    const target = openFolderTarget(folder);
    const load = await openLoad(target.staging, MASTER_KEY);
    const announcement = {
      title: "news",
      body: "",
      level: "warning",
      isPinned: true,
      groups: "",
      isPublic: false,
      author: "",
      startsAt: 5,
      endsAt: 0,
      createdTime: 5,
      updatedTime: 5,
    } as const;
    await load.accounts({ ...NOTHING, announcements: [announcement] }, HIGHEST, {
      quotaPerUnit: 500_000,
      isCurrency: true,
    });
    load.finish();
    target.takeOver();
    target.close();
    expect(readArriving(folder)).toBeUndefined();
    expect(existsSync(join(folder, "importing"))).toBe(false);
    const writer = await openWriter(join(folder, "tollgate.db"), MASTER_KEY);
    const { user } = await writer.repositories.users.create({ ...root, username: "first" }, 0, []);
    expect(
      await writer.repositories.announcements.create({ ...announcement, title: "next" }, 2),
    ).toMatchObject({
      id: 2,
      title: "next",
    });
    expect(await writer.repositories.announcements.create(announcement, 2)).toBeUndefined();
    writer.close();
    // Above every id that the source ever gave.
    expect(user.id).toBe(42);
  });

  it("holds running subscriptions that the doctor proves", async () => {
    const load = await openLoad(folder, MASTER_KEY);
    const user = {
      ...root,
      id: 1,
      status: 1,
      identities: [],
      usedQuota: 50,
      unloggedQuota: 50,
      requestCount: 1,
    };
    const terms = {
      title: "Daily",
      price: 0,
      durationUnit: "month",
      durationCount: 1,
      quota: 500,
      reset: "day",
      group: "vip",
      beyond: "balance",
    } as const;
    const now = Math.floor(Date.now() / 1000);
    const [startsAt, endsAt] = [now - 3600, now + 2_000_000];
    const subscriptions = [300, 0].map((quota, index) => ({
      userId: 1,
      planId: 1,
      terms,
      startsAt,
      endsAt,
      source: (["payment", "gift"] as const)[index] ?? "gift",
      reference: `import:${index}`,
      createdTime: startsAt,
      period: { number: 3, startsAt, endsAt: now + 3600, quota },
    }));
    await load.accounts({ ...NOTHING, users: [{ ...user, quota: 100 }], subscriptions }, HIGHEST, {
      quotaPerUnit: 500_000,
      isCurrency: true,
    });
    load.finish();
    expect((await examine(join(folder, "tollgate.db"))).faults).toEqual([]);
  });
});
