import Anthropic from "@anthropic-ai/sdk";
import { GoogleGenAI } from "@google/genai";
import OpenAI from "openai";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Account, type Stage, startStage } from "../api/relay/stage";

/*
 * Every method of the official SDKs is called. What the gateway does not serve, it must name as not offered, in the shape
 * of the client's API.
 */

type Fetch = typeof fetch;
type Method = (...args: unknown[]) => unknown;

/** One request of an SDK, and its answer. */
interface Call {
  readonly name: string;
  readonly address: string;
  readonly status: number;
  readonly text: string;
}

/** Options of a request; every other name is a parameter of an address. */
const OPTIONS = new Set(
  "abortSignal betas body config defaultBaseURL fetchOptions headers httpOptions idempotencyKey maxRetries method path query signal stream then timeout toJSON __binaryRequest __streamClass".split(
    " ",
  ),
);

/** Parameters of any method: an id for each name. */
const anyParameters = (): object =>
  new Proxy(
    {},
    {
      get: (_, name) => (typeof name === "symbol" || OPTIONS.has(name) ? undefined : "x"),
      ownKeys: () => [],
    },
  );

/** Resource names that Google's methods take, by the part of the SDK. */
const GOOGLE_NAMES: Readonly<Record<string, string>> = {
  batches: "batches/x",
  caches: "cachedContents/x",
  documents: "fileSearchStores/x/documents/y",
  files: "files/x",
  fileSearchStores: "fileSearchStores/x",
  models: "models/x",
  operations: "operations/x",
  tunings: "tunedModels/x",
};

/** Arguments in the forms that methods take. */
const argumentLists = (part: string): unknown[][] => {
  const name = GOOGLE_NAMES[part] ?? "x";
  const named = { name, model: name, fileSearchStoreName: name, parent: name, fileName: name };
  const given = { contents: "x", prompt: "x", src: [], source: {}, image: {}, operation: { name } };
  return [
    ["x", anyParameters()],
    [anyParameters()],
    ["x", "x", anyParameters()],
    ["x"],
    [{ ...given, ...named }],
    [],
  ];
};

/** Methods without a request. */
const NO_REQUEST = new Set(["constructor", "runTools"]);

/** Timeout for methods that wait for more than their request. */
const PATIENCE_MS = 100;

const isPart = (value: unknown): value is object =>
  typeof value === "object" &&
  value !== null &&
  /^[A-Z]/.test(value.constructor?.name ?? "") &&
  !["Array", "Map", "Object", "Set", "ApiClient", "HttpResponse"].includes(value.constructor.name);

/** The methods of a client's parts, by their name. */
const methodsOf = (client: object, name: string): Map<string, { part: string; call: Method }> => {
  const methods = new Map<string, { part: string; call: Method }>();
  const visited = new Set<object>();
  const walk = (part: object, path: string[]): void => {
    if (visited.has(part)) return;
    visited.add(part);
    const own = path.length > 1 ? Object.getPrototypeOf(part) : undefined;
    for (const method of own === undefined ? [] : Object.getOwnPropertyNames(own)) {
      const { value } = Object.getOwnPropertyDescriptor(own, method) ?? {};
      if (method.startsWith("_") || NO_REQUEST.has(method) || typeof value !== "function") continue;
      const call: Method = (...args) => (value as Method).apply(part, args);
      methods.set([...path, method].join("."), { part: path.at(-1) ?? "", call });
    }
    for (const [key, value] of Object.entries(part))
      if (!key.startsWith("_") && key !== "logger" && isPart(value)) walk(value, [...path, key]);
  };
  walk(client, [name]);
  return methods;
};

describe("C17: a method of an official SDK", () => {
  let stage: Stage;
  let account: Account;
  const calls = new Map<string, Call>();
  const own: Fetch = globalThis.fetch;

  beforeAll(async () => {
    stage = await startStage();
    account = await stage.addAccount("alice", 1_000_000);
    let current = "";
    const recorded: Fetch = async (input, init) => {
      const { url } = input instanceof Request ? input : { url: String(input) };
      const method = init?.method ?? "GET";
      const { body: _, ...rest } = init ?? {};
      const answer = await own(url, { ...rest, ...(method === "POST" ? { body: "{}" } : {}) });
      const text = await answer.text();
      const address = `${method} ${new URL(url).pathname}`;
      calls.set(address, { name: current, address, status: answer.status, text });
      return new Response(text, { status: answer.status, headers: answer.headers });
    };
    const { url } = stage.server;
    globalThis.fetch = recorded;
    const apiKey = account.key;
    const clients = {
      openai: new OpenAI({ apiKey, baseURL: `${url}/v1`, fetch: recorded, maxRetries: 0 }),
      anthropic: new Anthropic({ apiKey, baseURL: url, fetch: recorded, maxRetries: 0 }),
      google: new GoogleGenAI({ apiKey, httpOptions: { baseUrl: url } }),
    };
    for (const [name, client] of Object.entries(clients))
      for (const [method, { part, call }] of methodsOf(client, name)) {
        current = method;
        for (const args of argumentLists(part)) {
          const asked = (async () => {
            const result = await call(...args);
            if (typeof result !== "object" || result === null || !(Symbol.asyncIterator in result)) return;
            for await (const _ of result as AsyncIterable<unknown>) return;
          })().catch(() => {});
          await Promise.race([asked, new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))]);
        }
      }
  });

  afterAll(async () => {
    globalThis.fetch = own;
    await stage?.close();
  });

  it("is called for most methods of the SDKs", () => {
    const addresses = [...calls.keys()];
    expect(addresses.length).toBeGreaterThan(350);
    for (const address of [
      "POST /v1/batches",
      "POST /v1/uploads",
      "POST /v1/vector_stores",
      "POST /v1/messages/batches",
      "POST /v1beta/cachedContents",
    ])
      expect(addresses).toContain(address);
  });

  it("is served, or refused with a sentence in its API's shape", () => {
    const bare = [...calls.values()].filter(({ address, status, text }) => {
      // A name that is not of the method's resource.
      if (/ \/v1beta\/x\b/.test(address) || status === 200) return false;
      if (status >= 500 && status !== 501) return true;
      return /Invalid URL \([^)]*\)(?!: )/.test(text) || !text.includes('"error"');
    });
    const refused = [...calls.values()].filter(({ status }) => status === 501);
    expect(bare).toEqual([]);
    expect(refused.length).toBeGreaterThan(300);
    for (const { name, text } of refused) {
      expect(text).toContain("does not offer this endpoint");
      const { error } = JSON.parse(text) as { error: Record<string, unknown> };
      if (name.startsWith("anthropic")) expect(error.type).toBe("api_error");
      else if (name.startsWith("google")) expect(error.status).toBe("UNIMPLEMENTED");
      else expect(error.code).toBe("api_not_implemented");
    }
  });
});
