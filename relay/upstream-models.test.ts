import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { listenOnLoopback } from "@tollgate/testkit/loopback-server";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { AuthTools } from "./ports/transport";
import { entryOf } from "./testing/entry-of";
import { createModelLister } from "./upstream-models";

let server: Server;
let origin = "";
let asked: IncomingMessage[] = [];
let answer: (path: string, response: ServerResponse) => void = () => {};

beforeAll(async () => {
  server = createServer((request, response) => {
    asked.push(request);
    answer(request.url ?? "", response);
  });
  origin = await listenOnLoopback(server);
});

afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

beforeEach(() => {
  asked = [];
});

const tools: AuthTools = {
  transport: {
    send: () => {
      throw new Error("nothing is fetched for a key that is signed here");
    },
    close: async () => {},
  },
  now: () => Date.parse("2026-11-22T12:00:00Z"),
  random: () => 0.5,
};

const list = (type: number, { key = "the-key", path = "", other = "" } = {}) =>
  createModelLister(tools).list(entryOf({ type, baseUrl: origin + path, other }, { key }));

const answers = (pages: Record<string, unknown>): void => {
  answer = (path, response) => {
    if (path in pages) response.end(JSON.stringify(pages[path]));
    else response.writeHead(404).end();
  };
};

describe("the models of an upstream", () => {
  it.each([
    [
      "OpenAI",
      1,
      "/v1/models",
      { data: [{ id: "gpt-5" }, { id: "gpt-4o" }] },
      "authorization",
      "Bearer the-key",
    ],
    [
      "a version in the address",
      8,
      "/v1/models",
      { data: [{ id: "gpt-5" }, { id: "gpt-4o" }] },
      "authorization",
      "Bearer the-key",
      "/v1",
    ],
    [
      "Anthropic",
      14,
      "/v1/models?limit=1000",
      { data: [{ id: "gpt-5" }, { id: "gpt-4o" }], has_more: false },
      "x-api-key",
      "the-key",
    ],
    [
      "Gemini",
      24,
      "/v1beta/models?pageSize=1000",
      {
        models: [
          { name: "models/gpt-5", supportedGenerationMethods: ["generateContent"] },
          { name: "models/gpt-4o" },
          { name: "models/aqa", supportedGenerationMethods: ["generateAnswer"] },
        ],
      },
      "x-goog-api-key",
      "the-key",
    ],
    [
      "Ollama",
      30,
      "/api/tags",
      { models: [{ name: "gpt-5" }, { name: "gpt-4o" }] },
      "authorization",
      "Bearer the-key",
    ],
    [
      "Cohere",
      35,
      "/v1/models?page_size=1000",
      { models: [{ name: "gpt-5" }, { name: "gpt-4o" }] },
      "authorization",
      "Bearer the-key",
      "/compatibility",
    ],
    [
      "Azure",
      3,
      "/openai/models?api-version=2024-10-21",
      {
        data: [
          { id: "gpt-5", capabilities: { inference: true } },
          { id: "gpt-4o" },
          { id: "x", capabilities: { inference: false } },
        ],
      },
      "api-key",
      "the-key",
    ],
  ])("are asked for in its own shape: %s", async (_, type, path, page, header, value, base = "") => {
    answers({ [path]: page });
    expect(await list(type, { path: base })).toEqual({ kind: "models", models: ["gpt-4o", "gpt-5"] });
    expect(asked.map(({ url, method, headers }) => [method, url, headers[header]])).toEqual([
      ["GET", path, value],
    ]);
  });

  it("come page by page", async () => {
    answers({
      "/v1/models?limit=1000": { data: [{ id: "a" }], has_more: true, last_id: "a&b" },
      "/v1/models?limit=1000&after_id=a%26b": { data: [{ id: "b" }], has_more: false },
    });
    expect(await list(14)).toEqual({ kind: "models", models: ["a", "b"] });
  });

  it("of a list without an end are those of ten pages", async () => {
    let page = 0;
    answer = (_, response) => {
      page += 1;
      response.end(JSON.stringify({ models: [{ name: `models/m${page}` }], nextPageToken: "more" }));
    };
    expect(await list(24)).toMatchObject({ models: { length: 10 } });
    expect(asked).toHaveLength(10);
  });

  it("are told by none of the vendors that have no such call", async () => {
    expect(await list(33, { key: "id|secret|us-east-1" })).toEqual({ kind: "unsupported" });
    expect(asked).toEqual([]);
  });
});

describe("an upstream's unusual answer", () => {
  it.each([
    ["nothing of a list", "{}"],
    ["a list of nothing", '{"data":{}}'],
    ["no object", "[]"],
    ["no JSON", "<html>"],
    ["what is nested too deep", `{"data":${"[".repeat(500)}${"]".repeat(500)}}`],
    ["far too much", `{"data":[{"id":"${"x".repeat(5 * 1024 * 1024)}"}]}`],
  ])("is not believed: %s", async (_, text) => {
    answer = (_path, response) => response.end(text);
    expect(await list(1)).toEqual({ kind: "unreadable" });
  });

  it("is told where it is an error", async () => {
    answers({});
    expect(await list(1)).toEqual({ kind: "status", status: 404 });
  });

  it("leads nowhere else: the key would go along", async () => {
    answer = (_, response) => response.writeHead(302, { location: `${origin}/other` }).end();
    expect(await list(1)).toEqual({ kind: "unreachable" });
    expect(asked).toHaveLength(1);
  });

  it("names no model that a channel could not list", async () => {
    const names = [
      "good",
      "a,b",
      "a\nb",
      "a\u0000",
      "a\u202eb",
      " a",
      "",
      "x".repeat(201),
      7,
      null,
      { id: "x" },
    ];
    answers({ "/v1/models": { data: [...names.map((id) => ({ id })), null, "text", { id: "good" }] } });
    expect(await list(1)).toEqual({ kind: "models", models: ["good"] });
  });

  it("names five thousand models at most", async () => {
    answers({ "/v1/models": { data: Array.from({ length: 6000 }, (_, n) => ({ id: `m${n}` })) } });
    expect(await list(1)).toMatchObject({ models: { length: 5000 } });
  });
});

it("lists no models from a forbidden address", async () => {
  const entry = entryOf({ type: 1, baseUrl: "http://169.254.169.254" });
  expect(await createModelLister(tools).list(entry)).toEqual({ kind: "unreachable" });
});
