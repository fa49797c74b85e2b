import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openAccounts } from "@tollgate/storage/accounts/postgres/open-accounts";
import { openLeases } from "@tollgate/storage/accounts/postgres/open-leases";
import { openBodies } from "@tollgate/storage/bodies/postgres/open-bodies";
import { bodyOf, PLENTY } from "@tollgate/storage/bodies/testing/sample-bodies";
import { examineDatabase } from "@tollgate/storage/doctor/examine-database";
import { openPostgresLog } from "@tollgate/storage/postgres-log";
import { rotateDatabase } from "@tollgate/storage/rotate/rotate-database";
import { createSecrets } from "@tollgate/storage/secrets";
import { askDatabase, newDatabase } from "@tollgate/storage/testing/new-database";
import { MASTER_KEY, newChannel, newToken, newUser } from "@tollgate/storage/testing/sample-records";
import { beforeEach, expect, it } from "vitest";
import { readKeyFile } from "./master-key";
import { rotateMasterKey } from "./rotate-master-key";

let address: string;

const base64 = (key: Uint8Array): string => Buffer.from(key).toString("base64");

const rotate = (old: Uint8Array, next: Uint8Array, onStep = () => {}) =>
  rotateMasterKey({
    dataDir: "/nowhere",
    configured: base64(old),
    configuredNew: base64(next),
    rotate: (tools) => rotateDatabase(address, tools),
    onStep,
  });

beforeEach(async () => {
  address = await newDatabase();
  const { changes, close } = await openAccounts(address, createSecrets(MASTER_KEY));
  const { user } = await changes.users.create(newUser({ accessToken: "t".repeat(32) }), 0, []);
  await changes.tokens.create(newToken(user.id));
  await changes.channels.create([newChannel({ key: "one\ntwo", proxy: "http://u:p@proxy:1" })]);
  await changes.redemptions.create([{ userId: 1, key: "code", name: "gift", quota: 5, createdTime: 1 }]);
  await changes.options.put("SMTPToken", "very-secret", true);
  await close();
  const bodies = await openBodies(address, MASTER_KEY);
  await bodies.bodies.add(bodyOf("r1"), PLENTY);
  await bodies.close();
  await (await openPostgresLog({ address, readAddress: undefined }, () => {})).close();
});

const readAll = async (key: Uint8Array) => {
  const { queries, close } = await openAccounts(address, createSecrets(key));
  const { bodies, close: closeBodies } = await openBodies(address, key);
  try {
    return {
      accessToken: await queries.users.accessToken(1),
      key: (await queries.tokens.find(1, 1))?.key,
      isFound: (await queries.tokens.after(0, 1))[0]?.keyHash === createSecrets(key).hash("k".repeat(48)),
      channels: (await queries.channels.after(0, 10)).map(({ key: ofChannel, proxy }) => [ofChannel, proxy]),
      found: (await queries.channels.page(0, 5, undefined, {}, "two")).length,
      codes: (await queries.redemptions.page(0, 10)).map((code) => code.key),
      options: await queries.options.all(),
      body: Buffer.from((await bodies.find("r1", 1))?.answer.bytes ?? []).toString(),
    };
  } finally {
    await closeBodies();
    await close();
  }
};

it("the master key of a database is replaced, and can be lost at no step", async () => {
  const before = await readAll(MASTER_KEY);
  let old = MASTER_KEY;
  let isDone = false;
  let unfinished = 0;
  for (let last = 0; !isDone; last += 1) {
    const next = new Uint8Array(32).fill(100 + last);
    let steps = 0;
    isDone = await rotate(old, next, () => {
      steps += 1;
      if (steps > last) throw new Error("killed");
    }).then(
      () => true,
      (error: Error) => {
        expect(error.message).toBe("killed");
        return false;
      },
    );
    const { faults } = await examineDatabase(address);
    if (faults.length > 0) {
      unfinished += 1;
      expect(faults).toEqual([{ code: "key-rotation-unfinished" }]);
      for (const key of [old, next])
        await expect(openAccounts(address, createSecrets(key))).rejects.toMatchObject({
          fault: { code: "key-rotation-unfinished" },
        });
    }
    await rotate(old, next);
    expect(await readAll(next), `after step ${last}`).toEqual(before);
    await expect(openAccounts(address, createSecrets(old))).rejects.toMatchObject({
      fault: { code: "database-other-master-key" },
    });
    old = next;
  }
  expect(unfinished).toBeGreaterThan(6);
  expect((await examineDatabase(address)).faults).toEqual([]);
});

it("the master key of a database is changed by one at a time: two would each keep another new key", async () => {
  const before = await readAll(MASTER_KEY);
  const dataDir = mkdtempSync(join(tmpdir(), "tollgate-test-"));
  try {
    const keyPath = join(dataDir, "master.key");
    writeFileSync(keyPath, base64(MASTER_KEY));
    const rotateInFolder = (onStep: () => void) =>
      rotateMasterKey({
        dataDir,
        configured: undefined,
        configuredNew: undefined,
        rotate: (tools) => rotateDatabase(address, tools),
        onStep,
      });
    let second: Promise<unknown> | undefined;
    // It is called before the new key is written into the folder.
    await rotateInFolder(() => {
      second ??= rotateInFolder(() => {}).catch((error: unknown) => error);
    });
    expect(await second).toMatchObject({ fault: { code: "database-taken", database: expect.any(String) } });
    expect(await readAll(readKeyFile(keyPath))).toEqual(before);
    expect(readdirSync(dataDir)).toEqual(["master.key"]);
  } finally {
    rmSync(dataDir, { recursive: true });
  }
});

it("the master key of a database stays while a node works with it", async () => {
  const { leases, close } = openLeases(address, 100_000, async () => {});
  await leases.join({});
  const next = new Uint8Array(32).fill(9);
  await expect(rotate(MASTER_KEY, next)).rejects.toMatchObject({ fault: { code: "database-has-nodes" } });
  await askDatabase(address, "DELETE FROM nodes");
  // Without a row, but connected: it is between two of its times.
  await expect(rotate(MASTER_KEY, next)).rejects.toMatchObject({ fault: { code: "database-has-nodes" } });
  await close();
  expect((await examineDatabase(address)).faults).toEqual([]);
  await expect
    .poll(() => rotate(MASTER_KEY, next).catch(() => undefined))
    .toMatchObject({ isInFolder: false });
});
