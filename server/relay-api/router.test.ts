import type { ClientApi } from "@tollgate/contract/relay/client-api";
import { CLIENT_APIS, DEFAULT_API } from "@tollgate/protocols/client-apis";
import { describe, expect, it } from "vitest";
import { isOfClientApi } from "./client-terms";
import { createRouter } from "./router";

const find = createRouter(CLIENT_APIS);
const ask = (method: string, path: string, query = "") => find(method, path, query)?.asked;
const MODEL = "/v1beta/models/cheap";

describe("the table of addresses", () => {
  it("holds addresses that begin as their API says, so that they reach it", () => {
    for (const { bases, endpoints } of CLIENT_APIS)
      for (const { path } of endpoints) {
        expect(
          bases.some((base) => path.startsWith(base)),
          path,
        ).toBe(true);
        expect(isOfClientApi(path), path).toBe(true);
      }
    expect(["/v1", "/v1x", "/dashboard/billing/", "/v1?a"].every(isOfClientApi)).toBe(true);
    expect(["/", "/dashboard", "/api/v1", "/v2/rerank", ""].some(isOfClientApi)).toBe(false);
  });

  it("knows every endpoint that an API declares, as its own", () => {
    for (const api of CLIENT_APIS) {
      for (const { method, path, asked } of api.endpoints) {
        if (typeof asked === "function") continue;
        const found = find(method === "any" ? "PUT" : method, path.replace("*", ""), "");
        expect(found, path).toEqual({ api, asked });
      }
    }
  });

  it.each([
    ["GET", "/v1/responses", "refusal"],
    ["GET", "/v1/responses/resp_1", "refusal"],
    ["POST", "/v1/responses/input_tokens", "count"],
    ["GET", "/v1/responses/input_tokens", "refusal"],
    ["GET", "/v1/models/org/name", "model"],
    ["DELETE", "/v1/models/mine", "refusal"],
    ["POST", `${MODEL}:countTokens`, "count"],
    ["POST", `${MODEL}:predict`, "refusal"],
    ["PATCH", `${MODEL}:predict`, "refusal"],
    ["POST", "/v1/tunedModels/mine:generateContent", "chat"],
    ["PUT", "/v1/filesystem", "refusal"],
    ["GET", "/dashboard/billing/usage", "billing"],
  ])("%s %s asks for a %s", (method, path, kind) => {
    expect(ask(method, path)?.kind).toBe(kind);
  });

  it.each([
    ["GET", "/v1/chat/completions"],
    ["POST", "/v1/chat/completions/x/y"],
    ["POST", "/v1//chat/completions"],
    ["POST", "/v1/Chat/completions"],
    ["POST", "/v1/toString"],
    ["POST", "/v1/engines/%zz/embeddings"],
    ["POST", "/v1/engines/a/b/embeddings"],
    ["GET", "/v1/models/"],
    ["POST", `${MODEL}:unknown`],
    ["POST", "/v1/tunedModels/mine:predict"],
    ["BREW", "/v1/chat/completions"],
  ])("%s %s asks for nothing", (method, path) => {
    expect(ask(method, path)).toBeUndefined();
  });

  it.each([
    "/v1/ch%61t/completions",
    "/v1/chat%2Fcompletions",
    "/v1/chat/completions#x",
    "/v1/chat/completions%23",
  ])("does not undo escapes: %s is no other address", (path) => {
    expect(ask("POST", path)).toBeUndefined();
  });

  it.each([
    ["gpt%2D4", "gpt-4"],
    ["a%2Fb:c", "a/b:c"],
    ["a/b", "a/b"],
    ["100%", "100%"],
    ["%2541", "%41"],
    ["m".repeat(5000), "m".repeat(5000)],
  ])("reads a model's name out of the address once: %s", (written, model) => {
    expect(ask("POST", `/v1beta/models/${written}:generateContent`)).toMatchObject({ address: { model } });
    expect(ask("GET", `/v1/models/${written}`)).toEqual({ kind: "model", id: model });
  });

  it("takes names of models as long as they come, also between two segments", () => {
    const model = "m".repeat(5000);
    expect(ask("POST", `/v1/engines/${model}/embeddings`)).toMatchObject({ kind: "operation", model });
  });

  it("hands the query to who reads the address", () => {
    expect(ask("POST", `${MODEL}:streamGenerateContent`)).toMatchObject({ isArray: true });
    expect(ask("POST", `${MODEL}:streamGenerateContent`, "alt=sse")).toMatchObject({ isArray: false });
  });

  it("refuses two endpoints at one address", () => {
    const other: ClientApi = { ...DEFAULT_API, endpoints: DEFAULT_API.endpoints.slice(0, 1) };
    expect(() => createRouter([...CLIENT_APIS, other])).toThrow("already declared");
  });
});
