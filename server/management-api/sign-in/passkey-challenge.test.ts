import cookie from "@fastify/cookie";
import fastify from "fastify";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { readAllowedOrigins } from "../../http/allowed-origins";
import { createClientAddresses } from "../../http/client-address";
import { beginChallenge, endChallenge } from "./passkey-challenge";

const parts = {
  secrets: {
    hash: (text: string) => Buffer.from(text).toString("base64url"),
    seal: String,
    sealForFile: String,
    openFromFile: String,
    open: String,
  },
  addresses: createClientAddresses("", () => {}),
  allowedOrigins: readAllowedOrigins(""),
};

const app = fastify();
await app.register(cookie);
type Asked = { Querystring: { bound: string; purpose?: "register" | "sign-in" } };
app.get<Asked>("/begin", async ({ query, ...request }, reply) =>
  Buffer.from(
    beginChallenge(parts, query.purpose ?? "sign-in", query.bound, request as never, reply),
  ).toString("base64url"),
);
app.get<Asked>("/end", async (request, reply) => {
  const { purpose = "sign-in", bound } = request.query;
  return endChallenge(parts, purpose, bound, request, reply);
});

const begin = async (bound: string) => {
  const { body, cookies } = await app.inject({ url: "/begin", query: { bound } });
  return { challenge: body, set: cookies[0], kept: cookies[0]?.value ?? "" };
};

const end = async (kept: string, query: Asked["Querystring"]) => {
  const answer = await app.inject({ url: "/end", query, cookies: { passkey_challenge: kept } });
  return { status: answer.statusCode, body: answer.json(), cookies: answer.cookies };
};

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: 1_800_000_000_000 });
});
afterEach(() => {
  vi.useRealTimers();
});

describe("the challenge of a passkey", () => {
  it("counts for five minutes, and carries its time", async () => {
    const { challenge, set, kept } = await begin("");
    expect(set).toMatchObject({ path: "/api/user", httpOnly: true, sameSite: "Lax", maxAge: 300 });
    vi.setSystemTime(1_800_000_299_999);
    const taken = await end(kept, { bound: "" });
    expect(taken.body).toEqual({ text: challenge, madeTime: 1_800_000_000_000 });
    expect(taken.cookies[0]).toMatchObject({ name: "passkey_challenge", value: "" });
    vi.setSystemTime(1_800_000_300_000);
    expect((await end(kept, { bound: "" })).status).not.toBe(200);
  });

  it("is another one each time", async () => {
    expect((await begin("")).challenge).not.toBe((await begin("")).challenge);
  });

  it("counts for its purpose and its user alone, and only as it was made", async () => {
    const { kept } = await begin("7");
    expect((await end(kept, { bound: "7" })).status).toBe(200);
    expect((await end(kept, { bound: "8" })).status).not.toBe(200);
    expect((await end(kept, { bound: "7", purpose: "register" })).status).not.toBe(200);
    const [, signature] = kept.split(".");
    const later = Buffer.alloc(32);
    later.writeBigUInt64BE(2_000_000_000_000n);
    for (const forged of [`${later.toString("base64url")}.${signature}`, `.${signature}`, "a.b", ".", ""])
      expect((await end(forged, { bound: "7" })).status).not.toBe(200);
  });
});
