import { IncomingMessage, type OutgoingHttpHeaders, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { CLIENT_APIS } from "@tollgate/protocols/client-apis";
import type { RequestRecord } from "@tollgate/relay/ports/charges";
import type { ApiKey } from "@tollgate/relay/ports/directory";
import { describe, expect, it } from "vitest";
import { BodyBytes } from "./body-bytes";
import { createGateway, type GatewaySettings } from "./gateway";
import { RefusalLimits } from "./refusal-limits";

/*
 * Admission is one step: at any address, an invalid key is refused for the same reason, before a byte of the body is
 * read and before any other answer.
 */

const account = { id: 1, quota: 10, held: 0, isUnlimited: false };
const user = { id: 1, username: "alice", role: 1, status: 1, groups: ["default"], account };
const base: ApiKey = { id: 2, name: "k", status: 1, expiredTime: -1, account, user };

const KEYS: Readonly<Record<string, ApiKey>> = {
  disabled: { ...base, status: 2 },
  expired: { ...base, expiredTime: 1 },
  exhausted: { ...base, account: { ...account, quota: 0 } },
  banned: { ...base, user: { ...user, status: 2 } },
  elsewhere: { ...base, networks: { has: () => false } },
  pinned: base,
  both: { ...base, status: 2, networks: { has: () => false } },
};

/** The presented key, and the refusal. */
const REFUSED: readonly [presented: string, status: number, code: string][] = [
  ["", 401, "invalid_api_key"],
  ["sk-unknown", 401, "invalid_api_key"],
  ["sk-disabled", 401, "token_disabled"],
  ["sk-expired", 401, "token_expired"],
  ["sk-exhausted", 401, "token_quota_exhausted"],
  ["sk-banned", 403, "user_disabled"],
  ["sk-elsewhere", 403, "address_not_allowed"],
  ["sk-pinned-1", 403, "channel_not_allowed"],
  ["sk-both", 401, "token_disabled"],
];

/** Addresses of a key's own figures, which a key may read that can no longer be used. */
const OWN_FIGURES: ReadonlySet<string> = new Set([
  "/v1/usage",
  "/v1/usage/days",
  "/v1/generation",
  "/v1/generations",
]);

/** Every other address of every API at which a key is needed. */
const ADDRESSES = CLIENT_APIS.flatMap(({ endpoints }) =>
  endpoints.flatMap(({ method, path, asked }): [string, string][] => {
    if (OWN_FIGURES.has(path)) return [];
    if (typeof asked === "object") return asked.kind === "refusal" ? [] : [[method, path]];
    if (method === "POST") return [[method, path.replace("*", "m:generateContent").replace(":model", "m")]];
    return method === "GET" ? [[method, path.replace("*", "m")]] : [];
  }),
);

/** @param more parts of the gateway that are not the usual ones. */
const setUp = (more: Partial<GatewaySettings> = {}) => {
  const read = { bytes: 0 };
  const told: string[] = [];
  const tell = (what: string) => () => {
    told.push(what);
    return Promise.resolve({});
  };
  const serve = createGateway({
    directory: {
      findKey: (key: string) => KEYS[key],
      keysOfChannel: () => [],
      markKey: () => {},
      namesOfKey: tell("models"),
    },
    relay: { run: tell("chat"), runOperation: tell("operation"), count: tell("count") },
    bodyLog: { watch: (_: unknown, response: unknown) => response },
    bodyLimitBytes: 1000,
    bodyBytes: new BodyBytes(1000),
    refusalLimits: new RefusalLimits({ perMinute: () => 0, now: () => 0, subscriberOf: () => "192.0.2.1" }),
    readBilling: tell("billing"),
    keyReads: {
      usage: tell("usage"),
      days: tell("days"),
      generation: tell("generation"),
      generations: tell("generations"),
    },
    takeCall: () => 0,
    addressOf: () => "192.0.2.1",
    now: () => 1_000_000,
    isStopping: () => false,
    onRefused: () => {},
    noteRefused: () => {},
    chargingFault: () => undefined,
    reportError: (error: Error) => {
      throw error;
    },
    ...more,
  } as unknown as GatewaySettings);
  const begin = (method: string, url: string, presented: string, body?: string) => {
    const socket = new Socket();
    const request = new IncomingMessage(socket);
    Object.assign(request, { method, url, headers: presented === "" ? {} : { authorization: presented } });
    request.on = ((event: string, listener: () => void) => {
      if (event === "data") read.bytes += 1;
      return IncomingMessage.prototype.on.call(request, event, listener);
    }) as typeof request.on;
    request.complete = true;
    if (body !== undefined) request.push(body);
    request.push(null);
    const response = new ServerResponse(request);
    response.assignSocket(socket);
    const answer = { status: 0, text: "", retryAfter: undefined as unknown };
    response.writeHead = ((status: number, headers: OutgoingHttpHeaders) => {
      Object.assign(answer, { status, retryAfter: headers["retry-after"] });
      return response;
    }) as typeof response.writeHead;
    const ended = new Promise<typeof answer>((resolve) => {
      response.end = ((text = "") => {
        resolve(Object.assign(answer, { text }));
        return response;
      }) as typeof response.end;
    });
    serve(request, response);
    return { answer, ended };
  };
  /** For requests answered before a body is read. */
  const ask = (method: string, url: string, presented: string) => begin(method, url, presented).answer;
  const send = (url: string, body: string) => begin("POST", url, "sk-pinned", body).ended;
  return { ask, send, read, told };
};

describe("a key that may not be used", () => {
  it("is looked at on enough addresses", () => {
    expect(ADDRESSES.length).toBeGreaterThan(25);
  });

  it.each([...OWN_FIGURES])(
    "reads at %s why it is used up or expired, and nothing for other reasons",
    (path) => {
      const { ask, told } = setUp();
      const readable = ["sk-expired", "sk-exhausted", "sk-pinned-1"];
      for (const [presented, status, code] of REFUSED.filter(([each]) => !readable.includes(each))) {
        const answer = ask("GET", path, presented);
        expect(answer.status, presented).toBe(status);
        expect(answer.text.toLowerCase(), presented).toContain(`"${code}"`);
      }
      expect(told).toEqual([]);
      for (const presented of readable) ask("GET", path, presented);
      expect(told).toHaveLength(3);
    },
  );

  it.each(ADDRESSES)("is refused for its reason: %s %s", (method, path) => {
    const { ask, read, told } = setUp();
    for (const [presented, status, code] of REFUSED) {
      const answer = ask(method, path, presented);
      expect(answer.status, presented).toBe(status);
      expect(answer.text.toLowerCase(), presented).toContain(`"${code}"`);
    }
    expect(read.bytes).toBe(0);
    expect(told).toEqual([]);
  });
});

it("notes a refusal for the owner of a key that is known, and of no other", () => {
  const noted: RequestRecord[] = [];
  const { ask } = setUp({ noteRefused: (record) => noted.push(record) });
  for (const [presented] of REFUSED) ask("POST", "/v1/chat/completions", presented);
  ask("POST", "/v1/messages/count_tokens", "sk-expired");
  expect(noted.map(({ key, refusal }) => [key.name, refusal])).toEqual([
    ["k", "token-disabled"],
    ["k", "token-expired"],
    ["k", "token-exhausted"],
    ["k", "user-disabled"],
    ["k", "address-not-allowed"],
    ["k", "channel-pin-forbidden"],
    ["k", "token-disabled"],
  ]);
  expect(noted[4]).toMatchObject({ told: { params: { address: "192.0.2.1" } }, end: "failed", attempts: [] });
});

it("ignores slashes at the end of an address", () => {
  const { ask } = setUp({ directory: { findKey: () => undefined } } as unknown as Partial<GatewaySettings>);
  expect(ask("GET", "/v1/models/?a=b", "sk-unknown").status).toBe(401);
  expect(ask("GET", "/v1/models//", "sk-unknown").status).toBe(401);
});

/** Addresses with a body, one of each kind. */
const WITH_BODY = ["/v1/chat/completions", "/v1/messages/count_tokens", "/v1/embeddings"];
const BODY = JSON.stringify({ model: "m", messages: [], input: "" });

describe("a refusal that another try may escape says after how many seconds", () => {
  it.each(WITH_BODY)(
    "while charges cannot be stored, while the process stops, and without room: %s",
    async (url) => {
      const waitFor = async (more: Partial<GatewaySettings>) => {
        const { status, retryAfter } = await setUp(more).send(url, BODY);
        return [status, retryAfter];
      };
      expect(await waitFor({ chargingFault: () => "storage-failing" })).toEqual([503, "5"]);
      expect(await waitFor({ isStopping: () => true })).toEqual([503, "5"]);
      const full = new BodyBytes(40);
      for (const user of [2, 3, 4, 5]) full.open(user).take(10);
      expect(await waitFor({ bodyBytes: full })).toEqual([503, "1"]);
      const busy = new BodyBytes(40);
      busy.open(user.id).take(10);
      expect(await waitFor({ bodyBytes: busy })).toEqual([429, "1"]);
    },
  );

  it("where a count is refused by a limit", async () => {
    const refusal = { code: "requests-limited", params: { limit: "1" }, retryAfterSeconds: 7 };
    const relay = { count: (_: unknown, done: (result: unknown) => void) => done({ refusal }) };
    const { send } = setUp({ relay } as unknown as Partial<GatewaySettings>);
    for (const url of [
      "/v1/messages/count_tokens",
      "/v1/responses/input_tokens",
      "/v1beta/models/m:countTokens",
    ])
      expect(await send(url, BODY)).toMatchObject({ status: 429, retryAfter: "7" });
  });

  it("where a key's figures are asked for too often", () => {
    const { ask } = setUp({ takeCall: () => 61_000 });
    expect(ask("GET", "/v1/dashboard/billing/usage", "sk-pinned")).toMatchObject({
      status: 429,
      retryAfter: "61",
    });
  });
});
