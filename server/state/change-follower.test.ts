import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AccountMoney } from "@tollgate/accounts/account-money";
import { type Accounts, createAccounts, loadAccounts } from "@tollgate/accounts/accounts";
import type { Change } from "@tollgate/contract/records/change";
import { TOKEN_EXHAUSTED } from "@tollgate/contract/values/statuses";
import { Channels } from "@tollgate/relay/routing/channels";
import type { ChangeFollower } from "@tollgate/storage/accounts/node-ports";
import type { AccountChanges, AccountQueries } from "@tollgate/storage/accounts/ports";
import { createSecrets } from "@tollgate/storage/secrets";
import { type SqliteStores, startSqliteStores } from "@tollgate/storage/sqlite-stores";
import { MASTER_KEY, newChannel } from "@tollgate/storage/testing/sample-records";
import type { StorageThread } from "@tollgate/storage/threads/connect-worker";
import { openThread } from "@tollgate/storage/threads/open-thread";
import { remotePort } from "@tollgate/storage/threads/remote-port";
import type { WorkerSettings } from "@tollgate/storage/threads/worker-messages";
import { createRandom } from "@tollgate/testkit/random";
import { seeds } from "@tollgate/testkit/seeds";
import { describe, expect, it } from "vitest";
import { accountStoreOf, readStoredAccounts, readStoredChannels } from "./account-store";
import { createChangeFollower } from "./change-follower";
import { Options } from "./options";

const NOW = 1000;
const STEPS = 200;
const MAX_UNDER_WAY = 5;
/** Longer than several calls of the store take. */
const LONG_TURNS = 300;
const NAMES = ["ann", "bob", "cas", "dee", "eve", "fay"];

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A store in this thread. */
const start = async (settings: WorkerSettings): Promise<StorageThread> => {
  const { run, close } = await openThread(settings);
  return {
    async call(group, method, parameters) {
      const { conflict, failure, ...reply } = await run({ id: 1, group, method, parameters });
      if (conflict !== undefined || failure !== undefined) throw new Error(conflict ?? failure);
      return reply;
    },
    close: async () => close(),
  };
};

type Call = (...parameters: unknown[]) => Promise<unknown>;

/** Which records a change of the store has changed, as its triggers would tell. */
const CHANGED: Record<string, (parameters: readonly unknown[], result: unknown) => Change[]> = {
  "users.create": (_, result) => [
    { of: "user", id: (result as { user: { id: number } }).user.id, what: "created" },
  ],
  "users.change": ([id]) => [{ of: "user", id: id as number, what: "changed" }],
  "users.setAccessToken": ([id]) => [{ of: "user", id: id as number, what: "changed" }],
  "users.remove": ([id]) => [{ of: "user", id: id as number, what: "removed" }],
  "tokens.create": (_, result) => [
    { of: "api-key", id: (result as { record: { id: number } }).record.id, what: "created" },
  ],
  "tokens.createAll": (_, created) =>
    (created as { record: { id: number } }[]).map(({ record: { id } }) => ({
      of: "api-key",
      id,
      what: "created",
    })),
  "tokens.grant": ([, id]) => [{ of: "api-key", id: id as number, what: "changed" }],
  "tokens.change": ([, id]) => [{ of: "api-key", id: id as number, what: "changed" }],
  "tokens.rotate": ([, id]) => [{ of: "api-key", id: id as number, what: "changed" }],
  "tokens.endFormer": ([, id]) => [{ of: "api-key", id: id as number, what: "changed" }],
  "tokens.markStatus": ([id]) => [{ of: "api-key", id: id as number, what: "changed" }],
  "tokens.remove": ([, id]) => [{ of: "api-key", id: id as number, what: "removed" }],
  "sessions.create": ([session]) => [
    { of: "session", id: (session as { idHash: string }).idHash, what: "created" },
  ],
  "sessions.remove": ([id]) => [{ of: "session", id: id as string, what: "removed" }],
  "sessions.removeOthers": (_, ended) =>
    (ended as string[]).map((id) => ({ of: "session", id, what: "removed" })),
  "channels.create": (_, records) =>
    (records as { channel: { id: number } }[]).map(({ channel: { id } }) => ({
      of: "channel",
      id,
      what: "created",
    })),
  "channels.change": ([id]) => [{ of: "channel", id: id as number, what: "changed" }],
  "channels.remove": ([id]) => [{ of: "channel", id: id as number, what: "removed" }],
  "channels.removeDisabled": (_, ids) =>
    (ids as number[]).map((id) => ({ of: "channel", id, what: "removed" })),
  "options.put": ([key]) => [{ of: "option", id: key as string, what: "changed" }],
};

/** Changes that stay in memory if they cannot be stored, so that storage differs for good reason. */
const STAYING = new Set(["tokens.markStatus", "sessions.remove", "channels.change"]);

/** Calls that answer nothing where the key is gone. */
const CHANGING_KEYS = new Set(["tokens.change", "tokens.rotate", "tokens.endFormer"]);

/** Shared by all nodes: the store, and its changes in order. */
class Shared {
  readonly random: () => number;
  readonly changes: Change[] = [];
  /** The status of each user, and the number of the change that said so. */
  readonly statuses = new Map<number, { status: number; number: number }>();
  readonly userIds: number[] = [];
  readonly keys: { id: number; userId: number; secret: string }[] = [];
  readonly channelIds: number[] = [];
  readonly cookies: { id: string; userId: number }[] = [];
  readonly accessTokens: string[] = [];
  isBroken = true;

  constructor(
    seed: number,
    readonly stores: SqliteStores,
  ) {
    this.random = createRandom(seed * 104_729);
  }

  upTo(most: number): number {
    return Math.floor(this.random() * (most + 1));
  }

  pick<T>(items: readonly T[]): T | undefined {
    return items[this.upTo(items.length - 1)];
  }

  /** One of the newest, so that several change the same at once. */
  pickNew<T>(items: readonly T[]): T | undefined {
    return this.pick(items.slice(-2));
  }

  async turns(most: number): Promise<void> {
    for (let left = this.upTo(most); left > 0; left -= 1) await turn();
  }

  note(method: string, parameters: readonly unknown[], result: unknown): void {
    if (result !== undefined || !CHANGING_KEYS.has(method))
      this.changes.push(...(CHANGED[method]?.(parameters, result) ?? []));
    if (method === "users.create" || method === "users.change") {
      const { user } = result as { user: { id: number; status: number } };
      this.statuses.set(user.id, { status: user.status, number: this.changes.length });
    }
    if (method === "users.remove") this.statuses.delete(parameters[0] as number);
    if (method === "tokens.create" || (method === "tokens.rotate" && result !== undefined)) {
      const { token } = result as { token: { id: number; userId: number; key: string } };
      this.keys.push({ id: token.id, userId: token.userId, secret: token.key });
    }
  }
}

/** One process: its memory, and its one connection for changes. */
class Node {
  position = 0;
  /** The newest change of each user that this node made and took over, by its number. */
  private readonly answered = new Map<number, number>();
  private last: Promise<unknown> = Promise.resolve();
  private accounts!: Accounts;
  private channels!: Channels;
  private options!: Options;
  private follower!: ChangeFollower;

  private constructor(
    private readonly shared: Shared,
    private readonly isLate: boolean,
  ) {}

  static async open(shared: Shared, isLate: boolean): Promise<Node> {
    const node = new Node(shared, isLate);
    await node.load();
    return node;
  }

  /** Calls in their order, each answered some time after it was done. */
  private inOrder<Port extends AccountChanges | AccountQueries>(port: Port): Port {
    const groups = port as unknown as Record<string, Record<string, Call>>;
    return remotePort<Port>((group, name, parameters) => {
      const called = `${group}.${name}`;
      let number = 0;
      const reply = this.last.then(async () => {
        if (this.isLate) await this.shared.turns(20);
        if (this.isUnlucky(0.1) && !STAYING.has(called)) throw new Error("lost");
        const result = await groups[group]?.[name]?.(...parameters);
        this.shared.note(called, parameters, result);
        number = this.shared.changes.length;
        if (this.isUnlucky(0.05)) throw new Error("done, and not answered");
        if (this.isLate) await this.shared.turns(20);
        return result;
      });
      this.last = reply.catch(() => {});
      if (called === "users.change")
        reply.then(
          async () => {
            // Once the caller has taken the answer over.
            await turn();
            this.answered.set(Number(parameters[0]), number);
          },
          () => {},
        );
      return reply;
    });
  }

  private isUnlucky(share: number): boolean {
    return this.isLate && this.shared.isBroken && this.shared.random() < share;
  }

  private async load(): Promise<void> {
    const { shared } = this;
    const secrets = createSecrets(MASTER_KEY);
    const write: AccountChanges = this.inOrder(shared.stores.write);
    const read: AccountQueries = this.inOrder(shared.stores.read);
    const tools = {
      hash: (text: string) => secrets.hash(text),
      now: () => NOW,
      amountUnit: () => ({ quotaPerUnit: 500_000, isCurrency: false }),
      reportError: () => {},
    };
    // As with leases: a balance moves in a step of its own, some time after the rest of an edit was stored.
    const money: AccountMoney = {
      createAccount: (_of, id, quota, isUnlimited) => ({ id, quota, held: 0, isUnlimited }),
      balances: {
        grant: (_account, _cause, store) => store(),
        take: (_account, _cause, most, store) => store(most),
        adjust: async (_account, _cause, _wanted, { store }) => {
          const stored = await store(undefined, []);
          await shared.turns(LONG_TURNS);
          return stored;
        },
        exchange: (_account, _cause, most, store) => store(most),
        afterEdits: (_account, step) => step(),
      },
    };
    this.position = shared.changes.length;
    this.accounts = createAccounts(accountStoreOf({ read, write }), tools, money);
    await loadAccounts(this.accounts, await readStoredAccounts(shared.stores.read, NOW));
    this.options = await Options.load(shared.stores.read, write);
    this.channels = new Channels(write.channels, {
      incidents: { channelDisabled: () => {}, keyDisabled: () => {}, channelEnabled: () => {} },
      isDisablingOn: () => true,
      nowMs: () => 0,
      announce: this.accounts.changes.announce,
      reportError: () => {},
    });
    await this.channels.load(readStoredChannels(shared.stores.read));
    const { accounts, channels, options } = this;
    const quiet = { now: () => NOW, onRecall: () => {}, reportError: () => {} };
    this.follower = createChangeFollower(read, { accounts, channels, options }, quiet);
  }

  /** Applies some changes; after a failure, the same again. */
  async follow(): Promise<void> {
    const { changes } = this.shared;
    if (this.shared.random() < 0.05) {
      const newest = changes.length;
      await this.follower.onEverything();
      this.position = newest;
    } else {
      const some = changes.slice(this.position, this.position + 1 + this.shared.upTo(10));
      if (some.length === 0) return;
      await this.follower.onChanges(some);
      this.position += some.length;
    }
    for (const [id, { status, number }] of this.shared.statuses)
      if (number <= Math.max(this.position, this.answered.get(id) ?? 0))
        expect([id, this.accounts.users.find(id)?.status]).toEqual([id, status]);
  }

  /** Changes something. @param action which of the ways. */
  async act(action = this.shared.upTo(18)): Promise<unknown> {
    const { shared } = this;
    const { users, keys, sessions } = this.accounts;
    const user = users.find(shared.pickNew(shared.userIds) ?? 0);
    const key = shared.pickNew(shared.keys);
    const channelId = shared.pickNew(shared.channelIds) ?? 0;
    switch (action) {
      case 0: {
        const name = shared.pick(NAMES) ?? "";
        const created = await users.create(
          {
            username: name,
            passwordHash: "hash",
            displayName: "",
            role: 1,
            group: "default",
            email: "",
            affCode: "",
            accessToken: undefined,
            createdTime: 1,
          },
          { newUser: 1000, invitee: 0, inviter: 0 },
          undefined,
        );
        return shared.userIds.push(created.id);
      }
      case 1:
      case 2:
        return user && users.change(user.id, { status: shared.upTo(1) + 1, quota: shared.upTo(500) });
      case 3:
        return (
          user &&
          users.change(user.id, {
            username: shared.pick(NAMES) ?? "",
            group: shared.pick(["default", "vip"]) ?? "",
            limits: { rpm: shared.upTo(4) + 1 },
          })
        );
      case 4:
        return user && users.replaceAccessToken(user.id).then((token) => shared.accessTokens.push(token));
      case 5:
        return user && shared.random() < 0.2 ? users.remove(user.id) : undefined;
      case 6:
        return (
          user &&
          keys.create({
            userId: user.id,
            name: "key",
            createdTime: 1,
            expiredTime: -1,
            remainQuota: 100,
            unlimitedQuota: false,
          })
        );
      case 7:
      case 8:
        return (
          key &&
          keys.change(key.userId, key.id, {
            status: shared.upTo(1) + 1,
            remainQuota: shared.upTo(100),
            unlimitedQuota: shared.random() < 0.5,
            access: { models: shared.random() < 0.5 ? [] : ["m1"] },
          })
        );
      case 9: {
        const known = key && keys.findById(key.id);
        return known?.status === 1 ? keys.mark(known, TOKEN_EXHAUSTED) : undefined;
      }
      case 10:
        return key && shared.random() < 0.3 ? keys.remove(key.userId, key.id) : undefined;
      case 11: {
        if (!user) return undefined;
        const session = { userId: user.id, createdTime: 1, expiresTime: 2 * NOW, address: "", userAgent: "" };
        return sessions.begin(session).then((id) => shared.cookies.push({ id, userId: user.id }));
      }
      case 12: {
        const cookie = shared.pickNew(shared.cookies);
        if (!cookie) return undefined;
        return shared.random() < 0.5 ? sessions.end(cookie.id) : sessions.endOthers(cookie.userId, cookie.id);
      }
      case 13: {
        const models = shared.pick([["m1"], ["m1", "m2"], ["m2"]]) ?? [];
        const change = { models, priority: shared.upTo(2), status: shared.upTo(1) + 1 };
        if (shared.random() < 0.5) return this.channels.change(channelId, change);
        const created = await this.channels.create([newChannel({ key: "a\nb\nc", models: ["m1"] })]);
        return shared.channelIds.push(...created.map(({ id }) => id));
      }
      case 14: {
        const target = shared.pick(this.channels.keysOf(channelId));
        if (target && shared.random() < 0.7) return this.channels.reportDeadKey(target, "dead");
        const out = shared.pick(this.channels.keysOutOfUse());
        if (out) return this.channels.reviveKey(out);
        return shared.random() < 0.3 ? this.channels.removeDisabled() : undefined;
      }
      case 15:
        return key && keys.rotate(key.userId, key.id, shared.upTo(1) * 100);
      case 16:
        return key && keys.endFormer(key.userId, key.id);
      case 17: {
        if (!user) return undefined;
        const made = { name: "made", createdTime: 1, expiredTime: -1, remainQuota: 1, unlimitedQuota: false };
        return keys.createAll(user.id, [made, made]);
      }
      default: {
        const option = shared.pick(["ModelRatio", "CompletionRatio", "SystemName"] as const) ?? "SystemName";
        const value = option === "SystemName" ? `name ${shared.upTo(9)}` : `{"m1":${shared.upTo(9) + 1}}`;
        return this.options.put(option, value);
      }
    }
  }

  /** All that requests and sessions are judged by. */
  tells(): object {
    const { users, keys, sessions } = this.accounts;
    const { shared, channels } = this;
    return {
      users: shared.userIds.map((id) => {
        const { account: _, ...user } = users.find(id) ?? {};
        return user;
      }),
      names: NAMES.map((name) => users.findByName(name)?.id),
      accessTokens: shared.accessTokens.map((token) => users.findByAccessToken(token)?.id),
      keys: shared.keys.map(({ id, secret }) => {
        const { account, user, ...key } = keys.find(secret) ?? {};
        return { ...key, isUnlimited: account?.isUnlimited, userId: user?.id, byId: keys.findById(id)?.id };
      }),
      sessions: shared.cookies.map(({ id }) => sessions.find(id, NOW)?.userId),
      channels: shared.channelIds.map((id) => ({
        name: channels.nameOf(id),
        keys: channels.keysOf(id).map((target) => [target.id, target.channel.status, target.channel.models]),
      })),
      routes: ["m1", "m2"].map((model) => channels.candidates("default", model).map(({ id }) => id)),
      outOfUse: channels
        .keysOutOfUse()
        .map(({ id }) => id)
        .sort(),
      enabled: channels.enabled().map(({ id }) => id),
      options: this.options.list().filter(({ key }) => !key.endsWith("Price")),
      version: this.options.priceVersion,
    };
  }

  /** Until nothing is on its way to the store. */
  async settle(): Promise<void> {
    for (let last: unknown; last !== this.last; ) {
      last = this.last;
      await this.last;
      await turn();
    }
  }
}

const play = async (seed: number): Promise<number> => {
  const folder = mkdtempSync(join(tmpdir(), "tollgate-follow-"));
  const stores = await startSqliteStores(start, join(folder, "tollgate.db"), MASTER_KEY, () => {});
  try {
    const shared = new Shared(seed, stores);
    const nodes = [await Node.open(shared, true), await Node.open(shared, true)];
    const underWay = new Set<Promise<unknown>>();
    let isOver = false;
    const failed = (error: Error): void => {
      if (error.name === "AssertionError") throw error;
    };
    const following = nodes.map(async (node) => {
      while (!isOver) {
        await node.follow().catch(failed);
        await shared.turns(4);
      }
    });
    // Each has something to begin with: users, keys, sessions and channels.
    for (const action of [0, 0, 6, 11, 13]) for (const node of nodes) await node.act(action).catch(failed);
    for (let step = 0; step < STEPS; step += 1) {
      const action = (shared.pick(nodes) as Node).act().catch(failed);
      underWay.add(action);
      action.finally(() => underWay.delete(action));
      // Few at once: the queries to apply changes wait behind all of them.
      do await shared.turns(4);
      while (underWay.size > MAX_UNDER_WAY);
    }
    shared.isBroken = false;
    await Promise.all(underWay);
    for (const node of nodes) await node.settle();
    isOver = true;
    await Promise.all(following);
    for (const node of nodes) while (node.position < shared.changes.length) await node.follow();
    const fresh = await Node.open(shared, false);
    for (const node of nodes) expect(node.tells()).toEqual(fresh.tells());
    return shared.changes.length;
  } finally {
    await stores.close();
    rmSync(folder, { recursive: true });
  }
};

describe("nodes that follow each other's changes, however these interleave and whatever is lost", () => {
  it.each(seeds(24))(
    "have the same memory as after a start, and no ban is undone by an older answer (seed %i)",
    async (seed) => {
      expect(await play(seed)).toBeGreaterThan(20);
    },
  );
});
