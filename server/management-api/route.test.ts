import cookie from "@fastify/cookie";
import type { User } from "@tollgate/accounts/users";
import { endpoint, type Guard } from "@tollgate/contract/resource/endpoint";
import { textValue } from "@tollgate/contract/resource/resource";
import { ROLE_ADMIN } from "@tollgate/contract/values/roles";
import { USER_ENABLED } from "@tollgate/contract/values/statuses";
import { fastify } from "fastify";
import { describe, expect, it } from "vitest";
import { RateLimit } from "../http/rate-limit";
import { Failure } from "./failure";
import { implement, type Route, registerRoute } from "./route";
import type { Services } from "./services";

const TOKEN = "a".repeat(32);
const admin = { id: 1, role: ROLE_ADMIN, status: USER_ENABLED, permissionSet: "" } as User;

const define = (method: Route["method"], guard: Guard): Route =>
  implement(
    guard === "admin"
      ? endpoint({ method, path: "/admin", guard, area: "users", summary: "", data: textValue })
      : endpoint({ method, path: `/${guard}`, guard, summary: "", data: textValue }),
    () => "answered",
  );

/** A node, with a person whose access token it knows. */
const setUp = async (isDeaf: boolean, isCaughtUp = !isDeaf) => {
  let caughtUp = 0;
  const services = {
    accounts: {
      users: { findByAccessToken: (token: string) => (token === TOKEN ? admin : undefined) },
      sessions: { find: () => undefined },
    },
    addresses: { subscriberOf: () => "::1" },
    operator: { makes: () => false },
    rateLimits: { global: new RateLimit(0, 1000), critical: new RateLimit(0, 1000) },
    allowedOrigins: new Set(),
    feed: {
      isDeaf: () => isDeaf,
      async catchUp() {
        caughtUp += 1;
        return isCaughtUp;
      },
    },
    now: () => 1,
  } as unknown as Services;
  const app = fastify();
  await app.register(cookie);
  app.setErrorHandler(async (error, _request, reply) => {
    if (!(error instanceof Failure)) throw error;
    return reply.code(error.status).send(error.key);
  });
  for (const guard of ["none", "admin"] as const)
    for (const method of ["GET", "POST"] as const) registerRoute(app, define(method, guard), services);
  const call = (method: "GET" | "POST", url: string, token = TOKEN) =>
    app.inject({ method, url, headers: { authorization: token } });
  const ask = async (method: "GET" | "POST", url: string) => (await call(method, url)).statusCode;
  /** What a caller reads who looks at the list with a token. */
  const readAs = async (token: string) => (await call("GET", "/admin", token)).body;
  return { ask, readAs, caughtUp: () => caughtUp };
};

describe("a call on one of several nodes", () => {
  it("is answered when the node hears the changes of others", async () => {
    const { ask, caughtUp } = await setUp(false);
    expect(await ask("GET", "/admin")).toBe(200);
    expect(caughtUp()).toBe(0);
    expect(await ask("POST", "/admin")).toBe(200);
    expect(await ask("POST", "/none")).toBe(200);
    expect(caughtUp()).toBe(2);
  });

  it("is told to come again when the node hears nothing, because permissions are unknown there", async () => {
    const { ask } = await setUp(true);
    expect(await ask("GET", "/admin")).toBe(503);
    expect(await ask("POST", "/admin")).toBe(503);
    expect(await ask("POST", "/none")).toBe(503);
    expect(await ask("GET", "/none")).toBe(200);
  });

  it("refuses credentials of an unknown caller only when it has heard all changes: else they may be valid", async () => {
    const unknown = "0".repeat(32);
    expect(await (await setUp(false)).readAs(unknown)).toBe("access-token-invalid");
    const behind = await setUp(false, false);
    expect(await behind.readAs(unknown)).toBe("database-silent");
    expect(await behind.readAs(TOKEN)).toContain("answered");
  });
});
