import { describe, expect, it } from "vitest";
import { PERMISSION_AREAS, PERMISSIONS, permits, permitsCall } from "./permission-areas";
import { BUILT_IN_SETS, commonPermissions, parsePermissionSets, permissionsOfSet } from "./permission-set";

const call = (method: string, more: object = {}) =>
  ({ method, guard: "admin", area: "users", ...more }) as const;

describe("rights", () => {
  it("of a caller without a set include every call", () => {
    expect(permitsCall(undefined, call("DELETE"))).toBe(true);
  });

  it("to change include those to read, and not the other way round", () => {
    const read = new Set(["users:read"]);
    const change = new Set(["users:change"]);
    expect([permits(read, "users", "read"), permits(read, "users", "change")]).toEqual([true, false]);
    expect([permits(change, "users", "read"), permits(change, "users", "change")]).toEqual([true, true]);
  });

  it("to read do not reach a GET that changes something", () => {
    const read = new Set(["users:read"]);
    expect(permitsCall(read, call("GET"))).toBe(true);
    expect(permitsCall(read, call("GET", { changesState: true }))).toBe(false);
    expect(permitsCall(read, call("POST"))).toBe(false);
  });

  it("for one of a call's areas suffice, and a call without an area is refused", () => {
    expect(permitsCall(new Set(["logs:read"]), call("GET", { area: ["users", "logs"] }))).toBe(true);
    expect(permitsCall(new Set(PERMISSIONS), { method: "GET", guard: "admin" })).toBe(false);
  });

  it("leave calls of other guards to these", () => {
    expect(permitsCall(new Set(), { method: "POST", guard: "user" })).toBe(true);
  });
});

describe("a set", () => {
  it("that is unknown gives no rights", () => {
    for (const id of ["gone", "constructor", "__proto__", "toString"])
      expect([
        ...permissionsOfSet(id, parsePermissionSets('{"a":{"name":"A","permissions":["users:read"]}}')),
      ]).toEqual([]);
  });

  it("is read from its text; a text in another format has no sets", () => {
    expect(parsePermissionSets("")).toEqual({});
    expect(parsePermissionSets("[1")).toEqual({});
    expect(parsePermissionSets('{"a":1}')).toEqual({});
    const sets = parsePermissionSets('{"a":{"name":"A","permissions":["users:read"]}}');
    expect([...permissionsOfSet("a", sets)]).toEqual(["users:read"]);
  });

  it("of each installation has rights that exist", () => {
    for (const permissions of Object.values(BUILT_IN_SETS))
      for (const permission of permissions) expect(PERMISSIONS).toContain(permission);
  });

  it("for support reaches no money and changes no users", () => {
    const support = permissionsOfSet("support", {});
    const money = [
      "prices",
      "plans",
      "orders",
      "invoices",
      "balances",
      "profit",
      "redemptions",
      "options",
    ] as const;
    for (const area of money) expect(permits(support, area, "read"), area).toBe(false);
    expect(permits(support, "channels", "read")).toBe(false);
    expect(permits(support, "users", "change")).toBe(false);
  });
});

describe("common rights", () => {
  it("are those that both have", () => {
    const common = commonPermissions(
      new Set(["users:change", "logs:read"]),
      new Set(["users:read", "orders:read"]),
    );
    for (const area of PERMISSION_AREAS) {
      expect(permits(common, area, "change"), area).toBe(false);
      expect(permits(common, area, "read"), area).toBe(area === "users");
    }
  });

  it("with all rights are those of the other", () => {
    const some = new Set(["users:read"]);
    expect(commonPermissions(undefined, some)).toBe(some);
    expect(commonPermissions(some, undefined)).toBe(some);
    expect(commonPermissions(undefined, undefined)).toBeUndefined();
  });
});
