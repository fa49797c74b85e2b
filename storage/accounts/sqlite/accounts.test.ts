import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MAX_QUOTA } from "@tollgate/contract/values/quota";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { StorageConflict } from "../../errors";
import { encodeRecord } from "../../journal/journal-record";
import { createSecrets } from "../../secrets";
import { openConnection } from "../../sqlite/connection";
import { type OpenStores, openStores } from "../../testing/open-stores";
import { MASTER_KEY, newChannel, newCharge, newToken, newUser } from "../../testing/sample-records";
import { type Charge, encodeCharges } from "../charges";

let folder: string;
let stores: OpenStores;
let writer: OpenStores["writer"];
let reader: OpenStores["reader"];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "tollgate-storage-"));
  stores = await openStores(join(folder, "test.db"));
  ({ writer, reader } = stores);
});

afterEach(() => {
  stores.close();
  rmSync(folder, { recursive: true });
});

const createUser = async (username = "alice", quota = 1000) => {
  const user = newUser({ username, quota, accessToken: `access-token-of-${username}` });
  return (await writer.repositories.users.create(user, 0, [])).user;
};

const createToken = async (userId: number, key?: string) =>
  (await writer.repositories.tokens.create(newToken(userId, key === undefined ? {} : { key }))).token;

const channelOf = (name: string, key: string) => newChannel({ name, key });

const chargeOf = (userId: number, tokenId: number, quota: number, more: Partial<Charge> = {}): Charge =>
  newCharge({ userId, tokenId, quota, ...more });

describe("users", () => {
  it("refuses a second user of the same name", async () => {
    await createUser();
    const again = writer.repositories.users.create(newUser(), 0, []);
    await expect(again).rejects.toEqual(new StorageConflict("username-taken"));
  });

  it("rewards an inviter with what fits into a balance, and says how much that was", async () => {
    const inviter = await createUser("alice", MAX_QUOTA - 10);
    const { users } = writer.repositories;
    const invited = async (username: string) =>
      (await users.create(newUser({ username, inviterId: inviter.id }), 7, [])).rewardedQuota;
    expect([await invited("bob"), await invited("carol"), await invited("dave")]).toEqual([7, 3, 0]);
    expect((await reader.repositories.users.find(inviter.id))?.quota).toBe(MAX_QUOTA);
  });

  it("gives the access token back in clear to its owner, and to nobody who only has the file", async () => {
    const user = await createUser();
    expect(await reader.repositories.users.accessToken(user.id)).toBe("access-token-of-alice");
    const file = Buffer.concat([
      readFileSync(join(folder, "test.db")),
      readFileSync(join(folder, "test.db-wal")),
    ]);
    expect(file.includes("alice")).toBe(true);
    expect(file.includes("access-token-of-alice")).toBe(false);
  });

  it("changes what is named and nothing else", async () => {
    const user = await createUser();
    await writer.repositories.users.change(user.id, { displayName: "Alice A." });
    expect(await reader.repositories.users.find(user.id)).toEqual({ ...user, displayName: "Alice A." });
  });
});

describe("tokens", () => {
  it("finds only the user's own, the newest first, by the literal beginning of the name", async () => {
    const alice = await createUser("alice");
    const bob = await createUser("bob");
    const first = await createToken(alice.id, "a".repeat(48));
    const second = await createToken(alice.id, "b".repeat(48));
    await createToken(bob.id, "c".repeat(48));
    const { tokens } = reader.repositories;
    expect((await tokens.page(alice.id, 0, 10)).map((token) => token.id)).toEqual([second.id, first.id]);
    expect(await tokens.find(bob.id, first.id)).toBeUndefined();
    expect(await tokens.search(alice.id, "lap", 10)).toHaveLength(2);
    expect(await tokens.search(alice.id, "lap", 1)).toHaveLength(1);
    expect(await tokens.search(alice.id, "l%p", 10)).toHaveLength(0);
    expect(first.key).toBe("a".repeat(48));
  });

  it("edits the quota by a difference, so that a charge made meanwhile stays", async () => {
    const user = await createUser();
    const token = await createToken(user.id);
    stores.commit(chargeOf(user.id, token.id, 100));
    const changed = await writer.repositories.tokens.change(user.id, token.id, { remainQuotaDifference: 50 });
    expect(changed).toMatchObject({ remainQuota: 450, usedQuota: 100 });
  });

  it("never gives the id of a deleted one to another", async () => {
    const user = await createUser();
    const token = await createToken(user.id, "a".repeat(48));
    expect(await writer.repositories.tokens.remove(user.id, token.id)).toBe(true);
    expect((await createToken(user.id, "b".repeat(48))).id).toBeGreaterThan(token.id);
  });
});

describe("channels", () => {
  it("keeps keys sealed and out of every list", async () => {
    const [record] = await writer.repositories.channels.create([channelOf("one", "upstream-secret")]);
    expect(record?.key).toBe("upstream-secret");
    const listed = JSON.stringify(await reader.repositories.channels.page(0, 10));
    expect(listed).toContain("one");
    expect(listed).not.toContain("upstream-secret");
    expect(readFileSync(join(folder, "test.db-wal")).includes("upstream-secret")).toBe(false);
  });

  it("T4: are found by any of their keys, whole, and by no part of one", async () => {
    const { channels } = writer.repositories;
    const [one] = await channels.create([channelOf("one", "sk-first")]);
    await channels.create([channelOf("several", "sk-second\nsk-third")]);
    const found = async (keyword: string, key?: string) =>
      (await reader.repositories.channels.search(keyword, 10, key)).map((channel) => channel.name);
    expect(await found("sk-first")).toEqual(["one"]);
    expect(await found("sk-second")).toEqual(["several"]);
    expect(await found("sk-third")).toEqual(["several"]);
    expect(await found("one", "sk-third")).toEqual(["several", "one"]);
    for (const part of [
      "sk-",
      "first",
      "sk-firs",
      "sk-first\n",
      "SK-FIRST",
      "sk-second\nsk-third",
      ",",
      "",
    ]) {
      expect(await found(part === "" ? "nothing" : part, part)).toEqual([]);
    }
    await channels.change(one!.channel.id, { key: "sk-newer" });
    expect(await found("sk-first")).toEqual([]);
    expect(await found("sk-newer")).toEqual(["one"]);
    await channels.remove(one!.channel.id);
    expect(await found("sk-newer")).toEqual([]);
  });

  it("creates all of a batch, pages and finds by id and name", async () => {
    await writer.repositories.channels.create([channelOf("east 1", "x"), channelOf("east 2", "y")]);
    const { channels } = reader.repositories;
    expect((await channels.page(0, 1)).map((channel) => channel.name)).toEqual(["east 2"]);
    expect((await channels.page(1, 1)).map((channel) => channel.name)).toEqual(["east 1"]);
    expect(await channels.search("east", 10)).toHaveLength(2);
    expect((await channels.search("1", 10)).map((channel) => channel.name)).toEqual(["east 1"]);
  });

  it("deletes those that are switched off", async () => {
    const records = await writer.repositories.channels.create([channelOf("a", "x"), channelOf("b", "y")]);
    await writer.repositories.channels.change(records[0]!.channel.id, { status: 3 });
    expect(await writer.repositories.channels.removeDisabled()).toEqual([records[0]!.channel.id]);
    expect(await reader.repositories.channels.page(0, 10)).toHaveLength(1);
  });
});

describe("charges", () => {
  it("takes from user and token, adds to the counters, and writes the log line", async () => {
    const user = await createUser("alice", 1000);
    const token = await createToken(user.id);
    const [channel] = await writer.repositories.channels.create([channelOf("one", "x")]);
    const channelId = channel!.channel.id;
    stores.commit(
      chargeOf(user.id, token.id, 18, { channelId }),
      chargeOf(user.id, token.id, 2, { channelId, tokenQuota: 0, isLogged: false, createdAt: 90 }),
    );
    expect(await reader.repositories.users.find(user.id)).toMatchObject({
      quota: 980,
      usedQuota: 20,
      requestCount: 2,
    });
    expect(await reader.repositories.tokens.find(user.id, token.id)).toMatchObject({
      remainQuota: 482,
      usedQuota: 20,
      accessedTime: 100,
    });
    expect(await reader.repositories.channels.find(channelId)).toMatchObject({ usedQuota: 20 });
    expect(await reader.repositories.logs.page({}, 0, 10)).toMatchObject([
      { quota: 18, type: 2, promptTokens: 13, completionTokens: 5, channelId, content: "why" },
    ]);
  });

  it("stores nothing of a batch that would make a balance negative", async () => {
    const user = await createUser("alice", 30);
    const token = await createToken(user.id);
    expect(() => stores.commit(chargeOf(user.id, token.id, 18), chargeOf(user.id, token.id, 18))).toThrow();
    expect(await reader.repositories.users.find(user.id)).toMatchObject({ quota: 30, requestCount: 0 });
    expect(await reader.repositories.logs.page({}, 0, 10)).toEqual([]);
  });
});

describe("options", () => {
  it("seals secrets and leaves the rest readable", async () => {
    await writer.repositories.options.put("Notice", "hello everyone", false);
    await writer.repositories.options.put("SMTPToken", "mail-password", true);
    expect(await reader.repositories.options.all()).toEqual(
      expect.arrayContaining([
        { key: "Notice", value: "hello everyone" },
        { key: "SMTPToken", value: "mail-password" },
      ]),
    );
    const file = readFileSync(join(folder, "test.db-wal"));
    expect(file.includes("hello everyone")).toBe(true);
    expect(file.includes("mail-password")).toBe(false);
  });
});

describe("secrets", () => {
  it("cannot be opened with another master key, nor after a change", () => {
    const sealed = createSecrets(MASTER_KEY).seal("text");
    expect(createSecrets(MASTER_KEY).open(sealed)).toBe("text");
    expect(() => createSecrets(new Uint8Array(32).fill(8)).open(sealed)).toThrow();
    const altered = Buffer.from(sealed, "base64url");
    altered[altered.length - 1]! ^= 1;
    expect(() => createSecrets(MASTER_KEY).open(altered.toString("base64url"))).toThrow();
  });
});

describe("the reader", () => {
  it("cannot write", () => {
    const connection = openConnection(join(folder, "test.db"), true);
    expect(() => connection.exec("DELETE FROM users")).toThrow();
    connection.close();
  });
});

describe("batches of the journal", () => {
  const recordOf = (id: number, userId: number, tokenId: number) => {
    const [changes, entries] = encodeCharges([chargeOf(userId, tokenId, 10, { requestId: `r-${id}` })]);
    return { id, bytes: encodeRecord({ id, changes, entries }) };
  };

  it("are stored once, also when they are sent again, and never over a gap", async () => {
    const user = await createUser();
    const token = await createToken(user.id);
    const { charges } = writer.repositories;
    const used = async () => (await reader.repositories.users.find(user.id))?.usedQuota;
    charges.commitJournal([recordOf(1, user.id, token.id)]);
    charges.commitJournal([recordOf(1, user.id, token.id), recordOf(2, user.id, token.id)]);
    expect(await used()).toBe(20);
    charges.commitJournal([recordOf(2, user.id, token.id)]);
    expect(() => charges.commitJournal([recordOf(4, user.id, token.id)])).toThrow("does not follow on 2");
    expect(await used()).toBe(20);
    expect(charges.newestBatch()).toBe(2);
  });
});
