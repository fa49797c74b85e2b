import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { createStandIn } from "./stand-in";

let server: Server | undefined;

afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

const ask = async (method: string, path: string, headers: Record<string, string> = {}): Promise<Response> => {
  server = createServer(createStandIn()).listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return fetch(url + path, { method, headers, ...(method === "POST" ? { body: "{}" } : {}) });
};

describe("N6: the answer while the data is moved", () => {
  it.each([
    ["POST", "/v1/chat/completions", { error: { type: "one_api_error", code: "data_moving" } }],
    ["POST", "/v1/responses", { error: { code: "data_moving" } }],
    ["POST", "//v1/v1/embeddings/", { error: { code: "data_moving" } }],
    [
      "POST",
      "/v1/messages",
      { type: "error", error: { type: "api_error", details: { error_code: "data_moving" } } },
    ],
    ["POST", "/v1beta/models/m:generateContent", { error: { code: 503, status: "UNAVAILABLE" } }],
    ["GET", "/models", { error: { code: "data_moving" } }],
    ["GET", "/api/status", { success: false }],
    ["GET", "/", { success: false }],
  ])("has the shape of the client's API: %s %s", async (method, path, body) => {
    const answer = await ask(method, path);
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "2"]);
    expect(answer.headers.get("connection")).toBe("keep-alive");
    expect(await answer.json()).toMatchObject(body);
  });

  it.each([
    ["/healthz", 200, "ok"],
    ["/healthz/", 200, "ok"],
    ["//healthz?x", 200, "ok"],
    ["/readyz", 503, "data moving"],
  ])("tells probes that the process runs and takes no requests: %s", async (path, status, word) => {
    const answer = await ask("GET", path);
    expect([answer.status, await answer.json()]).toEqual([status, { status: word }]);
    expect(answer.headers.get("cache-control")).toBe("no-store");
  });

  it("follows the client's language and its header", async () => {
    const answer = await ask("GET", "/v1/models", { "accept-language": "zh", "x-goog-api-key": "k" });
    expect(await answer.json()).toMatchObject({
      error: { status: "UNAVAILABLE", message: expect.stringContaining("迁移") },
    });
  });
});
