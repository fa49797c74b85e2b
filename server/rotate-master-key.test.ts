import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bodyOf, PLENTY } from "@tollgate/storage/bodies/testing/sample-bodies";
import { examine } from "@tollgate/storage/doctor/examine";
import { openBodies, openReader, openWriter } from "@tollgate/storage/open-sqlite";
import { rotateFolder } from "@tollgate/storage/rotate/rotate-folder";
import { createSecrets } from "@tollgate/storage/secrets";
import { openConnection } from "@tollgate/storage/sqlite/connection";
import { lockFolder } from "@tollgate/storage/sqlite/folder-lock";
import { openStores } from "@tollgate/storage/testing/open-stores";
import { MASTER_KEY, newChannel, newToken, newUser } from "@tollgate/storage/testing/sample-records";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { makeBackup } from "./backup/backup";
import { type RotationWish, rotateMasterKey } from "./rotate-master-key";

const base64 = (key: Uint8Array): string => Buffer.from(key).toString("base64");

let whole: string;
let folder: string;

/** A folder with everything that is sealed. */
beforeAll(async () => {
  whole = mkdtempSync(join(tmpdir(), "tollgate-rotate-"));
  const path = join(whole, "tollgate.db");
  const stores = await openStores(path);
  const { users, tokens, channels, redemptions, options, verifications, keyNetworks } =
    stores.writer.repositories;
  const { user } = await users.create(newUser({ accessToken: "t".repeat(32) }), 0, []);
  await users.create(newUser({ username: "bob", affCode: "bob" }), 0, []);
  for (let count = 0; count < 250; count += 1)
    await tokens.create(newToken(user.id, { key: `key ${count}`.padEnd(48, "x") }));
  await channels.create([
    newChannel({ key: "one\ntwo", proxy: "http://u:p@proxy:1" }),
    newChannel({ name: "second" }),
  ]);
  await redemptions.create([{ userId: 1, key: "code", name: "gift", quota: 5, createdTime: 1 }]);
  await options.put("SMTPToken", "very-secret", true);
  await options.put("SystemName", "not sealed", false);
  await verifications.put("email", "a@b.c", "123456", 10);
  await keyNetworks.note([{ keyId: 1, network: "203.0.113.0/24", requests: 1 }], 0);
  const bodies = await openBodies(path, MASTER_KEY);
  for (const id of ["r1", "r2"]) bodies.repositories.bodies.add(bodyOf(id), PLENTY);
  bodies.close();
  stores.close();
  writeFileSync(join(whole, "master.key"), `${base64(MASTER_KEY)}\n`, { mode: 0o600 });
});
afterAll(() => rmSync(whole, { recursive: true }));
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tollgate-rotate-"));
  cpSync(whole, folder, { recursive: true });
});
afterEach(() => rmSync(folder, { recursive: true }));

const keyIn = (name = "master.key"): Uint8Array =>
  new Uint8Array(Buffer.from(readFileSync(join(folder, name), "utf8"), "base64"));

const rotate = (more: Partial<RotationWish> = {}) =>
  rotateMasterKey({
    dataDir: folder,
    configured: undefined,
    configuredNew: undefined,
    rotate: (tools) => rotateFolder(folder, tools, 10),
    onStep: () => {},
    ...more,
  });

/** Everything that is sealed, opened, and found by its hash. */
const readAll = async (key: Uint8Array) => {
  const path = join(folder, "tollgate.db");
  // As a start does.
  (await openWriter(path, key)).close();
  const reader = openReader(path, key);
  const bodies = await openBodies(path, key);
  try {
    const { users, tokens, channels, options, redemptions } = reader.repositories;
    const secrets = createSecrets(key);
    const page = await tokens.page(1, 0, 1000);
    const records = new Map((await tokens.after(0, 1000)).map((record) => [record.id, record.keyHash]));
    return {
      accessToken: await users.accessToken(1),
      isFoundByToken: (await users.after(0, 1))[0]?.accessTokenHash === secrets.hash("t".repeat(32)),
      keys: page.map((token) => token.key).sort(),
      foundKeys: page.filter((token) => records.get(token.id) === secrets.hash(token.key)).length,
      channels: (await channels.after(0, 10)).map(({ key: ofChannel, proxy }) => [ofChannel, proxy]),
      foundChannels: (await channels.page(0, 5, undefined, {}, "two")).map(({ id }) => id),
      codes: (await redemptions.page(0, 10)).map((code) => code.key),
      options: await options.all(),
      bodies: ["r1", "r2"].map((id) =>
        Buffer.from(bodies.repositories.bodies.find(id, 1)?.answer.bytes ?? []).toString(),
      ),
    };
  } finally {
    bodies.close();
    reader.close();
  }
};

const keysWithNetworks = async (key: Uint8Array) => {
  const reader = openReader(join(folder, "tollgate.db"), key);
  const found = await reader.repositories.keyNetworks.newUse(0, 0, 1);
  reader.close();
  return found.map(({ keyId }) => keyId);
};

describe("the master key of a folder", () => {
  it("is replaced, and everything sealed under the new one: the old one opens nothing any more", async () => {
    const before = await readAll(MASTER_KEY);
    expect(before.foundKeys).toBe(250);
    const { resealed, isInFolder } = await rotate();
    expect([resealed, isInFolder]).toEqual([{ sealed: 250 + 2 + 1 + 1 + 1 + 1 + 2, broken: 0 }, true]);
    const key = keyIn();
    expect(Buffer.from(key).equals(MASTER_KEY)).toBe(false);
    expect(statSync(join(folder, "master.key")).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder).filter((name) => name.startsWith("master"))).toEqual(["master.key"]);
    expect(await readAll(key)).toEqual(before);
    await expect(readAll(MASTER_KEY)).rejects.toMatchObject({ fault: { code: "other-master-key" } });
    expect((await examine(join(folder, "tollgate.db"))).faults).toEqual([]);
  });

  it("forgets the networks of API keys, which would all be new under the new key", async () => {
    expect(await keysWithNetworks(MASTER_KEY)).toEqual([1]);
    await rotate();
    expect(await keysWithNetworks(keyIn())).toEqual([]);
  });

  it("can be lost at no step: whatever is cut off is finished by running it again", async () => {
    const before = await readAll(MASTER_KEY);
    const path = join(folder, "tollgate.db");
    let isDone = false;
    let unfinished = 0;
    for (let last = 0; !isDone; last += 1) {
      rmSync(folder, { recursive: true });
      cpSync(whole, folder, { recursive: true });
      let steps = 0;
      const cut = rotate({
        onStep() {
          steps += 1;
          if (steps > last) throw new Error("killed");
        },
      });
      isDone = await cut.then(
        () => true,
        (error: Error) => {
          expect(error.message).toBe("killed");
          return false;
        },
      );
      const { faults } = await examine(path);
      if (faults.length > 0) {
        unfinished += 1;
        expect(faults).toEqual([{ code: "key-rotation-unfinished" }]);
        for (const name of readdirSync(folder).filter((file) => file.startsWith("master.key")))
          await expect(openWriter(path, keyIn(name))).rejects.toMatchObject({
            fault: { code: "key-rotation-unfinished" },
          });
        await expect(makeBackup(folder, `${folder}.tar`, true, 1)).rejects.toMatchObject({
          fault: { code: "key-rotation-unfinished" },
        });
      } else expect(await readAll(keyIn()), `after step ${last}`).toEqual(before);
      await rotate();
      expect(await readAll(keyIn()), `after step ${last}`).toEqual(before);
      expect(readdirSync(folder).filter((name) => name.startsWith("master"))).toEqual(["master.key"]);
      expect((await examine(path)).faults).toEqual([]);
    }
    expect(unfinished).toBeGreaterThan(8);
  });

  it("stays as it is while a gateway works with the folder, and where there is no data", async () => {
    const unlock = lockFolder(join(folder, "tollgate.db"));
    await expect(rotate()).rejects.toMatchObject({ fault: { code: "folder-in-use" } });
    unlock();
    expect(readdirSync(folder)).not.toContain("master.key.new");
    const empty = mkdtempSync(join(tmpdir(), "tollgate-rotate-"));
    const nothing = rotate({ dataDir: empty, rotate: (tools) => rotateFolder(empty, tools) });
    await expect(nothing).rejects.toMatchObject({ fault: { code: "file-missing" } });
    expect(readdirSync(empty)).toEqual([]);
    rmSync(empty, { recursive: true });
  });

  it("leaves a secret as it is that neither key opens", async () => {
    const writer = await openWriter(join(folder, "tollgate.db"), MASTER_KEY);
    await writer.repositories.redemptions.create([
      { userId: 1, key: "other", name: "gift", quota: 5, createdTime: 1 },
    ]);
    writer.close();
    const path = join(folder, "tollgate.db");
    const connection = openConnection(path, false);
    connection.exec("UPDATE redemptions SET key_sealed = 'x' WHERE id = 2");
    connection.close();
    expect((await rotate()).resealed).toMatchObject({ broken: 1 });
  });
});

describe("a master key that the environment keeps", () => {
  const next = new Uint8Array(32).fill(9);
  const configured = base64(MASTER_KEY);

  it("is replaced by the one that is named, and by no third one", async () => {
    await expect(rotate({ configured })).rejects.toThrow("Set NEW_MASTER_KEY");
    await expect(rotate({ configured, configuredNew: configured })).rejects.toThrow("the same key");
    await expect(rotate({ configured, configuredNew: "c2hvcnQ=" })).rejects.toThrow(/NEW_MASTER_KEY must/);
    const before = await readAll(MASTER_KEY);
    let steps = 0;
    const wish = { configured, configuredNew: base64(next) };
    const cut = rotate({
      ...wish,
      onStep() {
        steps += 1;
        if (steps > 3) throw new Error("killed");
      },
    });
    await expect(cut).rejects.toThrow("killed");
    const third = base64(new Uint8Array(32).fill(10));
    await expect(rotate({ configured, configuredNew: third })).rejects.toMatchObject({
      fault: { code: "key-rotation-other" },
    });
    expect(await rotate(wish)).toMatchObject({ isInFolder: false, resealed: { broken: 0 } });
    expect(await readAll(next)).toEqual(before);
    // Once more, as who does not know whether it came to its end.
    expect(await rotate(wish)).toEqual({ isInFolder: false, resealed: undefined });
    await expect(rotate({ configured: third, configuredNew: base64(MASTER_KEY) })).rejects.toMatchObject({
      fault: { code: "other-master-key" },
    });
    // The file beside it stays unchanged then.
    expect(Buffer.from(keyIn()).equals(MASTER_KEY)).toBe(true);
  });
});
