import type { StatementWire } from "@tollgate/contract/api/statements";
import { addApiKey, addChannel } from "@tollgate/demo/build-world";
import { type FakeUpstream, startFakeUpstream } from "@tollgate/testkit/fake-upstream/fake-upstream";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callApi, succeed } from "./client";
import { describeRows } from "./describe-rows";
import { type ManagementWorld, type Person, startManagementWorld } from "./management-world";

interface ShownLog {
  id: number;
  user_id: number;
  created_at: number;
  type: number;
  content: string;
  username: string;
  token_name: string;
  model_name: string;
  quota: number;
  prompt_tokens: number;
  completion_tokens: number;
  channel: number;
}

let world: ManagementWorld;
let upstream: FakeUpstream;
let spender: Person;

const ask = async (owner: Person, tokenName: string, model: string): Promise<void> => {
  const { key } = await addApiKey(owner, { name: tokenName, unlimited_quota: true });
  const answer = await callApi(
    world.url,
    "POST",
    "/v1/chat/completions",
    { model, messages: [{ role: "user", content: "hi" }], max_tokens: 5 },
    { token: `Bearer sk-${key}` },
  );
  expect(answer.status, answer.text).toBe(200);
};

/** The upstream says 13 tokens in and 5 out: ceil((13 + 5 × 2) × ratio). */
const GPT35 = Math.ceil(23 * 0.75);
const GPT4 = 23 * 15;

beforeAll(async () => {
  [world, upstream] = await Promise.all([startManagementWorld(), startFakeUpstream()]);
  const first = await addChannel(world.root, { base_url: upstream.url, models: "gpt-3.5-turbo" });
  const second = await addChannel(world.root, { base_url: upstream.url, models: "gpt-4" });
  spender = await world.newUser({ quota: 10_000_000 });
  await succeed(world.root.api("PUT", "/api/user/", { id: world.user.id, quota: 10_000_000 }));
  await ask(spender, "laptop", "gpt-3.5-turbo");
  await ask(spender, "server", "gpt-4");
  await ask(world.user, "laptop", "gpt-4");
  // Once the whole log was read, its file does not change by itself.
  await succeed(world.root.api("GET", "/api/log/"));
  Object.assign(world.names, { first, second, spender: spender.username, spenderId: spender.id });
  world.callers.spender = () => ({ cookie: spender.cookie });
});

afterAll(async () => {
  await world?.stop();
  await upstream?.close();
});

describe("files", () => {
  /** A file as a browser saves it. */
  const save = async (path: string, cookie = world.root.cookie) => {
    const response = await fetch(world.url + path, { headers: { cookie } });
    return { response, bytes: Buffer.from(await response.arrayBuffer()) };
  };
  const lines = async (path: string, cookie?: string) =>
    (await save(path, cookie)).bytes
      .toString("utf8")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);

  it("of the log have the lines of the page, by the asked clock, and nothing of a channel for their owner", async () => {
    const filter = "type=2&model_name=gpt-4";
    const { data } = (await world.root.api("GET", `/api/log/?p=0&${filter}`)).body as { data: ShownLog[] };
    const found = await lines(`/api/log/export?format=jsonl&offset_minutes=330&language=en&${filter}`);
    expect(
      found.map((line) => [line.id, line.username, line.quota, line.channel, line.model_name, line.type]),
    ).toEqual(data.map((line) => [line.id, line.username, line.quota, line.channel, "gpt-4", "consume"]));
    expect(found[0]?.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+05:30$/);
    expect(Date.parse(String(found[0]?.created_at)) / 1000).toBe(data[0]?.created_at);
    const own = await lines("/api/log/self/export?format=jsonl&type=2&username=user", spender.cookie);
    expect(own.map((line) => line.token_name)).toEqual(["server", "laptop"]);
    expect(Object.keys(own[0] ?? {})).not.toContain("channel");
  });

  it("are CSV that spreadsheets read, whose texts are no formulas, and are named", async () => {
    await succeed(world.root.api("POST", "/api/redemption/", { name: "=1+1,cmd", quota: 5, count: 1 }));
    const { response, bytes } = await save("/api/redemption/export?keyword=%3D1%2B1%2Ccmd");
    expect(response.headers.get("content-type")).toContain("text/csv");
    expect(response.headers.get("content-disposition")).toMatch(
      /^attachment; filename="tollgate-codes-\d{4}-\d\d-\d\d\.csv"$/,
    );
    expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    const [head, line, end] = bytes.subarray(3).toString("utf8").split("\r\n");
    expect(head).toBe(
      "id,name,key,status,quota,user_id,created_time,redeemed_time,expired_time,max_uses,used_count,used_user_id",
    );
    expect(line).toMatch(/^\d+,"'=1\+1,cmd",[0-9a-f]{32},unused,5,1,20\d\d-[^,]+Z,,,1,0,0$/);
    expect(end).toBe("");
  });

  it("of sums, users, channels and codes tell no secret, and sums those of the picture", async () => {
    const { data } = (await world.root.api("GET", "/api/usage?by=model&step=hour")).body as {
      data: { key: string; quota: number }[];
    };
    const sums = await lines("/api/usage/export?format=jsonl&by=model&step=hour");
    expect(sums.map(({ key, quota }) => [key, quota])).toEqual(data.map(({ key, quota }) => [key, quota]));
    expect(await lines("/api/usage/self/export?format=jsonl&by=token", spender.cookie)).not.toEqual([]);
    await succeed(world.root.api("POST", "/api/redemption/", { name: "gift", quota: 5, count: 2 }));
    expect(await lines("/api/redemption/export?format=jsonl&keyword=gift")).toMatchObject([
      { name: "gift", status: "unused", quota: 5 },
      { name: "gift", status: "unused", quota: 5 },
    ]);
    const users = await lines("/api/user/export?format=jsonl");
    expect(users.map(({ username }) => username)).toContain(spender.username);
    expect(users.at(-1)).toMatchObject({ id: 1, username: "root", role: "root", status: "enabled" });
    const channels = await lines("/api/channel/export?format=jsonl");
    expect(channels).toHaveLength(2);
    expect(Object.keys({ ...users[0], ...channels[0] })).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/^(key|password|access_token)$/)]),
    );
  });

  it("are statements, too, whose sums are those of the log and the ledger to the unit", async () => {
    const month = new Date().toISOString().slice(0, 7);
    const self = await succeed<{ quota: number; used_quota: number }>(spender.api("GET", "/api/user/self"));
    const statement = await succeed<StatementWire>(
      spender.api("GET", `/api/statement/self?month=${month}&username=root`),
    );
    expect(statement).toMatchObject({
      user_id: spender.id,
      opening: 0,
      movements: [{ cause: "quota-changed", entries: 1, quota: 10_000_000 }],
      charged: self.used_quota,
      closing: self.quota,
      models: [
        { key: "gpt-4", requests: 1, quota: GPT4 },
        { key: "gpt-3.5-turbo", requests: 1, quota: GPT35 },
      ],
      tokens: [
        { name: "server", quota: GPT4 },
        { name: "laptop", quota: GPT35 },
      ],
    });
    const of = `month=${month}&username=${spender.username}`;
    expect(await succeed(world.admin.api("GET", `/api/statement?${of}`))).toEqual(statement);
    const file = await lines(`/api/statement/export?format=jsonl&${of}`);
    const sum = (sections: readonly string[]) =>
      file.reduce(
        (all, { section, quota }) => all + (sections.includes(String(section)) ? Number(quota) : 0),
        0,
      );
    expect(sum(["opening", "movement", "charge"])).toBe(self.quota);
    expect(sum(["closing"])).toBe(self.quota);
    expect(sum(["charge by model"])).toBe(sum(["charge by token"]));
    const { data } = (await spender.api("GET", "/api/log/self?type=2")).body as { data: ShownLog[] };
    expect(0 - sum(["charge by model"])).toBe(data.reduce((all, { quota }) => all + quota, 0));
    for (const refused of ["month=2026-13", "", `month=${month}&username=nobody-at-all`])
      expect((await world.admin.api("GET", `/api/statement?${refused}`)).body.success).toBe(false);
  });

  it("are one at a time for a caller, and the place of one that left is free", async () => {
    const leaving = new AbortController();
    const options = { headers: { cookie: world.root.cookie }, signal: leaving.signal };
    const first = await fetch(`${world.url}/api/log/export`, options);
    await first.body?.cancel();
    leaving.abort();
    const again = await save("/api/log/export");
    expect(again.response.headers.get("content-type")).toContain("text/csv");
  });

  it("are not begun, nor take a place, where a page asks only whether they would be", async () => {
    for (let times = 0; times < 2; times += 1) {
      const { response, bytes } = await save("/api/log/export?check=true");
      expect(response.headers.get("content-disposition")).toBeNull();
      expect(JSON.parse(bytes.toString("utf8"))).toEqual({ success: true, message: "" });
    }
    const { bytes } = await save("/api/log/export?check=true&format=xls");
    expect(JSON.parse(bytes.toString("utf8"))).toMatchObject({ success: false });
  });
});

const now = (): number => Math.floor(Date.now() / 1000);
const soon = now() + 3600;

describeRows("the log", () => world, [
  {
    title: "of an administrator has everybody's lines, the newest first",
    who: "admin",
    method: "GET",
    path: "/api/log/?p=0&type=2",
    success: true,
    data: [
      { username: "user", token_name: "laptop", model_name: "gpt-4", quota: GPT4, channel: "{second}" },
      { username: "{spender}", token_name: "server", model_name: "gpt-4", quota: GPT4, channel: "{second}" },
      {
        username: "{spender}",
        user_id: "{spenderId}",
        token_name: "laptop",
        model_name: "gpt-3.5-turbo",
        quota: GPT35,
        prompt_tokens: 13,
        completion_tokens: 5,
        channel: "{first}",
        type: 2,
        is_stream: false,
      },
    ],
  },
  {
    title: "of a user has only the user's own, with and without a slash",
    who: "spender",
    method: "GET",
    path: `/api/log/self/?p=0&type=2&token_name=&model_name=&start_timestamp=0&end_timestamp=${soon}`,
    success: true,
    data: [{ token_name: "server" }, { token_name: "laptop" }],
  },
  {
    title: "of a user cannot be widened by filters that are for administrators",
    who: "spender",
    method: "GET",
    path: "/api/log/self?type=2&username=user&channel={second}&user_id={userId}&userId={userId}",
    success: true,
    data: [{ username: "{spender}" }, { username: "{spender}" }],
    hides: ['"username":"user"'],
  },
  {
    who: "admin",
    method: "GET",
    path: "/api/log/?username={spender}&type=2",
    success: true,
    data: [{ username: "{spender}" }, { username: "{spender}" }],
  },
  {
    who: "admin",
    method: "GET",
    path: "/api/log/?channel={first}",
    success: true,
    data: [{ channel: "{first}" }],
  },
  {
    who: "admin",
    method: "GET",
    path: "/api/log/?token_name=laptop&model_name=gpt-4",
    success: true,
    data: [{ username: "user" }],
  },
  {
    title: "filters are exact",
    who: "admin",
    method: "GET",
    path: "/api/log/?model_name=gpt-",
    success: true,
    data: [],
  },
  { who: "admin", method: "GET", path: "/api/log/?username=%25", success: true, data: [] },
  { who: "admin", method: "GET", path: `/api/log/?start_timestamp=${soon}`, success: true, data: [] },
  { who: "admin", method: "GET", path: "/api/log/?end_timestamp=1000", success: true, data: [] },
  { who: "admin", method: "GET", path: "/api/log/?type=99", success: true, data: [] },
  { who: "admin", method: "GET", path: "/api/log/?type=-1", success: true, data: [] },
  {
    title: "is filtered by outcome",
    who: "spender",
    method: "GET",
    path: "/api/log/self/?outcome=succeeded",
    success: true,
    data: [{ type: 2 }, { type: 2 }],
  },
  { who: "admin", method: "GET", path: "/api/log/?outcome=interrupted", success: true, data: [] },
  { who: "admin", method: "GET", path: "/api/log/?outcome=cut", success: false, says: "无效的参数" },
  { who: "admin", method: "GET", path: "/api/log/?p=999999", success: true, data: [] },
  { who: "admin", method: "GET", path: "/api/log/?p=9007199254740991", success: true, data: [] },
  {
    title: "numbers that are none filter nothing",
    who: "admin",
    method: "GET",
    path: "/api/log/?p=abc&type=2.5&start_timestamp=NaN&end_timestamp=1.5&channel=&token_name=server",
    success: true,
    data: [{ token_name: "server" }],
  },
  {
    who: "admin",
    method: "GET",
    path: `/api/log/?username=${encodeURIComponent("' OR 1=1 --")}`,
    success: true,
    data: [],
  },
  {
    title: "is searched by type",
    who: "admin",
    method: "GET",
    path: "/api/log/search?keyword=2",
    success: true,
    data: [{ type: 2 }, { type: 2 }, { type: 2 }],
  },
  {
    title: "is searched by the beginning of its text, taken literally",
    who: "admin",
    method: "GET",
    path: `/api/log/search?keyword=${encodeURIComponent("模型倍率 0.75")}`,
    success: true,
    data: [{ model_name: "gpt-3.5-turbo" }],
  },
  { who: "admin", method: "GET", path: "/api/log/search?keyword=%25", success: true, data: [] },
  {
    title: "of a user is searched by type only",
    who: "spender",
    method: "GET",
    path: "/api/log/self/search?keyword=2",
    success: true,
    data: [{ username: "{spender}" }, { username: "{spender}" }],
  },
  {
    who: "spender",
    method: "GET",
    path: `/api/log/self/search?keyword=${encodeURIComponent("模型")}`,
    success: true,
    data: [],
  },
  { who: "admin", method: "GET", path: "/api/log/stat", success: true, data: { quota: GPT35 + 2 * GPT4 } },
  { who: "admin", method: "GET", path: "/api/log/stat?type=1", success: true, data: { quota: 0 } },
  {
    who: "admin",
    method: "GET",
    path: "/api/log/stat?outcome=succeeded",
    success: true,
    data: { quota: GPT35 + 2 * GPT4 },
  },
  { who: "admin", method: "GET", path: "/api/log/stat?outcome=failed", success: true, data: { quota: 0 } },
  {
    who: "admin",
    method: "GET",
    path: "/api/log/stat?username={spender}",
    success: true,
    data: { quota: GPT35 + GPT4 },
  },
  {
    who: "admin",
    method: "GET",
    path: "/api/log/stat?channel={first}",
    success: true,
    data: { quota: GPT35 },
  },
  {
    who: "admin",
    method: "GET",
    path: `/api/log/stat?start_timestamp=${soon}`,
    success: true,
    data: { quota: 0 },
  },
  {
    who: "spender",
    method: "GET",
    path: "/api/log/self/stat/?model_name=gpt-4&username=user",
    success: true,
    data: { quota: GPT4 },
  },
  { who: "other", method: "GET", path: "/api/log/self/stat", success: true, data: { quota: 0 } },
  ...[
    "",
    "?target_timestamp=0",
    "?target_timestamp=abc",
    "?target_timestamp=-5",
    "?target_timestamp=1.5",
  ].map((query) => ({
    who: "admin",
    method: "DELETE",
    path: `/api/log/${query}`,
    success: false,
    says: "target timestamp is required",
  })),
  {
    title: "is cleared before a moment: nothing is older",
    who: "admin",
    method: "DELETE",
    path: "/api/log/?target_timestamp=1000",
    success: true,
    data: 0,
    changes: ["audit"],
  },
]);

describe("the log", () => {
  it("stays a user's own after the name was changed, and does not go to the name's next owner", async () => {
    await succeed(spender.api("PUT", "/api/user/self", { username: "renamed" }));
    const heir = await world.newUser();
    await succeed(heir.api("PUT", "/api/user/self", { username: spender.username }));
    expect(await succeed(spender.api("GET", "/api/log/self/stat"))).toEqual({ quota: GPT35 + GPT4 });
    expect(await succeed(heir.api("GET", "/api/log/self/stat"))).toEqual({ quota: 0 });
    expect(await succeed(heir.api("GET", "/api/log/self?type=2"))).toEqual([]);
  });

  it("is paged by ten with ids that fall", async () => {
    const person = await world.newUser();
    for (let i = 1; i <= 12; i += 1) {
      await succeed(world.root.api("PUT", "/api/user/", { id: person.id, quota: i * 1000 }));
    }
    const first = await succeed<ShownLog[]>(person.api("GET", "/api/log/self?p=0"));
    const second = await succeed<ShownLog[]>(person.api("GET", "/api/log/self?p=1"));
    expect([first.length, second.length]).toEqual([10, 2]);
    const ids = [...first, ...second].map(({ id }) => id);
    expect(ids).toEqual([...ids].sort((a, b) => b - a));
    expect(new Set(ids).size).toBe(12);
  });

  it("is cleared for all users, and the answer contains the number of lines", async () => {
    const count = world.stored.all<{ n: number }>("SELECT count(*) AS n FROM logs")[0]?.n;
    const answer = await world.admin.api("DELETE", `/api/log/?target_timestamp=${now() + 10}`);
    expect(answer.body).toEqual({ success: true, message: "", data: count });
    expect(await succeed(world.admin.api("GET", "/api/log/?p=0"))).toEqual([]);
    expect(await succeed(world.admin.api("GET", "/api/log/stat"))).toEqual({ quota: 0 });
  });
});
