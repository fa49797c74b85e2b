import { SIGN_IN_METHODS } from "@tollgate/contract/sign-in/methods";
import { callApi, type SignedIn, signIn } from "@tollgate/demo/api-client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CALLS } from "./calls/calls";
import type { Dialect } from "./dialect";
import { type Double, startDouble } from "./double";

let double: Double;
let root: SignedIn;

beforeAll(async () => {
  double = await startDouble();
  root = await signIn(double.url, "root", "123456");
});
afterAll(() => double?.close());

/** Signing in with a code that is typed. */
const typedCodes = SIGN_IN_METHODS.filter(({ entry }) => entry.kind === "typed-code").map(
  ({ name }) => `GET /api/oauth/${name}`,
);

/** Parameters of calls, so that they succeed. */
const QUERIES: Readonly<Record<string, string>> = {
  "GET /api/log/receipt": "?request_id=request-0",
  "GET /api/log/self/receipt": "?request_id=request-0",
  ...Object.fromEntries(typedCodes.map((name) => [name, "?code=123456"])),
  "GET /api/usage": "?start_timestamp=0&end_timestamp=2000000000&by=channel&top=2",
  "GET /api/usage/self": "?start_timestamp=0&end_timestamp=2000000000&by=model",
};

/** Ends of paths that are no numbers. */
const NAMES: Readonly<Record<string, string>> = { "GET /api/payment/orders/:id": "2".padStart(32, "0") };

const BODIES: Readonly<Record<string, unknown>> = {
  "POST /api/user/login": { username: "alice", password: "12345678" },
  "POST /api/user/register": { username: "new", password: "12345678" },
  "POST /api/user/reset": { email: "a@example.com", token: "t" },
  "PUT /api/user/self": { display_name: "Root" },
  "POST /api/user/topup": { key: String(1).padStart(32, "0") },
  "POST /api/user": { username: "newer", password: "12345678" },
  "PUT /api/user": { id: 5, group: "vip", rpm: 5 },
  "POST /api/user/manage": { username: "user6", action: "promote" },
  "POST /api/channel": { type: 1, name: "c", key: "a\nb", models: "m", multi_key: true, proxy: "" },
  "PUT /api/channel": { id: 2, name: "d", weight: 3 },
  "POST /api/token": { name: "t", remain_quota: 5 },
  "PUT /api/token": { id: 2, name: "u", models: "m" },
  "POST /api/redemption": { name: "r", quota: 5, count: 2 },
  "PUT /api/redemption": { id: 2, name: "s" },
  "PUT /api/option": { key: "SystemName", value: "Site" },
};

/** Deleting the own account is refused to root. */
const REFUSED = new Set(["DELETE /api/user/self"]);

describe("the double of the contract", () => {
  it.each(Object.keys(CALLS))("answers %s as the contract's schemas say", async (name) => {
    const [method = "", path = ""] = name.split(" ");
    // The third row of every kind: an enabled channel with a balance.
    const answer = await root.api(
      method,
      path.replace(":id", NAMES[name] ?? "3") + (QUERIES[name] ?? ""),
      BODIES[name],
      typedCodes.includes(name) ? { cookie: "" } : {},
    );
    expect([name, answer.status]).toEqual([name, 200]);
    if (name !== "GET /api/channel/models")
      expect([name, answer.body.success]).toEqual([name, !REFUSED.has(name)]);
  });

  it("fails by name before it answers outside the contract", async () => {
    const broken = await startDouble();
    const [token] = broken.world.tokens;
    Object.assign(token ?? {}, { status: "on", colour: "red" });
    const caller = await signIn(broken.url, "root", "123456");
    const answer = await caller.api("GET", "/api/token/1");
    const sentence =
      "The double's answer to GET /api/token/1 breaks the contract. data.status: invalid_type; data: unknown colour";
    expect([answer.status, answer.body.message]).toEqual([500, sentence]);
    await expect(broken.close()).rejects.toThrow(sentence);
  });

  it("refuses paths, methods and bodies outside the contract", async () => {
    for (const [method, path] of [
      ["GET", "/api/nothing"],
      ["DELETE", "/api/status"],
      ["GET", "/api/token/1/more"],
    ] as const) {
      expect((await root.api(method, path)).status).toBe(404);
    }
    const wrong = await root.api("POST", "/api/token/", { name: "t", remain_quota: "5" });
    expect(wrong.body).toEqual({ success: false, message: "无效的参数：body.remain_quota: invalid_type" });
    expect((await root.api("PUT", "/api/option/", { key: "SystemName", value: 5 })).status).toBe(400);
  });

  it("rejects a call above the caller's role", async () => {
    expect((await callApi("GET", `${double.url}/api/user/self`)).status).toBe(401);
    const user = await signIn(double.url, "user7", "12345678");
    expect((await user.api("GET", "/api/channel/")).body).toEqual({
      success: false,
      message: "无权进行此操作，权限不足",
    });
  });
});

describe("another dialect", () => {
  const firstLine = async (dialect: Partial<Dialect>): Promise<string[]> => {
    const odd = await startDouble(dialect);
    const caller = await signIn(odd.url, "root", "123456");
    const { body } = await caller.api("GET", "/api/log/?p=0");
    await odd.close();
    return Object.keys((body.data as object[])[0] ?? {});
  };

  it("names a log's id otherwise, or not at all, and no request without receipts", async () => {
    expect(await firstLine({})).toEqual(expect.arrayContaining(["id", "request_id"]));
    expect(await firstLine({ logId: "id;index:idx_created_at_id" })).toContain("id;index:idx_created_at_id");
    const bare = await firstLine({ logId: "absent", hasUsage: false });
    expect(bare).not.toContain("id");
    expect(bare).not.toContain("request_id");
  });

  it("may be without sums over usage and receipts", async () => {
    const odd = await startDouble({ hasUsage: false });
    const caller = await signIn(odd.url, "root", "123456");
    expect((await caller.api("GET", "/api/usage")).status).toBe(404);
    expect((await caller.api("GET", "/api/log/self/receipt?request_id=request-0")).status).toBe(404);
    await odd.close();
  });
});
