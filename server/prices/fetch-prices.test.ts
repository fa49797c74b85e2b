import { createServer, type Server, type ServerResponse } from "node:http";
import { MAX_DOCUMENT_BYTES } from "@tollgate/contract/management/price-sync";
import { listenOnLoopback } from "@tollgate/testkit/loopback-server";
import {
  GATEWAY_PRICING,
  LITELLM,
  MODELS_DEV,
} from "@tollgate/vendors/price-sources/testing/recorded-documents";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fetchPrices } from "./fetch-prices";
import { NOW_MS } from "./testing/site-prices";

const asked: string[] = [];
let server: Server;
let origin = "";

const json = (response: ServerResponse, text: string): void => {
  response.setHeader("content-type", "application/json");
  response.end(text);
};

const ANSWERS: Record<string, (response: ServerResponse) => void> = {
  "/api/pricing": (response) => json(response, JSON.stringify(GATEWAY_PRICING)),
  "/models": (response) => json(response, JSON.stringify(MODELS_DEV)),
  "/moved": (response) =>
    response.writeHead(302, { location: "http://169.254.169.254/latest/meta-data" }).end(),
  "/error": (response) => response.writeHead(503).end(),
  "/page": (response) => response.end("<!doctype html>"),
  "/other": (response) => json(response, '{"success":true,"data":[]}'),
  "/deep": (response) => json(response, `${'{"a":'.repeat(40)}1${"}".repeat(40)}`),
  "/endless": (response) => {
    response.write('{"a":"');
    const piece = "x".repeat(1024 * 1024);
    const more = (): void => {
      while (!response.destroyed && response.write(piece)) if (response.destroyed) return;
    };
    response.on("drain", more);
    more();
  },
};

beforeAll(async () => {
  server = createServer((request, response) => {
    asked.push(request.url ?? "");
    ANSWERS[request.url ?? ""]?.(response);
  });
  origin = await listenOnLoopback(server);
});

afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const read = (body: Parameters<typeof fetchPrices>[0]) => fetchPrices(body, NOW_MS, async () => {});
const failureOf = (url: string) => expect(read({ source: "url", url })).rejects;

describe("prices from an address", () => {
  it("are a gateway's where the address names no path, and of any known shape at another", async () => {
    expect((await read({ source: "url", url: `${origin}/` })).prices.map(({ model }) => model)).toContain(
      "mj_imagine",
    );
    expect((await read({ source: "url", url: `${origin}/models#x` })).prices).toHaveLength(3);
    expect(asked).toEqual(["/api/pricing", "/models"]);
  });

  it.each(["", "no address", "ftp://example.com/", "http://me:secret@example.com/", "file:///etc/passwd"])(
    "are not looked for at %j",
    async (url) => failureOf(url).toMatchObject({ key: "prices-address-invalid" }),
  );

  it.each([
    "http://169.254.169.254/",
    "http://[::ffff:169.254.169.254]/",
    "http://100.100.100.200/api/pricing",
  ])("are not fetched from a forbidden address: %s", async (url) =>
    failureOf(url).toMatchObject({ key: "prices-unreachable" }),
  );

  it("are reported as invalid when they are", async () => {
    await failureOf(`${origin}/moved`).toMatchObject({ key: "prices-unreachable" });
    await failureOf(`${origin}/error`).toMatchObject({ key: "prices-status", params: { status: 503 } });
    for (const path of ["/page", "/other", "/deep"])
      await failureOf(origin + path).toMatchObject({ key: "prices-unreadable" });
  });

  it("end at sixteen megabytes", async () => {
    await failureOf(`${origin}/endless`).toMatchObject({ key: "prices-unreadable" });
  });
});

describe("prices from a document", () => {
  it("are read as those from an address", async () => {
    const { prices } = await read({ source: "document", document: JSON.stringify(LITELLM) });
    expect(prices.find(({ model }) => model === "claude-opus-4-1")?.price).toMatchObject({ input: 15 });
  });

  it.each(["", "null", "[]", '"text"', "{", "[".repeat(1000), `{"a":"${"x".repeat(MAX_DOCUMENT_BYTES)}"}`])(
    "are none in others",
    async (document) => {
      await expect(read({ source: "document", document })).rejects.toMatchObject({
        key: "prices-unreadable",
      });
    },
  );
});
