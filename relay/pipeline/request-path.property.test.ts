import { parseOverrides } from "@tollgate/contract/management/channel-overrides";
import { type ModelMapping, upstreamNamesOf } from "@tollgate/contract/management/model-mapping";
import { type Hold, hold } from "@tollgate/metering/ledger";
import { findPrice, type PriceBook } from "@tollgate/metering/price";
import { parseRatioTable } from "@tollgate/metering/ratio-table";
import { CLIENT_PROTOCOLS } from "@tollgate/protocols/protocols";
import { createRandom } from "@tollgate/testkit/random";
import { seeds } from "@tollgate/testkit/seeds";
import { UNBOUNDED_MEMORY } from "@tollgate/testkit/unbounded-memory";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { MemoryRates } from "../limits/memory-rates";
import type { Rates } from "../limits/rates";
import type { ChargeRecord, HoldOutcome } from "../ports/charges";
import type { ApiKey, UpstreamTarget } from "../ports/directory";
import type { RelayPorts } from "../ports/relay-ports";
import type { UpstreamReceiver } from "../ports/transport";
import { createRelay } from "../relay";
import { entryOf } from "../testing/entry-of";
import { RecordingResponse } from "../testing/recording-response";

/*
 * Requests of one key through all that stands between it and an upstream: groups in turn, other models in place of one that cannot
 * answer, channels that are full, that map models and that change requests, and prices that change meanwhile. Whatever happens, what
 * is charged is what the upstream was asked for, at the price of the group by whose channel it was asked.
 */

const CLIENTS = [CLIENT_PROTOCOLS["openai-chat"], CLIENT_PROTOCOLS["anthropic-messages"]] as const;
const GROUPS = ["g1", "g2", "g3"];
const MODELS = ["cheap", "dear", "alias"];
const MODEL_RATIOS: Readonly<Record<string, number>> = { cheap: 1, dear: 10, other: 4 };
const SEARCH_USD = 10;
const QUOTA_PER_USD = 500_000;
const PLENTY = 1_000_000_000;
const QUEUE_MS = 400;

const OVERRIDES = [
  undefined,
  { body: { set: { max_tokens: 300 } } },
  { body: { delete: ["max_tokens"] } },
  { body: { merge: { n: 3, max_tokens: 40 } } },
  { body: { merge: { max_completion_tokens: 700, extra_body: { n: 2 } } } },
  { body: { set: { service_tier: "priority" } } },
  { body: { set: { web_search_options: {} } } },
  { body: { set: { "tools.0.max_uses": 50, service_tier: "unheard-of" } } },
  { system_prompt: { text: `Be terse. ${"Rule. ".repeat(200)}`, mode: "prepend" } },
  { system_prompt: { text: "Only where there is none.", mode: "fill" }, body: { set: { max_tokens: 90 } } },
  { headers: { "x-from": "{client:x-feature}", authorization: "Bearer {api_key}" } },
  { status_codes: { 500: 400, 429: 503, 400: 500, 503: 401 } },
  { pass_body: true },
  { cache_marks: true },
];

interface Sent {
  readonly request: string;
  readonly receiver: UpstreamReceiver;
  readonly channel: UpstreamTarget;
  readonly body: Record<string, unknown>;
  readonly held: Hold;
  readonly groupRatio: (group: string) => number;
  hasHead: boolean;
  isOver: boolean;
  told: { prompt: number; completion: number; isHonest: boolean } | undefined;
}

interface Asked {
  readonly response: RecordingResponse;
  readonly charges: ChargeRecord[];
  /** Whether the key may ask for the model. */
  readonly isAllowed: boolean;
  failures: number;
  isGone: boolean;
}

const textOf = (body: unknown): string =>
  typeof body === "string"
    ? body
    : Buffer.concat((Array.isArray(body) ? body : [body]) as Uint8Array[]).toString("utf8");

const settled = async (): Promise<void> => {
  for (let i = 0; i < 12; i += 1) await Promise.resolve();
};

class World {
  private readonly random: () => number;
  private readonly relay: ReturnType<typeof createRelay>;
  private readonly key: ApiKey;
  private readonly asked = new Map<string, Asked>();
  private readonly sent: Sent[] = [];
  private readonly channels: UpstreamTarget[];
  private readonly closed = new Set<number>();
  private readonly counted = new Map<string, number>();
  private readonly isRich: boolean;
  private readonly isShared: boolean;
  /** Holds wait for the database, so that it is not known whose was placed last. */
  private readonly isLeased: boolean;
  private lastHold: Hold | undefined;
  private ratios: Record<string, number> = { g1: 1, g2: 3, g3: 0.5 };
  private usable: readonly string[];
  private readonly initial: number;
  readonly faults: string[] = [];
  readonly met = { charges: 0, fallbacks: 0, otherGroups: 0, queued: 0, changed: 0 };

  constructor(seed: number) {
    this.random = createRandom(seed);
    this.isRich = this.random() < 0.7;
    this.isLeased = this.random() < 0.3;
    this.initial = this.isRich ? PLENTY : this.pick([60, 5000, 400_000]);
    const account = (id: number, quota: number) => ({ id, quota, held: 0, isUnlimited: false });
    const isAuto = this.random() < 0.6;
    this.usable = this.pick([GROUPS, ["g3", "g2"], ["g2", "g1"], ["g1"]]);
    this.key = {
      id: 2,
      name: "laptop",
      status: 1,
      expiredTime: -1,
      account: account(2, this.pick([PLENTY, this.initial])),
      user: {
        id: 1,
        username: "alice",
        role: 1,
        status: 1,
        groups: ["g1", "g3"],
        account: account(1, this.initial),
      },
      ...(isAuto ? { group: "auto" } : {}),
      ...(this.random() < 0.2 ? { models: new Set(["dear", "cheap"]) } : {}),
      ...(this.random() < 0.1 ? { hasNoFallbacks: true } : {}),
    };
    this.channels = Array.from({ length: 5 }, (_, index) => this.makeChannel(index + 1));
    const memory = new MemoryRates(() => Date.now());
    const isShared = this.random() < 0.4;
    this.isShared = isShared;
    const rates: Rates = {
      // Other nodes are asked, and the answer comes later.
      enter: (...entering) =>
        isShared ? Promise.resolve().then(() => memory.enter(...entering)) : memory.enter(...entering),
      add: (...added) => memory.add(...added),
      look: (subjects) => memory.look(subjects),
    };
    const retries = this.pick([0, 1, 2]);
    const queueLength = this.pick([0, 3, 50]);
    const strategy = this.pick([undefined, "fastest", "cheapest"] as const);
    const lists = this.pick([
      new Map([
        ["dear", { models: ["alias", "cheap"], on: ["failed", "rate-limited", "timeout", "no-channel"] }],
      ]),
      new Map([["*", { models: ["cheap", "dear"], on: ["failed", "rate-limited", "content-filter"] }]]),
      new Map(),
    ]);
    const ports: RelayPorts = {
      directory: {
        findKey: () => this.key,
        keysOfChannel: () => [],
        candidates: (group, model) => this.candidates(group, model),
        isListed: (group, model) => this.candidates(group, model).length > 0,
        groupsOf: () => this.usable,
        markKey: () => {},
        reportDeadKey: () => {},
      },
      upstreamBounds: {
        rates,
        queueLength: () => queueLength,
        queueMs: () => QUEUE_MS,
        waited: () => {
          this.met.queued += 1;
        },
      },
      fallbacks: { of: (model) => lists.get(model) ?? lists.get("*") },
      holds: {
        place: (...wanted) => {
          const place = (): HoldOutcome => {
            const placed = hold(...wanted);
            if (typeof placed !== "string") this.lastHold = placed;
            return placed;
          };
          return this.isLeased && this.random() < 0.5 ? Promise.resolve().then(place) : place();
        },
      },
      pricing: {
        find: (model, group, payer, requested) =>
          findPrice(this.book(), model, group, Date.now(), payer, requested),
        strategyOf: () => strategy,
        usualCost: (channelId) => channelId,
        defaultHoldTokens: () => 500,
        drainMs: () => 0,
        countsDrainMs: () => 100,
        retryTimes: () => retries,
      },
      charges: {
        noteRefused() {},
        noteFailure: (record) => {
          const asked = this.asked.get(record.requestId);
          if (asked) asked.failures += 1;
        },
        commit: (record, done) => {
          this.check(record);
          done(undefined);
        },
      },
      tokenCounter: { count: (_model, text, done) => done(Math.ceil(text.length / 4)) },
      transport: {
        send: (request, receiver) => this.receive(textOf(request.body), request.origin, receiver),
        close: async () => {},
      },
      fetchMedia: () => Promise.reject(new Error("nothing is to be fetched")),
      now: () => Date.now(),
      random: this.random,
      reportFailure: ({ kind, detail }) => {
        if (kind === "internal") this.faults.push(`internal: ${String(detail)}`);
      },
    };
    this.relay = createRelay(ports);
  }

  private pick<T>(all: readonly T[]): T {
    return all[Math.floor(this.random() * all.length)] as T;
  }

  private some<T>(all: readonly T[]): T[] {
    const some = all.filter(() => this.random() < 0.6);
    return some.length > 0 ? some : [this.pick(all)];
  }

  private book(): PriceBook {
    return {
      modelRatios: parseRatioTable(JSON.stringify(MODEL_RATIOS)) ?? new Map(),
      completionRatios: parseRatioTable('{"cheap":1,"dear":1,"other":1}') ?? new Map(),
      groupRatios: parseRatioTable(JSON.stringify(this.ratios)) ?? new Map(),
      tierRatios: parseRatioTable('{"priority":2}') ?? new Map(),
      toolPrices: parseRatioTable(JSON.stringify({ web_search_options: SEARCH_USD })) ?? new Map(),
    };
  }

  private makeChannel(id: number): UpstreamTarget {
    const requestChanges = parseOverrides(JSON.stringify(this.pick(OVERRIDES) ?? {}));
    return entryOf(
      {
        id,
        type: this.pick([1, 1, 14]),
        baseUrl: `http://channel-${id}.test`,
        models: this.some(MODELS),
        groups: this.some(GROUPS),
        priority: this.pick([0, 0, 1]),
        // What is mapped to a model without a price is passed over.
        modelMapping: this.pick<ModelMapping>([
          { alias: "other" },
          { alias: "dear", dear: "cheap" },
          { alias: "unpriced" },
          {
            alias: [
              { name: "cheap", weight: 1 },
              { name: "dear", weight: 2 },
              { name: "unpriced", weight: 1 },
            ],
          },
        ]),
        ...this.pick([{}, { rpm: 2 }, { concurrency: 1 }, { tpm: 2000 }, { keyConcurrency: 1, rpm: 4 }]),
      },
      { key: "sk-upstream-key", ...(requestChanges ? { requestChanges } : {}) },
    );
  }

  private candidates(group: string, model: string): UpstreamTarget[] {
    return this.channels
      .filter(({ channel }) => !this.closed.has(channel.id))
      .filter(({ channel }) => channel.groups.includes(group) && channel.models.includes(model))
      .sort((a, b) => b.channel.priority - a.channel.priority || a.channel.id - b.channel.id);
  }

  private ask(): void {
    const requestId = `q${this.asked.size + 1}.`;
    const client = this.pick(CLIENTS);
    const isStream = this.random() < 0.4;
    const body: Record<string, unknown> = {
      model: this.pick([...MODELS, "nobody's"]),
      messages: [{ role: "user", content: `${requestId} ${"word ".repeat(this.pick([1, 20, 400]))}` }],
      max_tokens: this.pick([10, 200, 2000]),
      ...(isStream ? { stream: true } : {}),
      ...(this.random() < 0.3
        ? {
            models: this.pick<unknown>([
              ["cheap"],
              ["__proto__", "alias", "dear"],
              [["dear"], { model: "dear" }, "cheap", "cheap"],
              Array.from({ length: 10_000 }, (_, index) => `m${index}`),
              "dear",
            ]),
            route: "fallback",
          }
        : {}),
      ...(this.random() < 0.2 ? { service_tier: this.pick(["priority", "flex", "auto"]) } : {}),
      ...(client.name === "openai-chat" && this.random() < 0.2 ? { n: 2 } : {}),
    };
    const response = new RecordingResponse();
    const isAllowed = this.key.models?.has(String(body.model)) ?? true;
    const asked: Asked = { response, charges: [], isAllowed, failures: 0, isGone: false };
    this.asked.set(requestId, asked);
    this.relay.run({
      client,
      key: this.key,
      pinned: undefined,
      response,
      requestId,
      clientHeaders: {
        "x-feature": this.pick(["on", "a\r\nx-evil: 1", "ünïcode", "x".repeat(5000)]),
        cookie: "c",
      },
      headers: {},
      describe: ({ code, upstream }) => ({ status: upstream?.status ?? 503, code, message: code }),
      memory: UNBOUNDED_MEMORY,
      rawBody: Buffer.from(JSON.stringify(body)),
      body,
      summary: client.summarizeRequest(body),
    });
  }

  private receive(text: string, origin: string, receiver: UpstreamReceiver): void {
    const channel = this.channels.find((each) => each.origin === origin);
    const held = this.lastHold;
    if (!channel || !held) throw new Error("sent to nobody, or for nothing");
    const body = JSON.parse(text) as Record<string, unknown>;
    const request = /q\d+\./.exec(text)?.[0] ?? "";
    const ratios = { ...this.ratios };
    if ("models" in body || "route" in body) this.faults.push(`${request} told its upstream of other models`);
    if (!this.isLeased && !held.isOpen) this.faults.push(`${request} was sent without a hold`);
    const sent: Sent = {
      request,
      receiver,
      channel,
      body,
      held,
      groupRatio: (group) => ratios[group] ?? 1,
      hasHead: false,
      isOver: false,
      told: undefined,
    };
    this.checkLimits(channel);
    this.sent.push(sent);
    receiver.onStart(() => {
      sent.isOver = true;
    });
  }

  private checkLimits({ channel: { id, rpm, concurrency } }: UpstreamTarget): void {
    const minute = `${id} ${Math.floor(Date.now() / 60_000)}`;
    const inMinute = (this.counted.get(minute) ?? 0) + 1;
    this.counted.set(minute, inMinute);
    // Where others are asked, the minute may turn before they answer.
    if (!this.isShared && inMinute > (rpm ?? Number.POSITIVE_INFINITY))
      this.faults.push(`channel ${id}: ${inMinute} in a minute`);
    const open = this.sent.filter((each) => each.channel.channel.id === id && !each.isOver).length;
    if (open >= (concurrency ?? Number.POSITIVE_INFINITY))
      this.faults.push(`channel ${id}: ${open + 1} at once`);
  }

  private check(charge: ChargeRecord): void {
    const asked = this.asked.get(charge.requestId);
    const sent = this.sent.findLast(({ request }) => request === charge.requestId);
    if (!asked || !sent) {
      this.faults.push("charged what was not asked for");
      return;
    }
    asked.charges.push(charge);
    this.met.charges += 1;
    const fault = (what: string): void => {
      this.faults.push(
        `${charge.requestId} ${what}: ${JSON.stringify(sent.body).slice(0, 300)} ${charge.formula}`,
      );
    };
    const { channel } = sent.channel;
    const last = charge.attempts.at(-1);
    const model = last?.fallbackModel ?? charge.requestedModel;
    if (last?.fallbackModel !== undefined) this.met.fallbacks += 1;
    if (charge.group !== this.usable[0]) this.met.otherGroups += 1;
    if (charge.channelId !== channel.id) fault(`names channel ${charge.channelId}`);
    if (charge.model !== sent.body.model) fault(`is charged as ${charge.model}`);
    if (!upstreamNamesOf(channel.modelMapping, model).includes(charge.model))
      fault(`is mapped from ${model}`);
    if (!channel.models.includes(model) || !channel.groups.includes(charge.group))
      fault(`went by ${charge.group}`);
    if (this.key.models && !this.key.models.has(model)) fault("uses a model that the key may not");
    if (this.key.hasNoFallbacks && last?.fallbackModel !== undefined) fault("has a fallback");
    const { told } = sent;
    if (!told) return;
    const ratio = MODEL_RATIOS[charge.model] ?? Number.NaN;
    const factor = sent.body.service_tier === "priority" ? 2 : 1;
    const group = sent.groupRatio(charge.group);
    const search =
      sent.body.web_search_options === undefined ? 0 : (SEARCH_USD / 1000) * QUOTA_PER_USD * group;
    const price = Math.ceil((told.prompt + told.completion) * ratio * group * factor + search - 1e-6);
    if (factor > 1 || search > 0) this.met.changed += 1;
    if (told.isHonest && charge.quota + charge.shortfall !== price)
      fault(`costs ${charge.quota}, not ${price}`);
    if (told.isHonest && this.isRich && !this.isLeased && sent.held.quota < price)
      fault(`held ${sent.held.quota} for ${price}`);
  }

  /** How much an upstream that keeps to what it was told may write. */
  private mostWritten(body: Record<string, unknown>): number {
    const extra = (body.extra_body ?? {}) as Record<string, unknown>;
    const answers = Math.max(1, Number(body.n ?? 1), Number(extra.n ?? 1));
    const limit = body.max_completion_tokens ?? body.max_tokens;
    return answers * (limit === undefined ? 4000 : Number(limit));
  }

  private answer(sent: Sent): void {
    const isAnthropic = sent.channel.channel.type === 14;
    const { receiver } = sent;
    const isHonest = this.random() < 0.85;
    // No tokenizer makes more tokens than there are bytes.
    const text = JSON.stringify([sent.body.system, sent.body.messages]).replaceAll(
      /"(?:role|content|type|text)":/g,
      "",
    );
    const prompt = isHonest ? Math.floor((this.random() * text.length) / 2) + 1 : this.pick([2 ** 40, -3]);
    const completion = Math.max(1, Math.floor(this.random() * (this.mostWritten(sent.body) + 1)));
    const told = { prompt, completion, isHonest };
    const close = (): void => {
      sent.isOver = true;
    };
    const json = (status: number, value: unknown): void => {
      receiver.onHeaders(status, { "content-type": "application/json" }, () => {});
      close();
      receiver.onData(Buffer.from(JSON.stringify(value)));
      receiver.onEnd();
    };
    const whole = isAnthropic
      ? {
          id: "x",
          type: "message",
          role: "assistant",
          model: "liar",
          content: [{ type: "text", text: "Hello" }],
          stop_reason: "end_turn",
          usage: { input_tokens: prompt, output_tokens: completion },
        }
      : {
          id: "x",
          object: "chat.completion",
          created: 1,
          model: "liar",
          choices: [{ index: 0, message: { role: "assistant", content: "Hello" }, finish_reason: "stop" }],
          usage: { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion },
        };
    if (sent.hasHead) {
      if (this.random() < 0.4) {
        close();
        receiver.onFailure({ kind: "reset", detail: "gone" });
        return;
      }
      sent.told = told;
      const usage = { choices: [], usage: whole.usage };
      close();
      receiver.onData(Buffer.from(`data: ${JSON.stringify(usage)}\n\ndata: [DONE]\n\n`));
      receiver.onEnd();
      return;
    }
    switch (Math.floor(this.random() * 9)) {
      case 0:
        json(429, { error: { message: "slow down" } });
        return;
      case 1:
        json(500, { error: { message: "oh" } });
        return;
      case 2:
        json(400, {
          error: { message: "no", code: this.pick(["content_filter", "context_length_exceeded", "x"]) },
        });
        return;
      case 3:
        close();
        receiver.onFailure({ kind: this.pick(["timeout", "reset"] as const), detail: "" });
        return;
      case 4:
        json(this.pick([503, 401, 404]), {});
        return;
      case 5:
        if (isAnthropic || sent.body.stream !== true) break;
        sent.hasHead = true;
        receiver.onHeaders(200, { "content-type": "text/event-stream" }, () => {});
        receiver.onData(Buffer.from('data: {"choices":[{"index":0,"delta":{"content":"Hel"}}]}\n\n'));
        return;
      default:
        break;
    }
    sent.told = told;
    json(200, whole);
  }

  async step(): Promise<void> {
    this.act();
    if (this.random() < 0.7) await settled();
  }

  private act(): void {
    const open = this.sent.filter(({ isOver }) => !isOver);
    switch (Math.floor(this.random() * 12)) {
      case 0:
      case 1:
      case 2:
        this.ask();
        return;
      case 3:
        vi.advanceTimersByTime(this.pick([10, 50, 350, 400, 19_600]));
        return;
      case 4: {
        const [asked] = [this.pick([...this.asked.values()])];
        if (!asked || asked.isGone) return;
        asked.isGone = true;
        asked.response.destroy();
        return;
      }
      case 5:
        // A price is found before its hold is asked for.
        if (!this.isLeased)
          this.ratios = { g1: this.pick([1, 2]), g2: this.pick([3, 0.25]), g3: this.pick([0.5, 8]) };
        return;
      case 6:
        if (this.random() < 0.5) this.closed.clear();
        else this.closed.add(this.pick(this.channels).channel.id);
        return;
      default: {
        const sent = this.pick(open);
        if (sent) this.answer(sent);
      }
    }
  }

  async end(): Promise<void> {
    for (let round = 0; round < 400 && this.relay.active > 0; round += 1) {
      const open = this.sent.find(({ isOver }) => !isOver);
      if (open) this.answer(open);
      else vi.advanceTimersByTime(100);
      await settled();
    }
    const { user, account } = this.key;
    const standing = this.relay.standing();
    if (this.relay.active + standing.queued + standing.inUse.size > 0)
      this.faults.push(
        `left behind: ${JSON.stringify({ ...standing, states: [...standing.states], inUse: [...standing.inUse] })}`,
      );
    if (user.account.held + account.held !== 0)
      this.faults.push(`held: ${user.account.held} ${account.held}`);
    let charged = 0;
    for (const [id, { response, charges, isAllowed, failures, isGone }] of this.asked) {
      if (charges.length + failures !== Number(isAllowed))
        this.faults.push(`${id} has ${charges.length} charges, ${failures} failures`);
      for (const charge of charges) {
        charged += charge.quota;
        const isAnswered = response.headersSent && response.status === 200;
        if (!isAnswered) this.faults.push(`${id} is charged for a ${response.status}`);
      }
      if (!isGone && !response.writableEnded && !response.destroyed) this.faults.push(`${id} has no end`);
    }
    if (user.account.quota !== this.initial - charged) this.faults.push(`${user.account.quota} is left`);
    if (vi.getTimerCount() > 0) vi.advanceTimersByTime(10_000);
    if (vi.getTimerCount() > 0) this.faults.push(`${vi.getTimerCount()} timers are left`);
  }
}

describe("a request on its whole path", () => {
  beforeEach(() => void vi.useFakeTimers({ now: 1_700_000_000_000 }));
  afterEach(() => void vi.useRealTimers());

  it("charges the channel that answered, at its own group's price, once, and releases all its holds (seeded)", async () => {
    const met: Record<string, number> = {};
    for (const seed of seeds(60)) {
      const world = new World(seed);
      for (let step = 0; step < 60; step += 1) await world.step();
      await world.end();
      expect(world.faults, `seed ${seed}`).toEqual([]);
      for (const [what, count] of Object.entries(world.met)) met[what] = (met[what] ?? 0) + count;
    }
    for (const [what, count] of Object.entries(met)) expect(count, what).toBeGreaterThan(0);
  });
});
