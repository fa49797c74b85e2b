import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { CLIENT_APIS } from "@tollgate/protocols/client-apis";
import type { KeyEntry } from "@tollgate/relay/ports";
import { describe, expect, it } from "vitest";
import { BodyBytes } from "./body-bytes";
import { createGateway, type GatewaySettings } from "./gateway";

/*
 * Admission is one step: whatever an address asks for, a key that may not be used is refused for the same reason, before a
 * byte of the body is read and before anything is told.
 */

const account = { id: 1, quota: 10, held: 0, isUnlimited: false };
const user = { id: 1, username: "alice", role: 1, status: 1, groups: ["default"], account };
const base: KeyEntry = { id: 2, name: "k", status: 1, expiredTime: -1, account, user };

const KEYS: Readonly<Record<string, KeyEntry>> = {
  disabled: { ...base, status: 2 },
  expired: { ...base, expiredTime: 1 },
  exhausted: { ...base, account: { ...account, quota: 0 } },
  banned: { ...base, user: { ...user, status: 2 } },
  elsewhere: { ...base, networks: { has: () => false } },
  pinned: base,
  both: { ...base, status: 2, networks: { has: () => false } },
};

/** What is presented, and the refusal. */
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

/** Every address of every API at which a key is needed. */
const ADDRESSES = CLIENT_APIS.flatMap(({ endpoints }) =>
  endpoints.flatMap(({ method, path, asked }): [string, string][] => {
    if (typeof asked === "object") return asked.kind === "refusal" ? [] : [[method, path]];
    if (method === "POST") return [[method, path.replace("*", "m:generateContent").replace(":model", "m")]];
    return method === "GET" ? [[method, path.replace("*", "m")]] : [];
  }),
);

const setUp = () => {
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
      modelsOfKey: tell("models"),
    },
    relay: { run: tell("chat"), runOperation: tell("operation"), count: tell("count") },
    bodyLog: { watch: (_: unknown, response: unknown) => response },
    bodyLimitBytes: 1000,
    bodyBytes: new BodyBytes(1000),
    readBilling: tell("billing"),
    takeCall: () => true,
    addressOf: () => "192.0.2.1",
    now: () => 1_000_000,
    isStopping: () => false,
    isStorageFailing: () => false,
    reportError: (error: Error) => {
      throw error;
    },
  } as unknown as GatewaySettings);
  const ask = (method: string, url: string, presented: string): { status: number; text: string } => {
    const socket = new Socket();
    const request = new IncomingMessage(socket);
    Object.assign(request, { method, url, headers: presented === "" ? {} : { authorization: presented } });
    request.on = ((event: string, listener: () => void) => {
      if (event === "data") read.bytes += 1;
      return IncomingMessage.prototype.on.call(request, event, listener);
    }) as typeof request.on;
    request.complete = true;
    const response = new ServerResponse(request);
    response.assignSocket(socket);
    let text = "";
    response.end = ((body: string) => {
      text = body;
      return response;
    }) as typeof response.end;
    serve(request, response);
    return { status: response.statusCode, text };
  };
  return { ask, read, told };
};

describe("a key that may not be used", () => {
  it("is looked at on enough addresses", () => {
    expect(ADDRESSES.length).toBeGreaterThan(25);
  });

  it.each(ADDRESSES)("is refused for its reason: %s %s", (method, path) => {
    const { ask, read, told } = setUp();
    for (const [presented, status, code] of REFUSED) {
      const answer = ask(method, path, presented);
      expect(answer.status, presented).toBe(status);
      // Anthropic's errors have no place for a code; their sentence and status say it.
      if (answer.text.includes('"code":"') || answer.text.includes('"reason"'))
        expect(answer.text.toLowerCase(), presented).toContain(`"${code}"`);
    }
    expect(read.bytes).toBe(0);
    expect(told).toEqual([]);
  });
});
