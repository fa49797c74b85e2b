import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Account, addChannel, type Stage, startStage } from "./stage";
import { type RawAnswer, readError, sendRaw } from "./wire";

/*
 * Fields of a request that its upstream's protocol has no place for: left out and named, or refused, as the site and the
 * key decide.
 */

let stage: Stage;
let account: Account;

beforeAll(async () => {
  stage = await startStage();
  await addChannel(stage.root, { type: 8, base_url: stage.upstream.url });
  account = await stage.addAccount("alice", 1_000_000);
});

afterAll(async () => {
  await stage?.close();
});

beforeEach(() => stage.upstream.reset());

const send = (fields: object): Promise<RawAnswer> =>
  sendRaw(
    `${stage.server.url}/v1/messages`,
    { "x-api-key": account.key },
    { model: "gpt-3.5-turbo", max_tokens: 100, messages: [{ role: "user", content: "hi" }], ...fields },
  );

const decide = (decision: string): Promise<unknown> =>
  account.owner.data("PUT", "/api/token/", { id: account.id, unsupported_fields: decision });

describe("a field that the upstream's protocol has no place for", () => {
  it("is left out and named by default", async () => {
    const answer = await send({ top_k: 5 });
    expect(answer.status, answer.text).toBe(200);
    expect(answer.headers.get("x-tollgate-ignored-fields")).toBe("top_k");
    expect(stage.upstream.requests[0]?.body).not.toHaveProperty("top_k");
  });

  it("is refused where the site, or the key, says so", async () => {
    await stage.setOption("UnsupportedFields", "refuse");
    const answer = await send({ top_k: 5 });
    expect(answer.status).toBe(400);
    expect(readError("messages", JSON.parse(answer.text)).message).toContain("top_k");
    await decide("ignore");
    expect((await send({ top_k: 5 })).status).toBe(200);
    await stage.setOption("UnsupportedFields", "ignore");
    await decide("refuse");
    expect((await send({ top_k: 5 })).status).toBe(400);
    await decide("");
    expect((await send({ top_k: 5 })).status).toBe(200);
    expect(stage.upstream.requests).toHaveLength(2);
  });

  it("is refused in any case where it says where the request may be processed", async () => {
    const answer = await send({ inference_geo: "eu" });
    expect(answer.status).toBe(400);
    expect(answer.text).toContain("inference_geo");
  });

  it("is refused as a decision that there is not", async () => {
    await expect(decide("maybe")).rejects.toThrow();
  });
});
