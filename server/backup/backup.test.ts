import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Charge, encodeCharges } from "@tollgate/storage/accounts/charges";
import { examine } from "@tollgate/storage/doctor/examine";
import { JournalFiles } from "@tollgate/storage/journal/journal-files";
import { openBodies } from "@tollgate/storage/open-sqlite";
import { openStores } from "@tollgate/storage/testing/open-stores";
import { MASTER_KEY, newCharge, newToken, newUser } from "@tollgate/storage/testing/sample-records";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeBackup, restoreBackup } from "./backup";

const NOW = 1_767_225_600;

let parent: string;
let data: string;
let file: string;

const chargeOf = (requestId: string): Charge => newCharge({ requestId, quota: 5, createdAt: NOW });

/** A folder as a killed process leaves it: a line in the log, one on its way, one charge in the journal alone. */
beforeEach(async () => {
  parent = mkdtempSync(join(tmpdir(), "tollgate-backup-"));
  data = join(parent, "data");
  file = join(parent, "kept.tar");
  mkdirSync(data);
  const path = join(data, "tollgate.db");
  writeFileSync(join(data, "master.key"), `${Buffer.from(MASTER_KEY).toString("base64")}\n`);
  const stores = await openStores(path);
  const { users, tokens, charges } = stores.writer.repositories;
  const { user } = await users.create(newUser(), 0, []);
  await tokens.create(newToken(user.id));
  stores.commit(chargeOf("r-1"));
  charges.commit(...encodeCharges([chargeOf("r-2")]));
  (await openBodies(path, MASTER_KEY)).close();
  const files = new JournalFiles(path, { initial: 4096, reserve: 1024 });
  charges.noteReservedJournal();
  const [changes, entries] = encodeCharges([chargeOf("r-3")]);
  await new Promise((resolve) => files.append({ id: 1, changes, entries }, resolve));
  files.close(false);
  stores.close();
});

afterEach(() => rmSync(parent, { recursive: true }));

describe("a backup (M10)", () => {
  it("is refused with a key file that opens nothing of the data", async () => {
    writeFileSync(join(data, "master.key"), `${Buffer.alloc(32, 9).toString("base64")}\n`);
    await expect(makeBackup(data, file, true, NOW)).rejects.toMatchObject({
      fault: { code: "other-master-key" },
    });
    expect(readdirSync(parent)).toEqual(["data"]);
    expect(await makeBackup(data, file, false, NOW)).toMatchObject({ hasKey: false, faults: [] });
  });

  it("holds everything as of one moment, and comes back into an empty folder", async () => {
    const made = await makeBackup(data, file, true, NOW);
    expect(made).toMatchObject({ hasKey: true, faults: [] });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(parent).sort()).toEqual(["data", "kept.tar"]);
    const target = join(parent, "deep", "restored");
    expect(await restoreBackup(file, target)).toMatchObject({ hasKey: true, faults: [] });
    expect(readdirSync(target).sort()).toEqual(["bodies.sqlite", "logs.sqlite", "master.key", "tollgate.db"]);
    // Charges that only the journal had are in the balances, and their lines are pending.
    expect(await examine(join(target, "tollgate.db"))).toMatchObject({
      lines: 1,
      waiting: 2,
      journalled: 0,
      faults: [],
    });
    const stores = await openStores(join(target, "tollgate.db"));
    stores.log.repositories.log.ingest();
    stores.close();
    expect(await examine(join(target, "tollgate.db"))).toMatchObject({ lines: 3, waiting: 0, faults: [] });
  });

  it("leaves the master key out when asked to, or when it is not in the folder", async () => {
    expect((await makeBackup(data, file, false, NOW)).hasKey).toBe(false);
    await restoreBackup(file, join(parent, "restored"));
    expect(existsSync(join(parent, "restored", "master.key"))).toBe(false);
  });

  it("overwrites nothing, neither a file nor a folder with something in it", async () => {
    await makeBackup(data, file, true, NOW);
    const before = readFileSync(file);
    await expect(makeBackup(data, file, true, NOW)).rejects.toThrow("exists already");
    expect(readFileSync(file)).toEqual(before);
    await expect(restoreBackup(file, data)).rejects.toThrow("is not empty");
    await expect(makeBackup(join(parent, "elsewhere"), `${file}.2`, true, NOW)).rejects.toThrow(
      "There is no data",
    );
  });

  it("is refused in words where its folder is not there, or is a file", async () => {
    writeFileSync(join(parent, "a-file"), "");
    for (const name of ["none", "a-file"]) {
      const folder = join(parent, name);
      const made = makeBackup(data, join(folder, "kept.tar"), true, NOW);
      await expect(made).rejects.toThrow(
        `There is no folder ${folder}: make it, or name a file in another one.`,
      );
    }
  });

  it("is refused in words when it is damaged or none, and the folder stays as it was", async () => {
    await makeBackup(data, file, true, NOW);
    const target = join(parent, "restored");
    const bytes = readFileSync(file);
    for (const [name, content] of [
      ["cut.tar", bytes.subarray(0, bytes.length / 2)],
      ["flipped.tar", Buffer.from(bytes).fill(0xff, bytes.length / 2, bytes.length / 2 + 9)],
      ["other.tar", Buffer.from("nothing of the kind")],
      ["empty.tar", Buffer.alloc(0)],
    ] as const) {
      writeFileSync(join(parent, name), content);
      await expect(restoreBackup(join(parent, name), target), name).rejects.toThrow(
        /is not a whole|is no backup|is damaged/,
      );
      expect(existsSync(target), name).toBe(false);
    }
    expect(readdirSync(parent).some((entry) => entry.startsWith(".tollgate"))).toBe(false);
  });

  it("reports faults of the data that it holds", async () => {
    const journal = join(data, "charges-a.journal");
    copyFileSync(journal, `${journal}.kept`);
    writeFileSync(journal, readFileSync(journal).fill(0, 60, 70));
    const { faults } = await makeBackup(data, file, true, NOW);
    expect(faults).toContainEqual(
      expect.objectContaining({ code: "journal-damaged", file: "charges-a.journal" }),
    );
  });
});
