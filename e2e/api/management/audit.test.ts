import { addChannel } from "@tollgate/demo/build-world";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { saveOptions, succeed } from "./client";
import { type ManagementWorld, type Person, startManagementWorld } from "./management-world";

interface AuditRow {
  user_id: number;
  username: string;
  address: string;
  action: string;
  target: string;
  detail: string;
  created_at: number;
}

let world: ManagementWorld;
let target: Person;

beforeAll(async () => {
  world = await startManagementWorld();
  target = await world.newUser();
});

afterAll(() => world?.stop());

const newest = (): AuditRow => world.stored.all<AuditRow>("SELECT * FROM audit ORDER BY id DESC LIMIT 1")[0]!;

describe("the audit", () => {
  it("records actor, action, affected user, address and time", async () => {
    await succeed(
      world.admin.api("PUT", "/api/user/", { id: target.id, quota: 700, password: "password-2" }),
    );
    expect(newest()).toMatchObject({
      user_id: world.admin.id,
      username: "admin",
      address: "127.0.0.1",
      action: "user.update",
      target: String(target.id),
    });
    expect(JSON.parse(newest().detail)).toEqual({ quota: 700, password: "***" });
    expect(Math.abs(newest().created_at - Date.now() / 1000)).toBeLessThan(60);
  });

  it("is read by root, the newest line first", async () => {
    const [line] = await succeed<AuditRow[]>(world.root.api("GET", "/api/audit/?p=0"));
    expect(line).toEqual(newest());
  });

  it("is saved as a file, with the filter of the list", async () => {
    const file = await world.root.api("GET", "/api/audit/export?format=jsonl&action=user");
    const lines = file.text
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as AuditRow);
    expect(lines[0]).toMatchObject({ action: "user.update", username: "admin", target: String(target.id) });
    expect(lines.every(({ action }) => action.startsWith("user."))).toBe(true);
    expect(file.text).not.toContain("password-2");
    expect((await world.admin.api("GET", "/api/audit/export?format=jsonl")).body.success).toBe(false);
  });

  it("has a line for every kind of change", async () => {
    const admin = world.admin;
    const before = world.stored.all("SELECT id FROM audit").length;
    await succeed(admin.api("POST", "/api/user/", { username: "audited", password: "password-1" }));
    await succeed(admin.api("POST", "/api/user/manage", { username: "audited", action: "disable" }));
    await succeed(admin.api("POST", "/api/user/manage", { username: "audited", action: "enable" }));
    await succeed(world.root.api("POST", "/api/user/manage", { username: "audited", action: "promote" }));
    await succeed(world.root.api("POST", "/api/user/manage", { username: "audited", action: "demote" }));
    await succeed(admin.api("POST", "/api/user/manage", { username: "audited", action: "delete" }));
    await succeed(admin.api("DELETE", `/api/user/${target.id}`));
    const id = await addChannel(admin, { key: "channel-secret-1", base_url: "https://example.com" });
    await succeed(admin.api("PUT", "/api/channel/", { id, key: "channel-secret-2", status: 2, key_rpm: 7 }));
    // The limit of a key is no key.
    expect(JSON.parse(newest().detail)).toMatchObject({ key: "***", keyRpm: 7 });
    await succeed(admin.api("DELETE", "/api/channel/disabled"));
    await succeed(admin.api("DELETE", `/api/channel/${id}`));
    await succeed(admin.api("POST", "/api/redemption/", { name: "codes", quota: 5, count: 2 }));
    const [code] = await succeed<{ id: number }[]>(admin.api("GET", "/api/redemption/?p=0"));
    await succeed(admin.api("PUT", "/api/redemption/", { id: code?.id, quota: 6 }));
    await succeed(admin.api("DELETE", `/api/redemption/${code?.id}`));
    await succeed(admin.api("DELETE", "/api/log/?target_timestamp=1000"));
    await saveOptions(world.root, { SMTPToken: "option-secret", Notice: "hello" });
    const rows = world.stored.all<AuditRow>("SELECT * FROM audit ORDER BY id").slice(before);
    expect(rows.map(({ action }) => action)).toEqual([
      "user.create",
      "user.disable",
      "user.enable",
      "user.promote",
      "user.demote",
      "user.delete",
      "user.delete",
      "channel.create",
      "channel.update",
      "channel.delete-disabled",
      "channel.delete",
      "redemption.create",
      "redemption.update",
      "redemption.delete",
      "log.clear",
      "option.update",
      "option.update",
    ]);
    const everything = JSON.stringify(rows);
    expect(everything).not.toMatch(/secret-|option-secret|password-\d/);
    for (const key of await succeed<{ key: string }[]>(admin.api("GET", "/api/redemption/?p=0"))) {
      expect(everything).not.toContain(key.key);
    }
    expect(rows.every(({ detail }) => typeof JSON.parse(detail) === "object")).toBe(true);
  });

  it("is narrowed by action or kind of thing, by thing, by person and by time", async () => {
    const ask = (query: string) => succeed<AuditRow[]>(world.root.api("GET", `/api/audit?${query}`));
    const all = await ask("");
    const actionsOf = (rows: AuditRow[]) => rows.map(({ action }) => action);
    const own = all.filter(({ action }) => action.startsWith("channel."));
    expect(own.length).toBeGreaterThan(2);
    expect(actionsOf(await ask("action=channel"))).toEqual(actionsOf(own));
    expect(new Set(actionsOf(await ask("action=user.update")))).toEqual(new Set(["user.update"]));
    const deleted = await ask("action=user.delete&beneficiary=audited");
    expect(deleted).toHaveLength(1);
    expect(await ask(`target=${deleted[0]?.target}&action=user.delete`)).toEqual(deleted);
    expect(new Set((await ask("username=root")).map(({ username }) => username))).toEqual(new Set(["root"]));
    expect(await ask(`start_timestamp=${Math.floor(Date.now() / 1000) + 3600}`)).toEqual([]);
    expect(await ask("end_timestamp=1000")).toEqual([]);
    expect(await ask("username=%25")).toEqual([]);
    for (const unknown of ["nothing", "user.", "user%25", "constructor"])
      expect((await world.root.api("GET", `/api/audit?action=${unknown}`)).body.success).toBe(false);
  });

  it("has the changes of keys by their owners, without secrets", async () => {
    const owner = await world.newUser();
    const other = await world.newUser();
    const own = (method: string, path: string, body?: object) =>
      succeed<unknown>(owner.api(method, path, body));
    const before = world.stored.all("SELECT id FROM audit").length;
    await own("POST", "/api/token/", { name: "laptop", unlimited_quota: true });
    const [key] = await succeed<{ id: number; key: string; [field: string]: unknown }[]>(
      owner.api("GET", "/api/token/?p=0"),
    );
    const id = key?.id ?? 0;
    // Clients send the whole key back: only what differs is a change.
    await own("PUT", "/api/token/", { ...key, name: "desk", daily_quota: 5_000_000, models: "gpt-4o" });
    await own("PUT", "/api/token/", { ...key, name: "desk", daily_quota: 5_000_000, models: "gpt-4o" });
    await own("PUT", "/api/token/", { id, models: "" });
    await own("PUT", "/api/token/?status_only=true", { id, status: 2 });
    await own("PUT", "/api/token/?status_only=true", { id, status: 1 });
    await own("POST", `/api/token/${id}/rotate`, { former_seconds: 3600 });
    await own("DELETE", `/api/token/${id}/former`);
    await own("POST", "/api/token/batch", { action: "disable", ids: [id] });
    const path = `/api/token/${id}/changes`;
    const changes = await succeed<AuditRow[]>(owner.api("GET", path));
    expect(await succeed(world.admin.api("GET", path))).toEqual(changes);
    expect((await other.api("GET", path)).body.success).toBe(false);
    await own("DELETE", `/api/token/${id}`);
    const rows = world.stored.all<AuditRow>("SELECT * FROM audit ORDER BY id").slice(before);
    expect(rows.map(({ action, detail }) => [action, JSON.parse(detail)])).toEqual([
      ["token.create", { name: "laptop" }],
      ["token.update", { name: "desk", dailyQuota: 5_000_000, models: "gpt-4o" }],
      ["token.update", { models: null }],
      ["token.disable", {}],
      ["token.enable", {}],
      ["token.rotate", { formerUntil: expect.any(Number) }],
      ["token.end-former", {}],
      ["token.disable", {}],
      ["token.delete", { name: "desk" }],
    ]);
    expect(rows.every(({ target, user_id: by }) => target === String(id) && by === owner.id)).toBe(true);
    expect(changes.map(({ action }) => action)).toEqual(
      rows
        .slice(0, -1)
        .map(({ action }) => action)
        .reverse(),
    );
    expect(JSON.stringify(rows)).not.toContain(key?.key);
  });

  it("has no entry for a refused action", async () => {
    const before = world.snapshot().audit;
    await world.admin.api("PUT", "/api/user/", { id: 1, quota: 5 });
    await world.admin.api("POST", "/api/user/manage", { username: "root", action: "disable" });
    await world.root.api("PUT", "/api/option/", { key: "RetryTimes", value: "-1" });
    await world.user.api("DELETE", "/api/channel/1");
    expect(world.snapshot().audit).toBe(before);
  });

  it("cannot be cleared through the API, and only root may read it", async () => {
    await succeed(world.admin.api("DELETE", "/api/log/?target_timestamp=9999999999"));
    expect(world.stored.all("SELECT id FROM audit").length).toBeGreaterThan(10);
    expect((await world.root.api("DELETE", "/api/audit")).status).toBe(404);
    expect((await world.admin.api("GET", "/api/audit")).body.success).toBe(false);
  });
});
