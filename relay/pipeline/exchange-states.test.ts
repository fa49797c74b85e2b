import { EventEmitter } from "node:events";
import { NO_USAGE } from "@tollgate/contract/relay/usage";
import { type Account, hold } from "@tollgate/metering/ledger";
import { findPrice } from "@tollgate/metering/price";
import { parseRatioTable } from "@tollgate/metering/ratio-table";
import { CLIENT_PROTOCOLS } from "@tollgate/protocols/protocols";
import { createRandom } from "@tollgate/testkit/random";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { MemoryRates } from "../limits/memory-rates";
import type { RateAnswer, RateSubject, Rates } from "../limits/rates";
import { UpstreamLimits } from "../limits/upstream-limits";
import { UpstreamQueue } from "../limits/upstream-queue";
import type { HoldOutcome } from "../ports/charges";
import type { ClientResponse } from "../ports/client";
import type { ApiKey } from "../ports/directory";
import type { RelayPorts } from "../ports/relay-ports";
import type { UpstreamReceiver } from "../ports/transport";
import { Circuits } from "../routing/circuits";
import { Speeds } from "../routing/speeds";
import { StickySessions } from "../routing/sticky-sessions";
import { entryOf } from "../testing/entry-of";
import type { AnswerStream } from "./answer-stream";
import { Attempt } from "./attempt";
import { Exchange } from "./exchange";
import type { Counts } from "./settle";
import type { Task } from "./task";

/*
 * A model test of the state machine: every event in every state, and random sequences of events. Whatever happens, nothing
 * is thrown, every hold is ended exactly once, every place at an upstream is given back, at most one charge is made, and the
 * client's answer ends exactly once.
 */

const MODELS = parseRatioTable('{"m":1}')!;
const GROUPS = parseRatioTable('{"default":1}')!;
const COUNTS: Counts = { promptTokens: 3, completionTokens: 4, source: "upstream" };

const CHANNELS = [1, 2, 3].map((id) => entryOf({ id }));

/** One request at the same time, at all of the channels together. */
const LIMITED: RateSubject = { scope: "channel", id: 1, limits: { concurrency: 1 } };
const LIMITED_CHANNELS = CHANNELS.map((entry) => ({ ...entry, limited: [LIMITED] }));
const QUEUE_MS = 5000;

/** A connection that refuses what no connection takes. */
class RecordingResponse extends EventEmitter implements ClientResponse {
  writableLength = 0;
  headersSent = false;
  writableEnded = false;
  destroyed = false;
  isReading = true;
  onEnding: () => void = () => {};

  writeHead(): void {
    if (this.headersSent) throw new Error("the head was written twice");
    this.headersSent = true;
  }
  write(): boolean {
    if (!this.headersSent) throw new Error("written before the head");
    if (this.writableEnded) throw new Error("written after the end");
    return this.isReading;
  }
  end(): void {
    if (this.writableEnded) throw new Error("ended twice");
    this.writableEnded = true;
    this.headersSent = true;
    this.onEnding();
    this.emit("close");
  }
  destroy(): void {
    this.destroyed = true;
    this.emit("close");
  }
}

const streamOf = (isBytes: boolean): AnswerStream => ({
  ...(isBytes ? { contentType: "audio/mpeg" } : {}),
  push: () => undefined,
  end: () => undefined,
  release: () => undefined,
  tail: () => "tail",
  hasDelivered: true,
  isEnded: false,
  error: undefined,
  isGivenUp: false,
  work: undefined,
  usage: { ...NO_USAGE, inputTokens: 3, outputTokens: 4 },
  delivered: () => ({
    text: "text",
    estimatedTokens: 0,
    images: 0,
    soundSeconds: 0,
    sealedBytes: 0,
    reasoningBytes: 0,
  }),
});

/** Parts of the world that fail when they are used next. */
const FAULTS = ["hold", "place", "count", "tail", "encode", "store", "write", "send"] as const;
type Fault = (typeof FAULTS)[number];

interface Settings {
  /** Holds wait for the database. */
  asksForHolds?: boolean;
  /** The channels are limited, and another request has their only place. */
  isFull?: boolean;
  /** Other nodes are asked for a place. */
  asksForPlaces?: boolean;
  drainMs?: number;
  readsAgain?: boolean;
  /** Something is fetched before the request is sent. */
  gathers?: boolean;
  isBytes?: boolean;
}

const setUp = ({
  asksForHolds = false,
  isFull = false,
  asksForPlaces = false,
  drainMs = 0,
  readsAgain = false,
  gathers = false,
  isBytes = false,
}: Settings = {}) => {
  const account = (id: number): Account => ({ id, quota: 1_000_000, held: 0, isUnlimited: false });
  const user = account(1);
  const key: ApiKey = {
    id: 2,
    name: "laptop",
    status: 1,
    expiredTime: -1,
    account: account(2),
    user: { id: 1, username: "alice", role: 1, status: 1, groups: ["default"], account: user },
  };
  const response = new RecordingResponse();
  const faults = new Set<Fault>();
  const seen = { charges: 0, failures: 0, finished: 0, internal: 0, injected: 0, twice: 0 };
  const receivers: UpstreamReceiver[] = [];
  const counts: ((counts: Counts) => void)[] = [];
  const commits: ((error: Error | undefined) => void)[] = [];
  const waiting: { resolve: () => void; reject: (error: Error) => void }[] = [];
  const asked: {
    place: () => void;
    decide: (outcome: HoldOutcome) => void;
    reject: (error: Error) => void;
  }[] = [];
  const places: (() => void)[] = [];
  const memory = new MemoryRates(() => Date.now());
  const rates: Rates = {
    enter(subjects, tokens) {
      fails("place");
      if (!asksForPlaces) return memory.enter(subjects, tokens);
      return new Promise<RateAnswer>((resolve) => {
        places.push(() => resolve(memory.enter(subjects, tokens)));
      });
    },
    add: (...added) => memory.add(...added),
    look: (subjects) => memory.look(subjects),
  };
  const queue = new UpstreamQueue({ length: () => 10, now: () => Date.now() });
  const upstreams = new UpstreamLimits(
    rates,
    () => Date.now(),
    () => queue.serve(),
  );
  const foreign = isFull ? memory.enter([LIMITED], 1).outcome : undefined;
  let freeForeign = (): void => {
    if (foreign && "leave" in foreign) foreign.leave();
    queue.serve();
  };
  const fails = (fault: Fault): void => {
    if (!faults.delete(fault)) return;
    seen.injected += 1;
    throw new Error(`injected: ${fault}`);
  };
  const later = (): Promise<void> =>
    new Promise((resolve, reject) => {
      waiting.push({ resolve, reject });
    });
  response.onEnding = () => fails("write");
  const stream = streamOf(isBytes);
  const tail = (): string => {
    fails("tail");
    return "tail";
  };
  let isGathered = !gathers;
  const task: Task = {
    model: "m",
    operation: undefined,
    promptTokens: 1,
    isStream: true,
    writesText: false,
    ...(readsAgain ? { readAgain: later } : {}),
    isOffered: () => true,
    session: () => undefined,
    holdQuota: () => ({ least: 10, most: 100 }),
    gather: () =>
      isGathered
        ? undefined
        : later().then(() => {
            isGathered = true;
          }),
    buildCall: () =>
      later().then(() => ({ origin: "http://upstream.test", path: "/", headers: {}, body: "" })),
    openStream: () => ({ ...stream, tail }),
    countStream(_stream, _model, _isInterrupted, done) {
      fails("count");
      counts.push(done);
    },
    readWhole: (_channel, bytes) =>
      bytes.length === 0
        ? undefined
        : {
            count(_model, done) {
              fails("count");
              counts.push(done);
            },
            encode() {
              fails("encode");
              return { contentType: "application/json", body: "{}" };
            },
          },
  };
  const ports: RelayPorts = {
    directory: {
      findKey: () => key,
      keysOfChannel: () => [],
      groupsOf: () => [],
      candidates: () => (isFull || asksForPlaces ? LIMITED_CHANNELS : CHANNELS),
      isListed: () => true,
      markKey: () => {},
      reportDeadKey: () => {},
    },
    upstreamBounds: { rates, queueLength: () => 10, queueMs: () => QUEUE_MS, waited: () => {} },
    holds: {
      place(...wanted) {
        fails("hold");
        if (!asksForHolds) return hold(...wanted);
        return new Promise((decide, reject) => {
          asked.push({ place: () => decide(hold(...wanted)), decide, reject });
        });
      },
    },
    pricing: {
      find: (model, group) =>
        findPrice({ modelRatios: MODELS, completionRatios: MODELS, groupRatios: GROUPS }, model, group, 0),
      defaultHoldTokens: () => 500,
      drainMs: () => drainMs,
      countsDrainMs: () => 5000,
      retryTimes: () => 1,
    },
    charges: {
      noteRefused() {},
      noteFailure() {
        seen.failures += 1;
      },
      commit(_record, done) {
        seen.charges += 1;
        fails("store");
        commits.push(done);
      },
    },
    tokenCounter: { count: (_model, _text, done) => done(1) },
    transport: {
      send(_request, receiver) {
        fails("send");
        receivers.push(receiver);
        receiver.onStart(() => {});
      },
      close: async () => {},
    },
    fetchMedia: () => Promise.reject(new Error("nothing is to be fetched")),
    now: () => Date.now(),
    random: () => 0,
    reportFailure({ kind, detail }) {
      if (kind === "internal") seen.internal += 1;
      if (String(detail).includes("twice")) seen.twice += 1;
    },
  };
  const sessions = new StickySessions(ports.now);
  const routing = {
    circuits: new Circuits(ports.now),
    sessions,
    speeds: new Speeds(ports.now),
    upstreams,
    queue,
  };
  const job = {
    client: CLIENT_PROTOCOLS["openai-chat"],
    key,
    pinned: undefined,
    response,
    requestId: "req-1",
    rawBody: new Uint8Array(),
    clientHeaders: {},
    headers: {},
    describe: () => ({ status: 500, code: "code", message: "message" }),
    memory: { take: () => undefined, hold: () => true, keep: () => () => {} },
  };
  const exchange = new Exchange(ports, routing, job, task, () => {
    seen.finished += 1;
  });
  const settled = async (): Promise<void> => {
    for (let i = 0; i < 8; i += 1) await Promise.resolve();
  };
  const openStream = (): AnswerStream => {
    const last = receivers.at(-1);
    return (last instanceof Attempt ? last.stream : undefined) ?? stream;
  };
  /** As attempts tell: what fails in it ends the request. */
  const told = (tell: () => void): void => {
    try {
      tell();
    } catch (error) {
      exchange.onCrash(error);
    }
  };
  const upstreamError = (kind: "overloaded" | "caller" | "dead-key") =>
    told(() => exchange.onError({ kind, status: 500, message: "", code: "" }, "detail"));
  let isGone = false;

  const events = {
    "place freed"() {
      freeForeign();
      freeForeign = () => {};
    },
    async "place answered"() {
      places.shift()?.();
      await settled();
    },
    async "hold placed"() {
      asked.shift()?.place();
      await settled();
    },
    async "hold refused"() {
      asked.shift()?.decide("node-not-admitting");
      await settled();
    },
    async "hold cannot be asked for"() {
      const next = asked.shift();
      if (next) seen.injected += 1;
      next?.reject(new Error("injected"));
      await settled();
    },
    async prepared() {
      waiting.shift()?.resolve();
      await settled();
    },
    async "cannot be prepared"() {
      const next = waiting.shift();
      if (next && exchange.stateName !== "over") seen.injected += 1;
      next?.reject(new Error("injected"));
      await settled();
    },
    head: () => receivers.at(-1)?.onHeaders(200, { "content-type": "text/event-stream" }, () => {}),
    bytes: () => told(() => exchange.onBytes("bytes")),
    "bytes to a client that does not read"() {
      response.isReading = false;
      told(() => exchange.onBytes("bytes"));
      response.isReading = true;
    },
    "client reads": () => void response.emit("drain"),
    "stream end": () => told(() => exchange.onStreamEnd(openStream(), "rest")),
    "whole answer": () => told(() => exchange.onWholeAnswer(Buffer.from("{}"), {})),
    "empty answer": () => told(() => exchange.onWholeAnswer(Buffer.alloc(0), undefined)),
    "upstream error": () => upstreamError("overloaded"),
    "caller's error": () => upstreamError("caller"),
    "dead key": () => upstreamError("dead-key"),
    "given up": () =>
      told(() => exchange.onGivenUp(stream, { kind: "unknown", status: 200, message: "", code: "" })),
    "client closed"() {
      isGone = true;
      response.emit("close");
    },
    interrupt: () => exchange.interrupt(),
    deadline: () => void vi.advanceTimersByTime(10_000),
    counted: () => counts.shift()?.(COUNTS),
    stored: () => commits.shift()?.(undefined),
    "not stored": () => commits.shift()?.(new Error("disk full")),
    crash() {
      seen.injected += 1;
      exchange.onCrash(new Error("injected"));
    },
  };

  /** Lets everything come to its end, and looks at what is left. */
  const expectAccounted = async (what: string): Promise<void> => {
    for (let i = 0; i < 4; i += 1) {
      await events["place answered"]();
      await events["hold placed"]();
      await events.prepared();
      events.interrupt();
      events.deadline();
      events.counted();
      events.stored();
    }
    const isAnswered = response.writableEnded || response.destroyed || isGone;
    const { charges, finished, twice } = seen;
    events["place freed"]();
    expect([memory.look([LIMITED])[0]?.active, queue.size], what).toEqual([0, 0]);
    expect(
      { state: exchange.stateName, held: [user.held, key.account.held], finished, twice, isAnswered },
      what,
    ).toEqual({ state: "over", held: [0, 0], finished: 1, twice: 0, isAnswered: true });
    expect(charges, what).toBeLessThanOrEqual(isGone && !response.headersSent ? 0 : 1);
    expect(charges + seen.failures, what).toBeGreaterThanOrEqual(1);
    expect(user.quota, what).toBe(1_000_000 - charges * 7);
    // What fails while a failure is dealt with is not told again.
    expect(seen.internal, `${what}: nobody caused a failure`).toBeLessThanOrEqual(seen.injected);
  };
  return { exchange, events, faults, response, queue, expectAccounted };
};

type World = ReturnType<typeof setUp>;
type EventName = keyof World["events"];
const EVENTS = Object.keys(setUp().events) as EventName[];

const STATES: Record<Exchange["stateName"], { settings?: Settings; path: readonly EventName[] }> = {
  choosing: { settings: { readsAgain: true }, path: [] },
  queued: { settings: { isFull: true }, path: [] },
  reserving: { settings: { asksForHolds: true }, path: [] },
  preparing: { path: [] },
  waiting: { path: ["prepared"] },
  streaming: { path: ["prepared", "head", "bytes"] },
  draining: { settings: { drainMs: 1000 }, path: ["prepared", "head", "bytes", "client closed"] },
  settling: { path: ["prepared", "head", "bytes", "stream end"] },
  storing: { path: ["prepared", "head", "bytes", "stream end", "counted"] },
  delivering: { path: ["prepared", "head", "bytes", "stream end", "counted"] },
  over: { path: ["interrupt"] },
};

/** The way into each state, and into one that has two. */
const WAYS: Readonly<Record<string, (typeof STATES)["over"] & { state: Exchange["stateName"] }>> = {
  ...Object.fromEntries(
    Object.entries(STATES).map(([state, way]) => [state, { ...way, state: state as Exchange["stateName"] }]),
  ),
  "choosing, with something to fetch": { state: "choosing", settings: { gathers: true }, path: [] },
};

const play = async (world: World, path: readonly EventName[]): Promise<void> => {
  for (const name of path) await world.events[name]();
};

describe("an exchange", () => {
  beforeEach(() => vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] }));
  afterEach(() => vi.useRealTimers());

  const states = Object.keys(STATES) as (keyof typeof STATES)[];

  it.each(Object.entries(WAYS))("%s accounts for every event", async (_, { state, settings, path }) => {
    for (const event of EVENTS) {
      const world = setUp(settings);
      world.exchange.start();
      await play(world, path);
      if (state === "delivering") {
        let stateThen = "";
        world.response.onEnding = () => {
          stateThen = world.exchange.stateName;
          void world.events[event]();
        };
        world.events.stored();
        expect(stateThen).toBe(state);
      } else {
        expect(world.exchange.stateName).toBe(state);
        await world.events[event]();
      }
      await world.expectAccounted(`${event} while ${state}`);
    }
  });

  it.each(Object.entries(WAYS))("%s accounts for whatever fails next", async (state, { settings, path }) => {
    for (const fault of FAULTS) {
      for (const event of EVENTS) {
        const world = setUp(settings);
        world.exchange.start();
        await play(world, path);
        world.faults.add(fault);
        await world.events[event]();
        await world.expectAccounted(`${event} while ${state}, ${fault} fails`);
      }
    }
  });

  it("tries once to charge a delivered answer when this program fails, and ends without a charge the second time", async () => {
    const world = setUp();
    world.exchange.start();
    await play(world, [...STATES.streaming.path, "crash"]);
    expect(world.exchange.stateName).toBe("settling");
    world.events.crash();
    expect(world.exchange.stateName).toBe("over");
    await world.expectAccounted("two failures");
  });

  it.each(["hold refused", "hold cannot be asked for"] as const)("ends when its %s", async (event) => {
    const world = setUp(STATES.reserving.settings);
    world.exchange.start();
    await world.events[event]();
    expect([world.exchange.stateName, world.response.writableEnded]).toEqual(["over", true]);
    await world.expectAccounted(event);
  });

  it.each(["client closed", "interrupt", "crash"] as const)(
    "gives back a place that comes when it has ended by %s",
    async (event) => {
      for (const isFull of [false, true]) {
        const world = setUp({ asksForPlaces: true, isFull });
        world.exchange.start();
        await world.events["place answered"]();
        if (isFull) world.events["place freed"]();
        await world.events[event]();
        await world.events["place answered"]();
        expect(world.exchange.stateName).toBe("over");
        await world.expectAccounted(event);
      }
    },
  );

  it("accounts for any sequence of events", async () => {
    const visited = new Set<string>();
    for (let seed = 1; seed <= 800; seed += 1) {
      const random = createRandom(seed);
      const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
      const [isFull, asksForPlaces, asksForHolds] = [random() < 0.3, random() < 0.3, random() < 0.3];
      const [readsAgain, gathers] = [random() < 0.2, random() < 0.3];
      const world = setUp({
        asksForHolds,
        isFull,
        asksForPlaces,
        drainMs: random() < 0.5 ? 1000 : 0,
        readsAgain,
        gathers,
        isBytes: random() < 0.2,
      });
      world.exchange.start();
      const done: string[] = [];
      // Most sequences begin in the usual order, so that late states are reached, too.
      const chosen: EventName[] = [
        ...(asksForPlaces ? (["place answered"] as const) : []),
        ...(readsAgain ? (["prepared"] as const) : []),
        ...(asksForHolds ? (["hold placed"] as const) : []),
      ];
      const usual: EventName[] = [
        ...(isFull && asksForPlaces ? (["place answered"] as const) : []),
        ...(isFull ? (["place freed"] as const) : []),
        ...chosen,
        ...(gathers ? (["prepared", ...chosen] as const) : []),
        "prepared",
        "head",
        "bytes",
        "stream end",
        "counted",
        "stored",
      ];
      const length = 3 + Math.floor(random() * 12);
      for (let i = 0; i < length; i += 1) {
        if (random() < 0.1) {
          const fault = pick(FAULTS);
          world.faults.add(fault);
          done.push(`!${fault}`);
        }
        const event = random() < 0.7 ? (usual.shift() ?? pick(EVENTS)) : pick(EVENTS);
        done.push(event);
        await world.events[event]();
        const timers = (world.exchange.stateName === "draining" ? 1 : 0) + (world.queue.size > 0 ? 1 : 0);
        expect(vi.getTimerCount(), done.join(", ")).toBe(timers);
        visited.add(world.exchange.stateName);
      }
      await world.expectAccounted(`seed ${seed}: ${done.join(", ")}`);
    }
    // Nothing is seen of "delivering" from the outside.
    expect([...visited].sort()).toEqual(states.filter((state) => state !== "delivering").sort());
  });
});
