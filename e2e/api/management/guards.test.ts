import { CALLS } from "@tollgate/testkit/contract-double/calls/calls";
import { DECLARED_ENDPOINTS } from "@tollgate/testkit/declared-endpoints";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { succeed } from "./client";
import { describeRows } from "./describe-rows";
import { BAD_BODY_ROWS, GUARD_ROWS, SET_ROWS, SETS } from "./guards.rows";
import { type ManagementWorld, startManagementWorld } from "./management-world";
import { describedRoutes, findTemplate, undescribedQuery } from "./openapi-check";

let world: ManagementWorld;

beforeAll(async () => {
  world = await startManagementWorld();
  const { id: empty } = await succeed<{ id: string }>(
    world.root.api("POST", "/api/permission-set", { name: "nothing", permissions: [] }),
  );
  for (const set of Object.keys(SETS)) {
    const { id, cookie } = await world.newAdmin();
    const permissionSet = set === "empty" ? empty : set;
    await succeed(world.root.api("PUT", "/api/user/", { id, permission_set: permissionSet }));
    world.callers[set] = () => ({ cookie });
  }
});

afterAll(() => world?.stop());

describe("every route", () => {
  it("has a row for a guest, a user, an administrator and root", () => {
    const covered = new Set(
      GUARD_ROWS.map(({ who, method, path }) => {
        const template = findTemplate(world.document, method, path);
        return `${who.split(" ").at(-1)}: ${method} ${template}`;
      }),
    );
    const missing = describedRoutes(world.document).flatMap((route) =>
      ["guest", "user", "admin", "root"]
        .map((role) => `${role}: ${route}`)
        .filter((each) => !covered.has(each)),
    );
    expect(missing).toEqual([]);
  });

  it("is declared in the contract", () => {
    const declared = new Set(
      DECLARED_ENDPOINTS.map(({ method, path }) => `${method} ${findTemplate(world.document, method, path)}`),
    );
    const others = describedRoutes(world.document).filter((route) => !declared.has(route));
    expect(others).toEqual([]);
    expect(declared.size).toBeGreaterThan(180);
  });
});

describe("the API's description", () => {
  it("names every query parameter of each call", () => {
    const unnamed = GUARD_ROWS.flatMap(({ method, path }) =>
      undescribedQuery(world.document, method, path).map((name) => `${method} ${path}: ${name}`),
    );
    expect([...new Set(unnamed)]).toEqual([]);
  });

  it("has the callbacks of payments, which no page calls", () => {
    expect(Object.keys(world.document.paths["/api/payment/{provider}"] ?? {})).toEqual(["get", "post"]);
  });
});

describe("the double of the contract", () => {
  it("knows no call that the gateway does not have", () => {
    const described = new Set(
      describedRoutes(world.document).map((route) => route.replace(/\{\w+\}/, ":id")),
    );
    expect(Object.keys(CALLS).filter((name) => !described.has(name))).toEqual([]);
  });
});

describeRows("every route, for every caller, in both slash forms", () => world, GUARD_ROWS);
describeRows("every route, for administrators with a set of permissions", () => world, SET_ROWS);
describeRows("a body that cannot be read", () => world, BAD_BODY_ROWS);
