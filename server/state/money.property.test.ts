import { createMemoryMoney } from "@tollgate/accounts/account-money";
import { createAccounts, loadAccounts } from "@tollgate/accounts/accounts";
import type { ApiKey } from "@tollgate/accounts/api-keys";
import type { User } from "@tollgate/accounts/users";
import type { Usage } from "@tollgate/contract/relay/usage";
import { hold } from "@tollgate/metering/ledger";
import { findPrice } from "@tollgate/metering/price";
import { parseRatioTable } from "@tollgate/metering/ratio-table";
import { CLIENT_PROTOCOLS } from "@tollgate/protocols/protocols";
import { checkKey } from "@tollgate/relay/admission/admit";
import type { ChargeRecord } from "@tollgate/relay/ports/charges";
import type { Refusal } from "@tollgate/relay/ports/client";
import type { UpstreamTarget } from "@tollgate/relay/ports/directory";
import type { RelayPorts } from "@tollgate/relay/ports/relay-ports";
import type { UpstreamReceiver } from "@tollgate/relay/ports/transport";
import { createRelay, type Relay } from "@tollgate/relay/relay";
import { entryOf } from "@tollgate/relay/testing/entry-of";
import { RecordingResponse } from "@tollgate/relay/testing/recording-response";
import type { AccountChanges } from "@tollgate/storage/accounts/ports";
import type {
  AccountsUnderTest,
  StoreUnderTest,
} from "@tollgate/storage/accounts/testing/accounts-under-test";
import { newSqliteStore } from "@tollgate/storage/accounts/testing/sqlite-store";
import { decodeEntries } from "@tollgate/storage/outbox/log-entry";
import { moneyFaults } from "@tollgate/storage/testing/money-faults";
import { MASTER_KEY, newToken, newUser } from "@tollgate/storage/testing/sample-records";
import { createRandom } from "@tollgate/testkit/random";
import { seeds } from "@tollgate/testkit/seeds";
import { UNBOUNDED_MEMORY } from "@tollgate/testkit/unbounded-memory";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { MoneyActions, type MoneyNode, someTime } from "../payments/testing/money-actions";
import { accountStoreOf, readStoredAccounts } from "./account-store";
import { ChargeWriter } from "./charge-writer";
import { readCommissionRule } from "./commission-rule";
import type { Options } from "./options";

/*
 * The whole engine over the real balances and a real file, driven by random calls that the owner of a key, the user, an
 * administrator, providers of payments and a lying upstream can make, against a model of the required charges; now and
 * then the process dies and starts again. Each history is drawn from a seed, which is in the title.
 */

const STEPS = 300;
const COMMISSION_PERCENT = 15;
const NEVER = -1;
const BANNED = 2;
const DISABLED = 2;

/** Quota per token; the test does its own arithmetic with them, in plain numbers. */
const WEIGHTS = { input: 2, cacheRead: 1, audioInput: 8, output: 10, audioOutput: 20 };
const PER_CALL = 700;
const TIERS = parseRatioTable('{"priority":2,"flex":0.5}') ?? new Map();
/** USD per million tokens at 500,000 quota a dollar. */
const usd = (quotaPerToken: number): number => quotaPerToken * 2;

const channelOf = (id: number, modelMapping: Record<string, string>): UpstreamTarget =>
  entryOf({ id, models: ["dear", "whole"], groups: ["default", "vip"], modelMapping });

const CHANNELS = [channelOf(1, {}), channelOf(2, { whole: "dear" })];

/** One request that is at an upstream. */
interface Sent {
  requestId: string;
  receiver: UpstreamReceiver;
  isStream: boolean;
  isOver: boolean;
  hasHead: boolean;
  said: number;
}

interface Asked {
  response: RecordingResponse;
  /** The usage reported in a complete answer. */
  told: Usage | undefined;
  /** The tier that reaches the upstream. */
  tier: string | undefined;
  charges: ChargeRecord[];
  failures: number;
  /** Which process it was asked of; with that it is gone. */
  life: number;
}

const DISK_FULL = new Error("disk full");

/** Changes that wait for their turn, as for the thread that stores them. */
const queued = (
  changes: AccountChanges,
  run: (step: () => Promise<unknown>) => Promise<unknown>,
): AccountChanges => {
  const inTurn = (group: object): object =>
    new Proxy(group, {
      get(target, name) {
        const method: unknown = Reflect.get(target, name);
        return typeof method === "function"
          ? (...values: unknown[]) => run(() => Reflect.apply(method, target, values))
          : method;
      },
    });
  return new Proxy(changes, {
    get(target, name) {
      const group: unknown = Reflect.get(target, name);
      return typeof group === "object" && group !== null ? inTurn(group) : group;
    },
  });
};

/** A stored balance. */
interface Stored extends Record<string, unknown> {
  quota: number;
  used: number;
}

/** The factor of a tier, from the requested one and the one that the upstream reported. */
const factorOf = (asked: string | undefined, served: string | undefined): number => {
  if (asked === "flex") return served === "flex" ? 0.5 : 1;
  return asked === "priority" && served !== "default" ? 2 : 1;
};

const priceOf = (record: ChargeRecord, tier: string | undefined): number => {
  const factor = factorOf(tier, record.usage.servedTiers?.service_tier);
  const sum = tokensOf(record) * factor;
  return sum === 0 ? 0 : Math.max(1, Math.ceil(sum));
};

const tokensOf = (record: ChargeRecord): number => {
  if (record.model === "whole") return PER_CALL;
  const { promptTokens, completionTokens, usage } = record;
  if (promptTokens + completionTokens === 0) return 0;
  const cacheRead = Math.min(usage.cacheReadTokens ?? 0, promptTokens);
  const audioInput = Math.min(usage.audioInputTokens ?? 0, promptTokens - cacheRead);
  const audioOutput = Math.min(usage.audioOutputTokens ?? 0, completionTokens);
  return (
    (promptTokens - cacheRead - audioInput) * WEIGHTS.input +
    cacheRead * WEIGHTS.cacheRead +
    audioInput * WEIGHTS.audioInput +
    (completionTokens - audioOutput) * WEIGHTS.output +
    audioOutput * WEIGHTS.audioOutput
  );
};

/** The memory of a process, until it dies. */
interface Life {
  relay: Relay;
  user: User;
  keys: readonly ApiKey[];
  charges: ChargeWriter;
  node: MoneyNode;
}

class World {
  private readonly random: () => number;
  private living: Life | undefined;
  private readonly actions: MoneyActions;
  private readonly asked = new Map<string, Asked>();
  private sent: Sent[] = [];
  /** Steps waiting for the storage's thread, in order. */
  private waiting: (() => Promise<void>)[] = [];
  /** The sum of stored charges. */
  private used = 0;
  private nowMs = 1_700_000_000_000;
  private drainMs = 0;
  /** Of the process that runs: those before have died. */
  private lives = 0;
  private isStorageWell = false;
  readonly faults: string[] = [];
  /** Number of times that a history reached its purposes. */
  readonly met = {
    charges: 0,
    shortfalls: 0,
    keyShortfalls: 0,
    refusals: 0,
    interrupted: 0,
    refunds: 0,
    free: 0,
    restarts: 0,
  };

  static async create(seed: number): Promise<World> {
    const random = createRandom(seed);
    const store = await newSqliteStore();
    const stored = await store.open(MASTER_KEY);
    const { users, tokens } = stored.changes;
    const quota = [3000, 400_000, 20_000_000][Math.floor(random() * 3)] ?? 0;
    const inviter = (await users.create(newUser({ username: "root", affCode: "r", quota: 0 }), 0, [])).user;
    const buyer = (await users.create(newUser({ quota, affCode: "a", inviterId: inviter.id }), 0, [])).user;
    for (const [index, remainQuota] of [9000, 2_000_000, 0].entries())
      await tokens.create(
        newToken(buyer.id, { key: `key ${index}`, remainQuota, unlimitedQuota: index === 2 }),
      );
    const world = new World(random, store, stored, buyer.id, inviter.id, quota);
    await world.actions.furnish({ write: stored.changes });
    await world.start();
    return world;
  }

  private constructor(
    random: () => number,
    private readonly store: StoreUnderTest,
    private readonly stored: AccountsUnderTest,
    private readonly buyerId: number,
    inviterId: number,
    quota: number,
  ) {
    this.random = random;
    this.actions = new MoneyActions({
      random,
      now: () => this.now(),
      buyerId,
      inviterId,
      scale: Math.max(1000, quota),
      name: "order",
      isExpected: (error) => error === DISK_FULL,
    });
  }

  /** A process starts with the stored state. */
  private async start(): Promise<void> {
    const { stored } = this;
    this.lives += 1;
    const life = this.lives;
    const run = <T>(step: () => Promise<T>): Promise<T> =>
      new Promise((resolve, reject) => {
        // A dead node makes no more calls.
        if (life !== this.lives) return;
        this.waiting.push(async () => {
          if (this.fails()) reject(DISK_FULL);
          else await step().then(resolve, reject);
        });
      });
    const storage = { read: stored.queries, write: queued(stored.changes, run) };
    const tools = {
      hash: (text: string) => text,
      now: () => this.now(),
      amountUnit: () => ({ quotaPerUnit: 500_000, isCurrency: false }),
      commissionRule: () => readCommissionRule(options),
      reportError: () => {},
    };
    const money = createMemoryMoney(() => {});
    const accounts = createAccounts(accountStoreOf(storage), tools, money);
    await loadAccounts(accounts, await readStoredAccounts(stored.queries, this.now()));
    const options = {
      number: (key: string) => (key === "CommissionPercent" ? COMMISSION_PERCENT : 0),
      isOn: () => true,
      // The terms of quotes: those of an order are read when it is paid.
      text: () => "",
      serverAddress: () => "",
    } as unknown as Options;
    const node = this.actions.open({ ...storage, accounts }, options);
    const user = accounts.users.find(this.buyerId);
    if (!user) throw new Error("the user is gone");
    const keys = [1, 2, 3].flatMap((id) => accounts.keys.findById(id) ?? []);
    const journal = {
      append: (changes: string, entries: string, done: (error: Error | undefined) => void) => {
        this.waiting.push(async () => {
          if (this.fails()) {
            this.met.refunds += 1;
            done(DISK_FULL);
            return;
          }
          await stored.commitEncoded(changes, entries);
          const { users } = JSON.parse(changes) as Record<"users", number[][]>;
          for (const [, quota = 0] of users) this.used += quota;
          this.noteCharges(entries);
          done(undefined);
        });
      },
    };
    const charges = new ChargeWriter(
      journal,
      money.balances,
      options,
      () => this.nowMs,
      () => {},
      () => {},
      () => 1,
    );
    this.living = { relay: createRelay(this.ports()), user, keys, charges, node };
  }

  /** Stored charges, which may be refunded from now on. */
  private noteCharges(entries: string): void {
    decodeEntries(
      entries,
      ({ requestId, tokenId, quota, createdAt }) => {
        const [record] = this.asked.get(requestId)?.charges ?? [];
        const takenFromKey = record?.takenFromKey ?? 0;
        if (quota > 0)
          this.actions.noteCharge({ requestId, keyId: tokenId, quota, takenFromKey, at: createdAt });
      },
      () => {},
    );
  }

  private get process(): Life {
    if (!this.living) throw new Error("it was not started");
    return this.living;
  }

  private get user(): User {
    return this.process.user;
  }

  private get keys(): readonly ApiKey[] {
    return this.process.keys;
  }

  private get node(): MoneyNode {
    return this.process.node;
  }

  /** The process is killed: its unstored state is lost, and so are its clients. */
  private async restart(): Promise<void> {
    this.met.restarts += 1;
    this.waiting = [];
    this.sent = [];
    vi.clearAllTimers();
    await this.start();
    this.faults.push(...(await moneyFaults(this.stored.ask, false)));
  }

  get whatWasMet(): Record<string, number> {
    const { met, actions } = this;
    return { ...met, ...actions.met };
  }

  async close(): Promise<void> {
    await this.stored.close();
    await this.store.remove();
  }

  private now(): number {
    return Math.floor(this.nowMs / 1000);
  }

  private fails(): boolean {
    return !this.isStorageWell && this.chance(0.1);
  }

  private upTo(n: number): number {
    return Math.floor(this.random() * (n + 1));
  }

  private chance(p: number): boolean {
    return this.random() < p;
  }

  private pick<T>(items: readonly T[]): T {
    return items[this.upTo(items.length - 1)] as T;
  }

  private check(isTrue: boolean, what: string): void {
    if (!isTrue) this.faults.push(what);
  }

  private ports(): RelayPorts {
    const { input, output, cacheRead, audioInput, audioOutput } = WEIGHTS;
    const entry = {
      input: usd(input),
      output: usd(output),
      cacheRead: usd(cacheRead),
      cacheWrite5m: usd(input),
      cacheWrite1h: usd(input),
      audioInput: usd(audioInput),
      audioOutput: usd(audioOutput),
    };
    const modelPrices = new Map([
      ["dear", [entry]],
      ["whole", [{ perCall: PER_CALL / 500_000 }]],
    ]);
    return {
      directory: {
        findKey: () => undefined,
        keysOfChannel: () => [],
        candidates: () => CHANNELS,
        offeredModels: () => [],
        markKey: (key: ApiKey, status: number) => {
          key.status = status;
        },
        reportDeadKey: () => {},
      } as unknown as RelayPorts["directory"],
      holds: { place: hold },
      pricing: {
        find: (model, group) =>
          findPrice(
            { modelRatios: new Map(), groupRatios: new Map(), modelPrices, tierRatios: TIERS },
            model,
            group,
            0,
          ),
        defaultHoldTokens: () => 100,
        drainMs: () => this.drainMs,
        countsDrainMs: () => 0,
        retryTimes: () => 1,
      },
      charges: {
        noteRefused() {},
        noteFailure: (record) => {
          const asked = this.asked.get(record.requestId);
          if (asked) asked.failures += 1;
          this.process.charges.noteFailure(record);
        },
        commit: (record, done) => this.commit(record, done),
      },
      tokenCounter: { count: (_model, text, done) => done(Math.ceil(text.length / 4)) },
      transport: {
        send: (request, receiver) => {
          const sent: Sent = {
            requestId: this.sending,
            receiver,
            isStream: String(request.body).includes('"stream":true'),
            isOver: false,
            hasHead: false,
            said: 0,
          };
          this.sent.push(sent);
          receiver.onStart(() => {
            sent.isOver = true;
          });
        },
        close: async () => {},
      },
      fetchMedia: () => Promise.reject(new Error("nothing is to be fetched")),
      now: () => this.nowMs,
      random: () => this.random(),
      reportFailure: () => {},
    };
  }

  /** The request handled by the engine, so that its output can be attributed. */
  private sending = "";

  // --- the model: the required settlement ---

  private commit(record: ChargeRecord, done: (error: Error | undefined) => void): void {
    const { key, quota, shortfall, takenFromKey, keyShortfall, requestId } = record;
    const asked = this.asked.get(requestId);
    if (!asked) throw new Error("nobody asked for that");
    const price = priceOf(record, asked.tier);
    const balance = this.user.account.quota + quota;
    const keyBalance = key.account.quota + takenFromKey;
    const isLimited = !key.account.isUnlimited;
    this.check(
      quota === Math.min(price, balance),
      `charged ${quota} of ${price}, the balance was ${balance}`,
    );
    this.check(shortfall === price - quota, `a shortfall of ${shortfall} for ${quota} of ${price}`);
    this.check(takenFromKey === (isLimited ? Math.min(quota, keyBalance) : 0), "the key gives what it has");
    this.check(
      keyShortfall === (isLimited ? quota - takenFromKey : 0),
      "the key's shortfall is noted exactly",
    );
    this.check(
      asked.response.headersSent || !asked.response.destroyed,
      "a client that got nothing is charged",
    );
    if (record.end === "complete") this.checkTold(record, asked.told);
    else this.met.interrupted += 1;
    asked.charges.push(record);
    this.met.charges += 1;
    if (shortfall > 0) this.met.shortfalls += 1;
    if (keyShortfall > 0) this.met.keyShortfalls += 1;
    this.process.charges.commit(record, done);
  }

  /** A complete answer is charged by the upstream's reported usage. */
  private checkTold(record: ChargeRecord, told: Usage | undefined): void {
    if (told?.inputTokens === undefined || told.outputTokens === undefined) return;
    this.check(record.promptTokens === told.inputTokens, "the prompt is what the upstream told");
    this.check(record.completionTokens === told.outputTokens, "the answer is what the upstream told");
    this.check(
      (record.usage.cacheReadTokens ?? 0) === (told.cacheReadTokens ?? 0),
      "cached tokens are as told",
    );
    this.check((record.usage.audioOutputTokens ?? 0) === (told.audioOutputTokens ?? 0), "sound is as told");
  }

  // --- possible events ---

  async step(): Promise<void> {
    const action = this.random();
    if (action < 0.18) this.ask();
    else if (action < 0.39) this.answer();
    else if (action < 0.43) this.leave();
    else if (action < 0.5) this.editKey();
    else if (action < 0.52) this.editUser();
    else if (action < 0.66) void this.actions.act([this.node]);
    else if (action < 0.67) this.nowMs += someTime(this.random) * 1000;
    else if (action < 0.94) await this.waiting.shift()?.();
    else if (action < 0.95) vi.advanceTimersByTime(6000);
    else if (action < 0.957) await this.restart();
    else vi.advanceTimersByTime(this.upTo(3));
    // Disabled objects are enabled again soon, so that requests can be charged.
    if (this.chance(0.15)) this.enableAll();
    if (this.chance(0.02)) this.drainMs = this.pick([0, 5000]);
    this.nowMs += this.upTo(2000);
    this.checkBalances();
  }

  private ask(): void {
    const key = this.pick(this.keys);
    if (checkKey(key, { markKey: () => {} }, Math.floor(this.nowMs / 1000))) return;
    const requestId = `request ${this.asked.size + 1}`;
    const limit = this.pick([1, 50, 400, 3000]);
    const limits = this.pick([
      {},
      { max_tokens: limit },
      { max_completion_tokens: limit },
      { max_tokens: 1, max_completion_tokens: limit },
      { max_tokens: limit, extra_body: { max_new_tokens: 2 * limit }, n: 2 },
    ]);
    const client = this.pick([CLIENT_PROTOCOLS["openai-chat"], CLIENT_PROTOCOLS["anthropic-messages"]]);
    const body = {
      model: this.pick(["dear", "dear", "whole"]),
      messages: [{ role: "user", content: "x".repeat(this.upTo(400) + 1) }],
      stream: this.chance(0.6),
      service_tier: this.pick([undefined, undefined, "priority", "flex", "auto", "unheard-of"]),
      ...(client.name === "anthropic-messages" ? { max_tokens: limit } : limits),
    };
    const response = new RecordingResponse();
    const tier = client.name === "openai-chat" ? body.service_tier : undefined;
    this.asked.set(requestId, {
      response,
      told: undefined,
      tier,
      charges: [],
      failures: 0,
      life: this.lives,
    });
    this.as(requestId, () =>
      this.process.relay.run({
        client,
        key,
        pinned: undefined,
        rawBody: Buffer.from(JSON.stringify(body)),
        body,
        summary: client.summarizeRequest(body),
        response,
        requestId,
        headers: {},
        clientHeaders: {},
        describe: (refusal: Refusal) => {
          if (refusal.code.includes("quota")) this.met.refusals += 1;
          return { status: 500, code: refusal.code, message: refusal.code };
        },
        memory: UNBOUNDED_MEMORY,
      }),
    );
  }

  private as(requestId: string, act: () => void): void {
    this.sending = requestId;
    act();
  }

  /** An upstream may report anything: too much, parts above the whole, or nothing. */
  private usage(): { wire: object | undefined; told: Usage | undefined } {
    if (this.chance(0.2)) return { wire: undefined, told: undefined };
    const inputTokens = this.pick([1, 30, 500, 20_000]);
    const outputTokens = this.pick([1, 20, 700, 4000, 50_000]);
    const cacheReadTokens = this.pick([0, 0, 10, 700]);
    const audioInputTokens = this.pick([0, 0, 15]);
    const audioOutputTokens = this.pick([0, 0, 600]);
    const reasoningTokens = this.upTo(5);
    const surplus = this.pick([0, 0, 0, 3, 40_000, 90_000_000]);
    const wire = {
      prompt_tokens: inputTokens,
      completion_tokens: outputTokens,
      total_tokens: inputTokens + outputTokens + surplus,
      prompt_tokens_details: { cached_tokens: cacheReadTokens, audio_tokens: audioInputTokens },
      completion_tokens_details: { audio_tokens: audioOutputTokens, reasoning_tokens: reasoningTokens },
    };
    const told: Usage = {
      inputTokens,
      // A total says nothing by itself: as much of it counts as is told to be reasoning.
      outputTokens: outputTokens + Math.min(surplus, reasoningTokens),
      cacheReadTokens,
      cacheWriteTokens: undefined,
      audioOutputTokens,
      reasoningTokens: undefined,
    };
    return { wire, told };
  }

  /** An upstream may report any tier, too. */
  private servedTier(): object {
    const told = this.pick([undefined, "default", "priority", "flex", "unheard-of", 7]);
    return told === undefined ? {} : { service_tier: told };
  }

  private answer(): void {
    const open = this.sent.filter(({ isOver }) => !isOver);
    if (open.length === 0) return;
    const sent = this.pick(open);
    this.as(sent.requestId, () => (sent.isStream ? this.answerStream(sent) : this.answerWhole(sent)));
  }

  private fail(sent: Sent): void {
    sent.isOver = true;
    sent.receiver.onFailure({ kind: this.pick(["reset", "timeout", "connect"] as const), detail: "broken" });
  }

  private head(sent: Sent, status: number, type: string): void {
    if (sent.hasHead) return;
    sent.hasHead = true;
    sent.receiver.onHeaders(status, { "content-type": type }, () => {});
  }

  private end(sent: Sent): void {
    sent.isOver = true;
    sent.receiver.onEnd();
  }

  private answerWhole(sent: Sent): void {
    const fate = this.random();
    if (fate < 0.15) {
      this.fail(sent);
      return;
    }
    const { wire, told } = this.usage();
    const content = fate < 0.25 ? "" : "y".repeat(this.upTo(3000) + 1);
    const isError = fate < 0.35 && fate >= 0.25;
    const choices = [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }];
    const body = isError
      ? { error: { message: "down", code: "server_error" } }
      : { choices, usage: wire, ...this.servedTier() };
    const asked = this.asked.get(sent.requestId);
    if (asked) asked.told = told;
    this.head(sent, isError ? this.pick([200, 500, 429]) : 200, "application/json");
    sent.receiver.onData(Buffer.from(JSON.stringify(body)));
    if (!sent.isOver) this.end(sent);
  }

  private answerStream(sent: Sent): void {
    const formatMessage = (value: object | string): void => {
      if (sent.isOver) return;
      const data = typeof value === "string" ? value : JSON.stringify(value);
      sent.receiver.onData(Buffer.from(`data: ${data}\n\n`));
    };
    const choice = (delta: object, finish_reason: string | null = null) => ({
      id: "c",
      object: "chat.completion.chunk",
      created: 1,
      model: "m",
      choices: [{ index: 0, delta, finish_reason }],
    });
    const fate = this.random();
    if (fate < 0.08) {
      this.fail(sent);
      return;
    }
    this.head(sent, 200, "text/event-stream");
    if (sent.isOver) return;
    if (fate < 0.13) formatMessage({ error: { message: "overloaded", code: "server_error" } });
    else if (fate < 0.2) formatMessage(choice({ role: "assistant", content: "" }));
    else if (fate < 0.7) {
      sent.said += 1;
      formatMessage(choice({ content: "z".repeat(this.upTo(600) + 1) }));
    } else if (fate < 0.75) this.end(sent);
    else {
      const { wire, told } = this.usage();
      const asked = this.asked.get(sent.requestId);
      if (asked) asked.told = told;
      formatMessage(choice({ content: "end" }, "stop"));
      if (wire) formatMessage({ ...choice({}), choices: [], usage: wire, ...this.servedTier() });
      formatMessage("[DONE]");
      if (!sent.isOver) this.end(sent);
    }
  }

  private leave(): void {
    const open = [...this.asked].filter(
      ([, { response, life }]) => life === this.lives && !response.writableEnded && !response.destroyed,
    );
    if (open.length === 0) return;
    const [requestId, { response }] = this.pick(open);
    this.as(requestId, () => response.destroy());
  }

  /** As PUT and DELETE /api/token/ do. */
  private editKey(): void {
    const key = this.pick(this.keys);
    const { account } = key;
    const kind = this.upTo(9);
    const change = (edit: { remainQuota: number } | { unlimitedQuota: boolean }): void => {
      void this.node.accounts.keys.change(this.user.id, key.id, edit).catch(() => {});
    };
    if (kind < 5)
      change({
        remainQuota: this.pick([0, account.held + 1, this.upTo(9000), account.quota + 5, 2_000_000]),
      });
    else if (kind < 7) change({ unlimitedQuota: !account.isUnlimited });
    else if (kind === 7) key.status = this.pick([1, DISABLED]);
    else if (kind === 8) key.expiredTime = this.pick([NEVER, 1]);
    // Deleted: as the directory leaves it for those who still know it.
    else key.status = DISABLED;
  }

  private enableAll(): void {
    this.user.status = 1;
    for (const key of this.keys) {
      key.status = 1;
      key.expiredTime = NEVER;
    }
  }

  private editUser(): void {
    const kind = this.upTo(5);
    if (kind === 0) this.user.status = this.pick([1, BANNED]);
    else if (kind === 1) this.user.groups = this.pick([["default"], ["vip"], ["vip", "default"]]);
    else {
      const { account } = this.user;
      const quota = this.pick([0, this.upTo(5000), account.quota + 500_000, 20_000_000]);
      void this.node.accounts.users.change(this.user.id, { quota, actorId: 1 }).catch(() => {});
    }
  }

  // --- invariants ---

  private checkBalances(): void {
    this.check(this.user.account.quota >= 0, "the user is not below zero");
    this.check(this.user.account.held >= 0, "no hold of the user is ended twice");
    for (const { account } of this.keys) {
      this.check(account.quota >= 0, "no key is below zero");
      this.check(account.held >= 0, "no hold of a key is ended twice");
    }
  }

  /** All nodes leave, everything that waits is stored, and all plans end. */
  async finish(): Promise<void> {
    for (const sent of this.sent) if (!sent.isOver) this.as(sent.requestId, () => this.fail(sent));
    for (const [requestId, { response, life }] of this.asked)
      if (life === this.lives) this.as(requestId, () => response.destroy());
    for (const sent of this.sent) if (!sent.isOver) this.as(sent.requestId, () => this.fail(sent));
    await this.drain(turns());
    this.isStorageWell = true;
    await this.drain(this.actions.settle(this.node));
    await this.checkEnd();
  }

  /** Stores all waiting steps, until the step has ended and none are left. */
  private async drain(end: Promise<void>): Promise<void> {
    let isOver = false;
    void end.then(() => {
      isOver = true;
    });
    for (let quiet = 0; quiet < 5 || !isOver; ) {
      vi.advanceTimersByTime(10_000);
      const next = this.waiting.shift();
      await next?.();
      await turns();
      quiet = next ? 0 : quiet + 1;
    }
  }

  private async checkEnd(): Promise<void> {
    const { account } = this.user;
    this.check(this.process.relay.active === 0, "every request has ended");
    this.check(account.held === 0, `the user's holds are all ended: ${account.held}`);
    this.check((account.due ?? 0) === 0, `nothing is due: ${account.due}`);
    const stored = async (query: string): Promise<Stored> => (await this.stored.ask(query)).at(0) as Stored;
    const user = await stored(`SELECT quota, used_quota AS used FROM users WHERE id = ${this.user.id}`);
    this.check(account.quota === user.quota, `the balance is ${account.quota}, and stored ${user.quota}`);
    this.check(user.used === this.used, "what is used is what was charged");
    this.check(
      (await this.node.read.plans.own(this.user.id)) === user.quota,
      "nothing of a plan is left, and nothing is put aside",
    );
    for (const { id, account: own } of this.keys) {
      const key = await stored(`SELECT remain_quota AS quota FROM tokens WHERE id = ${id}`);
      this.check(own.held === 0, "a key's holds are all ended");
      this.check(own.quota === key.quota, "a key's balance is what is stored");
    }
    this.faults.push(...(await moneyFaults(this.stored.ask, false)));
    this.faults.push(...(await this.actions.faults(this.node)), ...this.actions.errors.map(String));
    let charged = 0;
    for (const { charges, failures, response, life } of this.asked.values()) {
      this.check(charges.length <= 1, "a request is charged once");
      this.check(life !== this.lives || charges.length + failures >= 1, "a request leaves a trace");
      if (charges.length === 0 && response.status === 200 && response.writableEnded) this.met.free += 1;
      for (const { quota } of charges) charged += quota;
    }
    this.check(charged >= user.used, "nothing is used that no receipt tells");
    if (this.met.refunds + this.met.restarts === 0)
      this.check(charged === user.used, "the user used what the receipts tell");
  }
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setImmediate"] });
});

afterEach(() => {
  vi.useRealTimers();
});

/** Awaited between two calls. */
const turns = async (): Promise<void> => {
  for (let i = 0; i < 8; i += 1) await Promise.resolve();
};

const played = new Map<number, Promise<World>>();

const playAnew = async (seed: number): Promise<World> => {
  const world = await World.create(seed);
  try {
    for (let step = 0; step < STEPS && world.faults.length === 0; step += 1) {
      await world.step();
      await turns();
    }
    await world.finish();
    return world;
  } finally {
    await world.close();
  }
};

/** Each history is played once. */
const play = (seed: number): Promise<World> => {
  const world = played.get(seed) ?? playAnew(seed);
  played.set(seed, world);
  return world;
};

describe("any history of calls, answers, interruptions, edits, payments, plans and commissions (M1)", () => {
  it.each(seeds(60))(
    "charges every answer its price, as far as the user's balance goes (seed %i)",
    async (seed) => {
      expect((await play(seed)).faults).toEqual([]);
    },
  );

  it("meets shortfalls, refusals, interruptions, failures of storage, payments and plans on its way", async () => {
    const sums: Record<string, number> = {};
    const all = seeds(60);
    for (const seed of all)
      for (const [what, times] of Object.entries((await play(seed)).whatWasMet))
        sums[what] = (sums[what] ?? 0) + times;
    for (const [what, times] of Object.entries(sums))
      expect({ what, isMet: times > all.length / 20 }).toEqual({ what, isMet: true });
  });
});
