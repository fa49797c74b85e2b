import { hold } from "@tollgate/metering/ledger";
import { findPrice } from "@tollgate/metering/price";
import { parseRatioTable } from "@tollgate/metering/ratio-table";
import { CLIENT_PROTOCOLS } from "@tollgate/protocols/protocols";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { Refusal } from "./ports/client";
import type { ApiKey } from "./ports/directory";
import type { LimitPass } from "./ports/limits";
import type { RelayPorts, SharedConversations } from "./ports/relay-ports";
import type { UpstreamReceiver, UpstreamRequest } from "./ports/transport";
import { createRelay } from "./relay";
import { entryOf } from "./testing/entry-of";
import { RecordingResponse } from "./testing/recording-response";

const MODELS = parseRatioTable('{"m":1}')!;
const GROUPS = parseRatioTable('{"default":1}')!;
const client = CLIENT_PROTOCOLS["openai-chat"];

const account = (id: number) => ({ id, quota: 1_000_000, held: 0, isUnlimited: false });

/** A relay whose limits answer when the test says so. */
const setUp = (conversations?: SharedConversations, enterAtOnce?: () => LimitPass | undefined) => {
  const user = account(1);
  const key: ApiKey = {
    id: 2,
    name: "laptop",
    status: 1,
    expiredTime: -1,
    account: account(2),
    user: { id: 1, username: "alice", role: 1, status: 1, groups: ["default"], account: user },
  };
  const seen = { left: 0, kept: 0, reported: 0, failures: 0 };
  const sent: UpstreamReceiver[] = [];
  const requests: UpstreamRequest[] = [];
  const answers: { resolve: (answer: LimitPass | Refusal) => void; reject: (error: Error) => void }[] = [];
  const world = {
    isBroken: false,
    areLimited: true,
    words: "hi",
    channels: [entryOf({ id: 1, models: ["m"] })],
  };
  const ports: RelayPorts = {
    directory: {
      findKey: () => key,
      keysOfChannel: () => [],
      groupsOf: () => [],
      candidates: () => world.channels,
      isListed: () => false,
      markKey: () => {},
      reportDeadKey: () => {},
    },
    pricing: {
      find: (model, group) =>
        findPrice({ modelRatios: MODELS, completionRatios: MODELS, groupRatios: GROUPS }, model, group, 0),
      defaultHoldTokens: () => 500,
      drainMs: () => 0,
      countsDrainMs: () => 0,
      retryTimes: () => 0,
    },
    holds: { place: hold },
    charges: {
      noteRefused() {},
      noteFailure: () => {
        seen.failures += 1;
      },
      commit: (_record, done) => done(undefined),
    },
    tokenCounter: { count: (_model, text, done) => done(text.length) },
    transport: {
      send(request, receiver) {
        sent.push(receiver);
        requests.push(request);
        receiver.onStart(() => {});
      },
      close: async () => {},
    },
    limiter: {
      enter: () =>
        world.areLimited && !enterAtOnce
          ? new Promise((resolve, reject) => {
              answers.push({ resolve, reject });
            })
          : enterAtOnce?.(),
    },
    conversations,
    fetchMedia: () => Promise.reject(new Error("nothing is to be fetched")),
    now: () => 1_700_000_000_000,
    random: () => {
      if (world.isBroken) throw new Error("broken");
      return 0;
    },
    reportFailure: () => {
      seen.reported += 1;
    },
  };
  const relay = createRelay(ports);
  const pass: LimitPass = {
    headers: { "x-limit": "5" },
    leave: () => {
      seen.left += 1;
    },
  };
  const bodyOf = () => ({ model: "m", messages: [{ role: "user", content: world.words }] });
  const run = (): RecordingResponse => {
    const body = bodyOf();
    const response = new RecordingResponse();
    relay.run({
      client,
      key,
      pinned: undefined,
      rawBody: Buffer.from(JSON.stringify(body)),
      body,
      summary: client.summarizeRequest(body),
      response,
      requestId: "req-1",
      clientHeaders: {},
      headers: { "x-request": "req-1" },
      describe: ({ code }: Refusal) => ({ status: 500, code, message: code }),
      memory: {
        take: () => undefined,
        hold: () => true,
        keep() {
          seen.kept += 1;
          return () => {
            seen.kept -= 1;
          };
        },
      },
    });
    return response;
  };
  const count = () => {
    const done = vi.fn<Parameters<typeof relay.count>[1]>();
    const job = {
      client,
      count: { encode: (tokens: number) => ({ tokens }) },
      address: undefined,
      body: bodyOf(),
      key,
    };
    relay.count(job, done);
    return done;
  };
  /** Answers the oldest question. */
  const answer = async (said: LimitPass | Refusal | Error): Promise<void> => {
    const asked = answers.shift();
    if (said instanceof Error) asked?.reject(said);
    else asked?.resolve(said);
    // What follows from it, and what follows from that.
    for (let i = 0; i < 5; i += 1) await Promise.resolve();
  };
  return { relay, run, count, answer, pass, seen, sent, requests, world, user };
};

describe("a request whose limits are asked for elsewhere", () => {
  it("is under way from then on, goes on with its pass, and gives it back when it has ended", async () => {
    const { relay, run, answer, pass, seen, sent, user } = setUp();
    const response = run();
    expect([relay.active, sent.length]).toEqual([1, 0]);
    expect(relay.standing()).toMatchObject({ admissions: 1, holds: 0, heldQuota: 0 });
    await answer(pass);
    const { admissions, states, holds, heldQuota } = relay.standing();
    expect([admissions, [...states], holds]).toEqual([0, [["waiting", 1]], 1]);
    expect(heldQuota).toBe(user.held);
    expect([relay.active, sent.length, seen.left, seen.kept]).toEqual([1, 1, 0, 1]);
    sent[0]?.onHeaders(200, { "content-type": "application/json" }, () => {});
    sent[0]?.onData(Buffer.from('{"choices":[{"message":{"role":"assistant","content":"hello"}}]}'));
    sent[0]?.onEnd();
    expect(response.status).toBe(200);
    expect(response.headers).toMatchObject({ "x-limit": "5", "x-request": "req-1" });
    expect([relay.active, seen.left, seen.kept]).toEqual([0, 1, 0]);
    expect(relay.standing()).toMatchObject({ holds: 0, heldQuota: 0 });
  });

  it("is begun at once where its limits answer at once, or nothing limits it", () => {
    for (const entered of [undefined, { headers: {}, leave: vi.fn<() => void>() }]) {
      const { run, sent, relay, user } = setUp(undefined, () => entered);
      const response = run();
      expect([sent.length, relay.active]).toEqual([1, 1]);
      response.destroy();
      expect([relay.active, user.held]).toEqual([0, 0]);
      if (entered) expect(entered.leave).toHaveBeenCalledTimes(1);
    }
  });

  it("is refused as its limits say", async () => {
    const { relay, run, answer, seen, sent } = setUp();
    const response = run();
    await answer({ code: "requests-limited", headers: { "x-limit": "0" } });
    expect(response.text).toContain("requests-limited");
    expect(response.headers).toMatchObject({ "x-limit": "0" });
    expect([relay.active, sent.length, seen.left, seen.kept]).toEqual([0, 0, 0, 0]);
  });

  it("asks no upstream when its client has left meanwhile", async () => {
    const { relay, run, answer, pass, seen, sent, user } = setUp();
    run().destroy();
    await answer(pass);
    expect([relay.active, sent.length, seen.left, seen.kept, user.held]).toEqual([0, 0, 1, 0, 0]);
  });

  it("is refused when counting fails, and when this program fails over it", async () => {
    const { relay, run, answer, pass, seen, world } = setUp();
    const first = run();
    await answer(new Error("counting failed"));
    expect(first.text).toContain("internal");
    world.isBroken = true;
    const second = run();
    await answer(pass);
    expect(second.text).toContain("internal");
    expect([relay.active, seen.left, seen.kept, seen.reported]).toEqual([0, 1, 0, 2]);
  });

  it("is waited for by a process that stops", async () => {
    const { relay, run, answer, pass, sent, seen } = setUp();
    const response = run();
    const isDrained = vi.fn<() => void>();
    const drained = relay.drain(60_000).then(isDrained);
    await answer(pass);
    expect(isDrained).not.toHaveBeenCalled();
    sent[0]?.onHeaders(200, { "content-type": "application/json" }, () => {});
    sent[0]?.onData(Buffer.from('{"choices":[{"message":{"role":"assistant","content":"hello"}}]}'));
    sent[0]?.onEnd();
    await drained;
    expect([response.status, seen.left]).toEqual([200, 1]);
  });

  it("is refused when a process that stops has waited for long enough, and gives back a pass that comes later", async () => {
    vi.useFakeTimers();
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const { relay, run, count, answer, pass, sent, seen } = setUp();
    const response = run();
    const counted = count();
    const drained = relay.drain(1000);
    await vi.advanceTimersByTimeAsync(1000);
    await drained;
    expect(response.text).toContain("shutting-down");
    expect(counted).toHaveBeenCalledWith({ refusal: { code: "shutting-down" } });
    expect([relay.active, seen.left]).toEqual([0, 0]);
    await answer(pass);
    await answer(pass);
    expect([sent.length, seen.left, seen.kept]).toEqual([0, 2, 0]);
    expect(counted).toHaveBeenCalledTimes(1);
  });
});

describe("a count whose limits are asked for elsewhere", () => {
  it("is under way, counts with its pass, and gives it back", async () => {
    const { relay, count, answer, pass, seen } = setUp();
    const counted = count();
    expect(relay.active).toBe(1);
    await answer(pass);
    expect(counted).toHaveBeenCalledWith({
      headers: pass.headers,
      counted: { tokens: expect.any(Number) },
    });
    expect([relay.active, seen.left]).toEqual([0, 1]);
  });

  it("returns a refusal by its limits, and the error of a failed count", async () => {
    const { relay, count, answer, seen, world, pass } = setUp();
    const refused = count();
    await answer({ code: "requests-limited" });
    expect(refused).toHaveBeenCalledWith({ refusal: { code: "requests-limited" } });
    const failed = count();
    await answer(new Error("counting failed"));
    expect(failed).toHaveBeenCalledWith({ error: new Error("counting failed") });
    world.channels = [];
    const unknown = count();
    await answer(pass);
    expect(unknown).toHaveBeenCalledWith({ refusal: expect.objectContaining({ headers: pass.headers }) });
    expect([relay.active, seen.left]).toEqual([0, 1]);
  });
});

describe("a conversation that another node has served", () => {
  const CHANNELS = [1, 2].map((id) => entryOf({ id, models: ["m"], baseUrl: `http://channel-${id}.test` }));

  const setUpConversation = (find: SharedConversations["find"]) => {
    const remember = vi.fn<SharedConversations["remember"]>();
    const world = setUp({ find, remember });
    world.world.channels = CHANNELS;
    world.world.words = "word ".repeat(2000);
    return { ...world, remember };
  };
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  const asked = ({ requests }: ReturnType<typeof setUp>) => requests.map(({ origin }) => origin);

  it("goes to the channel key that served it, asked for beside its limits", async () => {
    const find = vi.fn<SharedConversations["find"]>(async () => CHANNELS[1]?.id);
    const { run, answer, pass, ...all } = setUpConversation(find);
    run();
    expect(find).toHaveBeenCalledTimes(1);
    await settle();
    expect(all.requests).toEqual([]);
    await answer(pass);
    expect(all.requests.map(({ origin }) => origin)).toEqual(["http://channel-2.test"]);
  });

  it("is waited for by a request that nothing limits, and known from then on", async () => {
    const find = vi.fn<SharedConversations["find"]>(async () => CHANNELS[1]?.id);
    const setting = setUpConversation(find);
    setting.world.areLimited = false;
    setting.run();
    expect(setting.relay.active).toBe(1);
    await settle();
    setting.run();
    expect(asked(setting)).toEqual(["http://channel-2.test", "http://channel-2.test"]);
    expect(find).toHaveBeenCalledTimes(1);
  });

  it("answers without delay when the node has no peer, one channel only, or a prompt too short to cache", () => {
    const find = vi.fn<SharedConversations["find"]>(() => undefined);
    const setting = setUpConversation(find);
    setting.world.areLimited = false;
    setting.run();
    setting.world.channels = CHANNELS.slice(0, 1);
    setting.run();
    setting.world.channels = CHANNELS;
    setting.world.words = "hi";
    setting.run();
    expect(setting.sent).toHaveLength(3);
    expect(find).toHaveBeenCalledTimes(1);
  });

  it("is told to the others when it was served", async () => {
    const { run, world, sent, remember } = setUpConversation(async () => undefined);
    world.areLimited = false;
    run();
    await settle();
    sent[0]?.onHeaders(200, { "content-type": "application/json" }, () => {});
    sent[0]?.onData(Buffer.from('{"choices":[{"message":{"role":"assistant","content":"hello"}}]}'));
    sent[0]?.onEnd();
    await settle();
    expect(remember).toHaveBeenCalledTimes(1);
    expect(remember.mock.calls[0]?.[1]).toBe(CHANNELS[0]?.id);
  });
});
