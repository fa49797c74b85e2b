import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callApi, succeed } from "./client";
import { type ManagementWorld, startManagementWorld } from "./management-world";

let world: ManagementWorld;

beforeAll(async () => {
  world = await startManagementWorld();
});

afterAll(() => world?.stop());

interface Shown {
  id: number;
  title: string;
}

const path = "/api/announcement/";

const create = (more: object) => world.admin.api("POST", path, { title: "news", ...more });

const titlesFor = async (api: ManagementWorld["user"]["api"], part: "live" | "history" = "live") =>
  (await succeed<Shown[]>(api("GET", `${path}${part}`))).map(({ title }) => title);

const guest: ManagementWorld["user"]["api"] = (method, at, body) =>
  callApi(world.server.url, method, at, body);

describe("announcements", () => {
  it("reach users of their groups and, where they are public, guests, without naming audience or author", async () => {
    const vip = await world.newUser({ group: "vip" });
    const now = Math.floor(Date.now() / 1000);
    await succeed(create({ title: "for all", body: "# *hello*", starts_at: now - 50 }));
    await succeed(create({ title: "for vip", groups: " vip , pro ", starts_at: now - 40 }));
    await succeed(create({ title: "for guests", is_public: true, starts_at: now - 30 }));
    await succeed(create({ title: "later", starts_at: now + 3600 }));
    await succeed(create({ title: "over", starts_at: now - 3600, ends_at: now - 60 }));
    expect(await titlesFor(world.user.api)).toEqual(["for guests", "for all"]);
    expect(await titlesFor(vip.api)).toEqual(["for guests", "for vip", "for all"]);
    expect(await titlesFor(guest)).toEqual(["for guests"]);
    expect(await titlesFor(world.user.api, "history")).toEqual(["for guests", "for all", "over"]);
    expect(await titlesFor(guest, "history")).toEqual(["for guests"]);
    const [, shown] = await succeed<Shown[]>(vip.api("GET", `${path}live`));
    expect(Object.keys(shown ?? {}).sort()).toEqual(
      ["body", "ends_at", "id", "is_pinned", "level", "starts_at", "title"].sort(),
    );
  });

  it.each<[string, object]>([
    ["no title", { title: " " }],
    ["a long title", { title: "长".repeat(101) }],
    ["a line break in its title", { title: "a\nb" }],
    ["a long text", { body: "a".repeat(10_001) }],
    ["a control character in its text", { body: "a\u0007" }],
    ["an unknown level", { level: "danger" }],
    ["a group with a control character", { groups: "a\u0007" }],
    ["a group and guests", { groups: "vip", is_public: true }],
    ["an end before its start", { starts_at: 2000, ends_at: 2000 }],
    ["a negative start", { starts_at: -1 }],
  ])("are refused with %s, and nothing is stored", async (_, more) => {
    const count = async () => (await succeed<Shown[]>(world.admin.api("GET", `${path}?p=0`))).length;
    const before = await count();
    const answer = await create(more);
    expect(answer.body.success).toBe(false);
    expect(answer.body.message).not.toBe("");
    expect(await count()).toBe(before);
  });

  it("keep their rules when a change meets stored announcements", async () => {
    const { id } = await succeed<Shown>(create({ groups: "vip", starts_at: 5000 }));
    const change = (body: object) => world.admin.api("PUT", `${path}${id}`, body);
    expect((await change({ is_public: true })).body.success).toBe(false);
    expect((await change({ ends_at: 4000 })).body.success).toBe(false);
    await succeed(change({ groups: "", is_public: true, ends_at: 6000 }));
  });

  it("are changed by administrators alone, and each change is in the audit without its text", async () => {
    const { id } = await succeed<Shown>(create({ title: "audited", body: "secret plans" }));
    for (const api of [world.user.api, guest]) {
      for (const [method, at] of [
        ["POST", path],
        ["PUT", `${path}${id}`],
        ["DELETE", `${path}${id}`],
        ["GET", `${path}${id}`],
        ["GET", path],
      ] as const)
        expect(
          (await api(method, at, method === "GET" ? undefined : { title: "mine" })).body.success,
        ).not.toBe(true);
    }
    await succeed(world.admin.api("PUT", `${path}${id}`, { title: "renamed" }));
    await succeed(world.admin.api("DELETE", `${path}${id}`));
    expect((await world.admin.api("DELETE", `${path}${id}`)).body.success).toBe(false);
    const lines = await succeed<{ action: string; target: string; detail: string }[]>(
      world.root.api("GET", `/api/audit?p=0&action=announcement&target=${id}`),
    );
    expect(lines.map(({ action }) => action)).toEqual([
      "announcement.delete",
      "announcement.update",
      "announcement.create",
    ]);
    expect(JSON.stringify(lines)).not.toContain("secret plans");
    expect(JSON.stringify(lines)).toContain("renamed");
  });
});
