import { setTimeout as wait } from "node:timers/promises";
import { addApiKey, addChannel } from "@tollgate/demo/build-world";
import { type FakeUpstream, startFakeUpstream } from "@tollgate/testkit/fake-upstream/fake-upstream";
import { serviceAccountFile } from "@tollgate/testkit/fake-upstream/service-account";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callApi, saveOptions, succeed } from "./client";
import { describeRows } from "./describe-rows";
import { type ManagementWorld, startManagementWorld } from "./management-world";
import type { Row } from "./row-runner";
import { type StandIn, type StandInAnswer, startStandIn } from "./stand-in";

interface ShownChannel {
  id: number;
  name: string;
  key: string;
  status: number;
  type: number;
  balance: number;
  balance_updated_time: number;
  response_time: number;
  test_time: number;
}

let world: ManagementWorld;
let upstream: FakeUpstream;
let grants: StandIn;

/** A service account's, on several lines. */
const KEY_FILE = serviceAccountFile();
const PRIVATE_KEY = (JSON.parse(KEY_FILE) as { private_key: string }).private_key.slice(100, 150);

const SECRET_KEYS = ["sk-first-secret", "sk-second-secret", "sk-third-secret", PRIVATE_KEY];

beforeAll(async () => {
  [world, upstream, grants] = await Promise.all([
    startManagementWorld(),
    startFakeUpstream(),
    startStandIn(({ path, headers }) =>
      path === "/dashboard/billing/credit_grants" && headers.authorization === "Bearer sk-first-secret"
        ? { body: { total_available: "12.5", total_remaining: 7 } }
        : { status: 403, body: { error: "who are you" } },
    ),
  ]);
  world.secrets.push(...SECRET_KEYS);
  const id = await addChannel(world.root, {
    name: "first",
    key: "sk-first-secret",
    base_url: upstream.url,
    models: "gpt-3.5-turbo,m-1",
    other: "keep",
    model_mapping: '{"m-1":"m-2"}',
    priority: 3,
    weight: 2,
  });
  Object.assign(world.names, { first: id, upstream: upstream.url, grants: grants.url });
});

afterAll(async () => {
  await world?.stop();
  await upstream?.close();
  await grants?.close();
});

const good = { type: 8, name: "n", key: "k", base_url: "https://example.com", models: "m" };

const refusedNew = (change: Record<string, unknown>, says: string): Row => ({
  who: "admin",
  method: "POST",
  path: "/api/channel/",
  body: { ...good, ...change },
  success: false,
  says,
});

describeRows("adding a channel is refused", () => world, [
  ...[0, 99, 9999, -1].map((type) => refusedNew({ type }, "未知的渠道类型")),
  ...["8", 8.5, null, [], 1e300].map((type) => refusedNew({ type }, "无效的参数")),
  // A key that cannot be one of its vendor's is not stored to fail later.
  ...["a|b|c", "a|", "|b", "a||b"].map((key) => refusedNew({ type: 15, key }, "应为：APIKey|SecretKey / ")),
  ...["a.", ".b"].map((key) => refusedNew({ type: 16, key }, "应为：id.secret / ")),
  ...["a|b", "a|b|", "a|b|c|d"].map((key) =>
    refusedNew({ type: 18, key }, "密钥格式不正确，应为：APPID|APISecret|APIKey / "),
  ),
  ...["a|b|c|d", "|b|c"].map((key) => refusedNew({ type: 23, key }, "应为：AppId|SecretId|SecretKey / ")),
  refusedNew({ type: 18, key: "a|b|c\n\nsk-third-secret|b\nd|e|f" }, "第 3 行的密钥格式不正确，应为：APPID"),
  // A key file of Google's: on several lines, cut off, of another kind, and without its key.
  ...[
    "{\n",
    KEY_FILE.slice(0, -20),
    KEY_FILE.replace("service_account", "user"),
    '{"type":"service_account"}',
  ].map((key) => refusedNew({ type: 42, key }, "密钥格式不正确，应为：{")),
  refusedNew({ type: 42, key: `${KEY_FILE}\n{}` }, "第 11 行的密钥格式不正确"),
  // Where no key is a document, it is refused like anything with blanks.
  refusedNew({ type: 8, key: KEY_FILE }, "渠道密钥含有无法发送的字符"),
  refusedNew({ type: 42, key: KEY_FILE, other: "us central" }, "区域不合法"),
  refusedNew({ type: 3, base_url: "" }, "该渠道类型必须填写 Base URL"),
  refusedNew({ type: 22, other: "example.com" }, "私有部署地址不合法"),
  ...["", "   ", "\n \n"].map((name) => refusedNew({ name }, "渠道名称")),
  refusedNew({ name: "x".repeat(101) }, "渠道名称过长"),
  refusedNew({ name: 7 }, "无效的参数"),
  refusedNew({ name: "a\u0000b" }, "无效的参数"),
  ...["", " ", "\n\n", "\r\n"].map((key) => refusedNew({ key }, "请填写渠道密钥")),
  ...["a b", "密钥", "a\u0007b", "good\nb ad"].map((key) =>
    refusedNew({ key }, "渠道密钥含有无法发送的字符"),
  ),
  refusedNew({ key: null }, "无效的参数"),
  refusedNew({ key: 7 }, "无效的参数"),
  refusedNew({ base_url: "" }, "该渠道类型必须填写 Base URL"),
  ...["example.com", "ftp://example.com", "javascript:alert(1)", "http://", "file:///etc/passwd", "//x"].map(
    (base_url) => refusedNew({ base_url }, "Base URL 不合法"),
  ),
  // Lists and the log of changes show it.
  ...["https://me:secret@example.com", "https://token@example.com"].map((base_url) =>
    refusedNew({ base_url }, "Base URL 不合法"),
  ),
  ...["", ",", " , \n"].map((models) => refusedNew({ models }, "请至少选择一个模型")),
  refusedNew({ models: ["m"] }, "无效的参数"),
  ...["{", "[]", '{"a":1}', '"a"', "null", '{"a":null}', "7"].map((model_mapping) =>
    refusedNew({ model_mapping }, "模型映射必须是合法的 JSON 格式"),
  ),
  refusedNew({ model_mapping: {} }, "无效的参数"),
  ...[-1, 1.5, "1", 1e9].map((weight) => refusedNew({ weight }, "无效的参数")),
  ...[1.5, "1", 1e9, -1e9].map((priority) => refusedNew({ priority }, "无效的参数")),
  ...[3, 4, -1, 99].map((status) => refusedNew({ status }, "无效的状态")),
]);

const refusedChange = (change: Record<string, unknown>, says: string): Row => ({
  who: "admin",
  method: "PUT",
  path: "/api/channel/",
  body: { id: "{first}", ...change },
  success: false,
  says,
});

describeRows("changing a channel is refused", () => world, [
  ...['"1"', "0", "-1", "1.5", "null", "1e20"].map(
    (id): Row => ({
      who: "admin",
      method: "PUT",
      path: "/api/channel/",
      body: `{"id":${id},"name":"n"}`,
      success: false,
      says: "无效的参数",
    }),
  ),
  refusedChange({ type: 9999 }, "未知的渠道类型"),
  refusedChange({ type: 15, key: "sk-third-secret|b|c" }, "密钥格式不正确"),
  refusedChange({ name: "x".repeat(101) }, "渠道名称过长"),
  refusedChange({ name: "  " }, "请填写渠道名称"),
  refusedChange({ key: "a b" }, "渠道密钥含有无法发送的字符"),
  refusedChange({ base_url: "" }, "该渠道类型必须填写 Base URL"),
  refusedChange({ base_url: "nonsense" }, "Base URL 不合法"),
  refusedChange({ models: "," }, "请至少选择一个模型"),
  refusedChange({ model_mapping: "{" }, "模型映射必须是合法的 JSON 格式"),
  refusedChange({ weight: -1 }, "无效的参数"),
  refusedChange({ priority: 0.5 }, "无效的参数"),
  refusedChange({ status: 3 }, "无效的状态"),
  refusedChange({ status: "1" }, "无效的参数"),
  refusedChange({ name: "half", weight: -1 }, "无效的参数"),
  ...[
    { base_url: "http://thief.example.com" },
    { base_url: "{upstream}/other" },
    { base_url: "{upstream}", proxy: "http://thief.example.com:8080" },
    { type: 1 },
    { type: 22, other: "http://thief.example.com" },
  ].map((change) => refusedChange(change, "必须重新填写密钥")),
]);

describeRows("a channel is changed", () => world, [
  {
    title: "empty and null fields stay",
    who: "admin",
    method: "PUT",
    path: "/api/channel/",
    body: {
      id: "{first}",
      name: "",
      key: "",
      other: "",
      models: "",
      group: "",
      base_url: null,
      model_mapping: null,
      priority: null,
      weight: null,
      status: null,
      type: null,
    },
    success: true,
    data: {
      name: "first",
      key: "",
      other: "keep",
      models: "gpt-3.5-turbo,m-1",
      priority: 3,
      weight: 2,
      type: 8,
    },
    changes: ["audit"],
  },
  {
    title: "the whole object as the console sends it: counters, balance and times are ignored",
    who: "admin",
    method: "PUT",
    path: "/api/channel/",
    body: {
      id: "{first}",
      type: 8,
      key: "",
      status: 1,
      name: "first",
      weight: 2,
      created_time: 1,
      test_time: 1,
      response_time: 77,
      base_url: "{upstream}/",
      other: "keep",
      balance: 1e9,
      balance_updated_time: 1,
      models: "gpt-3.5-turbo,m-1",
      group: "default",
      groups: ["default"],
      used_quota: 123,
      model_mapping: '{"m-1":"m-2"}',
      priority: 3,
    },
    success: true,
    data: { used_quota: 0, balance: 0, response_time: 0, test_time: 0, key: "", base_url: "{upstream}" },
    changes: ["audit"],
  },
  {
    title: "a new key is never told",
    who: "admin",
    method: "PUT",
    path: "/api/channel/",
    body: { id: "{first}", key: "sk-third-secret" },
    success: true,
    data: { key: "" },
    changes: ["channels", "audit"],
  },
  {
    who: "admin",
    method: "PUT",
    path: "/api/channel/",
    body: { id: "{first}", key: "sk-first-secret", priority: 0, weight: 0, model_mapping: "" },
    success: true,
    data: { priority: 0, weight: 0, model_mapping: "" },
    changes: ["channels", "audit"],
  },
  {
    title: "repeated models and groups count once",
    who: "admin",
    method: "PUT",
    path: "/api/channel/",
    body: { id: "{first}", models: " gpt-3.5-turbo, m-1,,m-1\nm-3 ", group: "default,vip,vip" },
    success: true,
    data: { models: "gpt-3.5-turbo,m-1,m-3", group: "default,vip" },
    changes: ["channels", "audit"],
  },
  {
    title: "a name may look like markup",
    who: "admin",
    method: "PUT",
    path: "/api/channel/",
    body: { id: "{first}", name: '<img src=x onerror="alert(1)">' },
    success: true,
    data: { name: '<img src=x onerror="alert(1)">' },
    changes: ["channels", "audit"],
  },
  {
    who: "admin",
    method: "PUT",
    path: "/api/channel/",
    body: { id: "{first}", name: "first" },
    success: true,
    changes: ["channels", "audit"],
  },
]);

describeRows("finding channels never tells or searches a key", () => world, [
  {
    who: "admin",
    method: "GET",
    path: "/api/channel/?p=0",
    success: true,
    data: [{ id: "{first}", key: "" }],
  },
  {
    who: "admin",
    method: "GET",
    path: "/api/channel/{first}",
    success: true,
    data: { id: "{first}", key: "" },
  },
  {
    who: "admin",
    method: "GET",
    path: "/api/channel/search?keyword=sk-first-secret",
    success: true,
    data: [{ name: "first" }],
  },
  {
    who: "admin",
    method: "GET",
    path: "/api/channel/search?keyword={first}",
    success: true,
    data: [{ name: "first" }],
  },
  {
    who: "admin",
    method: "GET",
    path: "/api/channel/search?keyword=fir",
    success: true,
    data: [{ name: "first" }],
  },
  { who: "admin", method: "GET", path: "/api/channel/search?keyword=%25", success: true, data: [] },
  { who: "admin", method: "GET", path: "/api/channel/search", success: true, data: [{ name: "first" }] },
  { who: "admin", method: "GET", path: "/api/channel/?p=9007199254740991", success: true, data: [] },
  ...["abc", "0", "-1", "1.5", "99999999999999999999"].flatMap((id): Row[] =>
    [
      { who: "admin", method: "GET", path: `/api/channel/${id}`, success: false, says: "记录不存在" },
      { who: "admin", method: "GET", path: `/api/channel/test/${id}`, success: false, says: "记录不存在" },
      {
        who: "admin",
        method: "GET",
        path: `/api/channel/update_balance/${id}`,
        success: false,
        says: "记录不存在",
      },
      { who: "admin", method: "DELETE", path: `/api/channel/${id}`, success: false, says: "无效的参数" },
    ].slice(0, id === "99999999999999999999" ? 3 : 4),
  ),
]);

describe("channels", () => {
  const list = () => succeed<ShownChannel[]>(world.root.api("GET", "/api/channel/?p=0"));
  const show = (id: number) => succeed<ShownChannel>(world.root.api("GET", `/api/channel/${id}`));
  const remove = (...ids: number[]) =>
    Promise.all(ids.map((id) => succeed(world.root.api("DELETE", `/api/channel/${id}/`))));

  it("of a batch: one of every line of the key, all or none", async () => {
    const before = (await list()).length;
    await succeed(
      world.admin.api("POST", "/api/channel/", { ...good, name: "batch", key: "k-1\r\n\n k-2 \nk-3\n" }),
    );
    const made = (await list()).filter(({ name }) => name === "batch");
    expect(made).toHaveLength(3);
    expect((await list()).length).toBe(before + 3);
    const refused = await world.admin.api("POST", "/api/channel/", { ...good, name: "bad", key: "k-1\nk 2" });
    expect(refused.body.success).toBe(false);
    expect((await list()).filter(({ name }) => name === "bad")).toEqual([]);
    await remove(...made.map(({ id }) => id));
  });

  it("of a key file: one of each file, however many lines it has", async () => {
    const vertex = { ...good, type: 42, base_url: "", name: "vertex", models: "gemini-2.5-pro" };
    const other = KEY_FILE.replace("fake-key-id", "other-key-id");
    await succeed(world.admin.api("POST", "/api/channel/", { ...vertex, key: KEY_FILE }));
    await succeed(world.admin.api("POST", "/api/channel/", { ...vertex, key: `${KEY_FILE}\r\n${other}\n` }));
    const both = { ...vertex, name: "both", key: `${KEY_FILE}\n${other}`, multi_key: true };
    await succeed(world.admin.api("POST", "/api/channel/", both));
    const made = await list();
    expect(made.filter(({ name }) => name === "vertex")).toHaveLength(3);
    expect(made.filter(({ name }) => name === "both")).toMatchObject([{ key_count: 2, other: "" }]);
    await remove(...made.filter(({ type }) => type === 42).map(({ id }) => id));
  });

  it("are listed in pages of ten, the newest first", async () => {
    const keys = Array.from({ length: 12 }, (_, i) => `k-${i}`).join("\n");
    await succeed(world.admin.api("POST", "/api/channel/", { ...good, name: "many", key: keys }));
    const first = await list();
    const second = await succeed<ShownChannel[]>(world.root.api("GET", "/api/channel/?p=1"));
    const ids = [...first, ...second].map(({ id }) => id);
    expect(first).toHaveLength(10);
    expect(ids).toEqual([...ids].sort((a, b) => b - a));
    const made = await succeed<ShownChannel[]>(world.root.api("GET", "/api/channel/search?keyword=many"));
    await remove(...made.map(({ id }) => id));
  });

  it("serve at once, and stop at once when switched off or deleted", async () => {
    const person = await world.newUser({ quota: 1_000_000 });
    const { key } = await addApiKey(person);
    const models = async (): Promise<string[]> => {
      const answer = await fetch(`${world.url}/v1/models`, { headers: { authorization: `Bearer ${key}` } });
      return ((await answer.json()) as { data: { id: string }[] }).data.map((model) => model.id);
    };
    const id = await addChannel(world.root, { base_url: upstream.url, models: "only-here" });
    expect(await models()).toContain("only-here");
    await succeed(world.root.api("PUT", "/api/channel/", { id, status: 2 }));
    expect(await models()).not.toContain("only-here");
    await succeed(world.root.api("PUT", "/api/channel/", { id, status: 1, group: "vip" }));
    expect(await models()).not.toContain("only-here");
    await succeed(world.root.api("PUT", "/api/channel/", { id, group: "default" }));
    expect(await models()).toContain("only-here");
    await remove(id);
    expect(await models()).not.toContain("only-here");
  });

  it("answer a test with its time, and keep it", async () => {
    const answer = await world.admin.api("GET", `/api/channel/test/${world.names.first}/`);
    expect(answer.body).toMatchObject({ success: true, message: "" });
    expect(typeof answer.body.time).toBe("number");
    const shown = await show(Number(world.names.first));
    expect(shown.response_time).toBeGreaterThan(0);
    expect(Math.abs(shown.test_time - Date.now() / 1000)).toBeLessThan(60);
  });

  it("answer a failed test with its time and the reason, without address or key", async () => {
    const id = await addChannel(world.root, {
      key: "sk-second-secret",
      base_url: upstream.url,
      models: "m--401",
    });
    const answer = await world.admin.api("GET", `/api/channel/test/${id}`);
    expect(answer.body.success).toBe(false);
    expect(answer.body.message).toMatch(/^测试失败：.+/);
    expect(typeof answer.body.time).toBe("number");
    expect(answer.text).not.toContain("sk-second-secret");
    expect(answer.text).not.toContain("127.0.0.1");
    const away = await addChannel(world.root, { base_url: "http://127.0.0.1:9", models: "m" });
    const refused = await world.admin.api("GET", `/api/channel/test/${away}`);
    expect(refused.body.success).toBe(false);
    expect(refused.text).not.toContain("127.0.0.1");
    const metadata = await addChannel(world.root, { base_url: "http://169.254.169.254", models: "m" });
    const blocked = await world.admin.api("GET", `/api/channel/test/${metadata}`);
    expect(blocked.body.message).toContain("不允许连接该地址");
    // A test alone switches nothing off.
    expect((await show(id)).status).toBe(1);
    await remove(id, away, metadata);
  });

  it("answer a test in detail, which customers' sums do not see", async () => {
    const path = `/api/channel/test/${world.names.first}`;
    const { data } = (await world.admin.api("POST", path, { stream: true, prompt: "What?" })).body;
    expect(data).toMatchObject({
      ok: true,
      duration_ms: expect.any(Number),
      first_byte_ms: expect.any(Number),
    });
    expect((data as { text: string }).text).not.toBe("");
    const endpoints = await world.admin.api("GET", `/api/channel/endpoints/${world.names.first}`);
    expect(endpoints.body.data).toContain("embeddings");
    const away = await addChannel(world.root, { base_url: "http://127.0.0.1:9", models: "m" });
    const failed = await world.admin.api("POST", `/api/channel/test/${away}`, { endpoint: "responses" });
    expect(failed.body).toMatchObject({ success: true, data: { ok: false, text: "" } });
    expect(failed.text).not.toContain("127.0.0.1");
    const long = await world.admin.api("POST", path, { prompt: "x".repeat(2001) });
    expect(long.body).toMatchObject({ success: false, field: "prompt" });
    await remove(away);
  });

  it("tested all at once are switched off only when the option says so", async () => {
    const dead = await addChannel(world.root, { base_url: upstream.url, models: "m--401" });
    const slow = await addChannel(world.root, { base_url: upstream.url, models: "m--slow-first-byte" });
    await saveOptions(world.root, { ChannelDisableThreshold: "0.2" });
    const testAll = async () => {
      upstream.reset();
      upstream.script({ delayMs: 300 });
      expect((await world.admin.api("GET", "/api/channel/test")).body).toEqual({
        success: true,
        message: "",
      });
      expect((await world.admin.api("GET", "/api/channel/test/")).body.message).toBe("测试已在运行中");
      // The slow one is the last to be tested.
      await expect.poll(() => upstream.requests.length).toBe(3);
      await wait(600);
    };
    await testAll();
    expect([(await show(dead)).status, (await show(slow)).status]).toEqual([1, 1]);
    await saveOptions(world.root, { AutomaticDisableChannelEnabled: "true" });
    await testAll();
    await expect.poll(async () => [(await show(dead)).status, (await show(slow)).status]).toEqual([3, 3]);
    await saveOptions(world.root, { AutomaticDisableChannelEnabled: "false", ChannelDisableThreshold: "5" });
    upstream.reset();
    expect((await show(Number(world.names.first))).status).toBe(1);
    const answer = await world.admin.api("DELETE", "/api/channel/disabled");
    expect(answer.body).toEqual({ success: true, message: "", data: 2 });
    expect((await list()).map(({ id }) => id)).toEqual([world.names.first]);
  });

  it("answer their balance beside the data", async () => {
    const answer = await world.admin.api("GET", `/api/channel/update_balance/${world.names.first}/`);
    expect(answer.body).toMatchObject({ success: true, message: "" });
    expect(answer.body.balance).toBeCloseTo(87.66, 6);
    const shown = await show(Number(world.names.first));
    expect(shown.balance).toBeCloseTo(87.66, 6);
    expect(shown.balance_updated_time).toBeGreaterThan(0);
  });

  it("answer their balance also when the address names the API's version", async () => {
    const id = await addChannel(world.root, { base_url: `${upstream.url}/v1` });
    const answer = await world.admin.api("GET", `/api/channel/update_balance/${id}`);
    await remove(id);
    expect(answer.body.balance).toBeCloseTo(87.66, 6);
  });

  it("S13: never tell their key, in whatever form and place an upstream repeats it", async () => {
    const key = "a1.Q/secret+value==of-this&channel%41";
    const base64 = Buffer.from(`user:${key}`).toString("base64");
    const hex = Buffer.from(key).toString("hex");
    const forms = [key, key.toUpperCase(), encodeURIComponent(key), base64, hex, JSON.stringify(`"${key}"`)];
    let answer: StandInAnswer = { body: {} };
    const echo = await startStandIn(() => answer);
    const model = "echoed";
    const id = await addChannel(world.root, { base_url: echo.url, key, models: model });
    const person = await world.newUser({ quota: 1_000_000 });
    const { key: accessKey } = await addApiKey(person, { unlimited_quota: true });
    const said: string[] = [];
    for (const form of forms) {
      const words = `no: Bearer ${form}, sorry`;
      const error = { message: words, type: form, code: form };
      for (answer of [
        { status: 400, body: { error } },
        { status: 400, body: `bad ${words}` },
        { status: 401, body: { detail: [{ msg: words }] } },
        { status: 200, body: { error } },
        { status: 200, body: `data: ${JSON.stringify({ error })}\n\n` },
      ]) {
        for (const stream of [true, false]) {
          const body = { model, stream, messages: [{ role: "user", content: "hi" }] };
          const token = `Bearer sk-${accessKey}`;
          said.push((await callApi(world.url, "POST", "/v1/chat/completions", body, { token })).text);
        }
        said.push((await world.admin.api("GET", `/api/channel/test/${id}`)).text);
      }
    }
    expect(said.filter((text) => text.includes("[key]")).length).toBeGreaterThan(20);
    said.push(world.server.stderr);
    const pieces = forms.map((form) => form.slice(4, 20));
    expect(said.filter((text) => pieces.some((piece) => text.includes(piece)))).toEqual([]);
    await remove(id);
    await echo.close();
  });

  it("S12: send no stored key anywhere that their administrators choose, whatever asks them", async () => {
    const seen: string[] = [];
    const thief = await startStandIn(({ path, headers }) => {
      seen.push(`${path} ${JSON.stringify(headers)}`);
      return { body: {} };
    });
    const stored = [
      { type: 1, base_url: grants.url },
      { type: 22, base_url: "", other: `${grants.url}/private` },
      { type: 8, base_url: grants.url, proxy: "http://user:pass@127.0.0.1:9" },
    ];
    for (const [index, fields] of stored.entries()) {
      const id = await addChannel(world.root, { ...fields, key: "sk-first-secret" });
      for (const person of [world.admin, world.root]) {
        const changes = [
          { base_url: thief.url },
          { proxy: thief.url },
          { type: 4, base_url: thief.url },
          ...(index === 1 ? [{ other: thief.url }] : []),
        ];
        for (const change of changes) {
          const answer = await person.api("PUT", "/api/channel/", { id, ...change });
          expect(answer.body.message).toContain("必须重新填写密钥");
        }
        await person.api("GET", `/api/channel/test/${id}`);
        await person.api("GET", `/api/channel/update_balance/${id}`);
      }
      // Typed again it goes where it is told to.
      await succeed(
        world.admin.api("PUT", "/api/channel/", { id, base_url: thief.url, key: "sk-second-secret" }),
      );
      await remove(id);
    }
    expect(seen.join("\n")).not.toContain("sk-first-secret");
    await thief.close();
  });

  it.each([
    [4, 12.5],
    [12, 7],
    [13, 12.5],
  ])("of type %i return their credit", async (type, balance) => {
    const id = await addChannel(world.root, { type, base_url: grants.url, key: "sk-first-secret" });
    const answer = await world.admin.api("GET", `/api/channel/update_balance/${id}`);
    expect(answer.body).toEqual({ success: true, message: "", balance });
    await succeed(world.root.api("PUT", "/api/channel/", { id, key: "sk-second-secret" }));
    const refused = await world.admin.api("GET", `/api/channel/update_balance/${id}`);
    expect(refused.body).toMatchObject({ success: false });
    expect(refused.text).not.toMatch(/127\.0\.0\.1|sk-second-secret/);
    await remove(id);
  });

  it("say why their balance cannot be read", async () => {
    const standIn = await startStandIn(({ path }) => {
      if (path.startsWith("/refused")) return { status: 401, body: { error: "no" } };
      if (path.startsWith("/missing")) return { status: 404, body: "<h1>none</h1>" };
      return path.startsWith("/page") ? { body: "<h1>hello</h1>" } : { body: { hard_limit_usd: "much" } };
    });
    const id = await addChannel(world.root, { base_url: standIn.url });
    const said = async (base_url: string): Promise<unknown> => {
      await succeed(world.root.api("PUT", "/api/channel/", { id, base_url, key: "sk-first-secret" }));
      return (await world.admin.api("GET", `/api/channel/update_balance/${id}`)).body.message;
    };
    expect(await said("http://127.0.0.1:9")).toContain("无法连接上游");
    expect(await said(`${standIn.url}/refused`)).toContain("拒绝了该渠道的密钥（HTTP 401）");
    expect(await said(`${standIn.url}/missing`)).toContain("上游返回 HTTP 404");
    expect(await said(`${standIn.url}/page`)).toContain("上游的回答中没有余额");
    expect(await said(`${standIn.url}/other`)).toContain("上游的回答中没有余额");
    await remove(id);
    await standIn.close();
  });

  it("tell the account behind their key, and its balance is stored", async () => {
    const gateway = await startStandIn(({ path }) =>
      path === "/v1/usage"
        ? {
            body: {
              ...{ object: "key_usage", status: "enabled", isValid: true, planName: "", unit: "USD" },
              ...{ remaining: 8.5, quota_per_unit: 500_000 },
              key: { name: "", group: "vip", unlimited: true, used: 0, used_quota: 0 },
              limits: [{ scope: "key", limit: "daily_quota", max: 1_000_000, used: 250_000 }],
            },
          }
        : { status: 404, body: {} },
    );
    const id = await addChannel(world.root, { type: 8, base_url: gateway.url });
    const { body } = await world.admin.api("GET", `/api/channel/account/${id}`);
    expect(body).toEqual({
      ...{ success: true, message: "" },
      data: {
        ...{ unit: "usd", balance: 8.5, group: "vip" },
        limits: [{ name: "daily_quota", scope: "key", max: 2, used: 0.5, is_money: true }],
      },
    });
    expect(await show(id)).toMatchObject({ balance: 8.5 });
    await remove(id);
    await gateway.close();
  });

  it("of a type that tells no balance say so", async () => {
    const id = await addChannel(world.root, { type: 14, base_url: upstream.url, models: "claude-2" });
    expect((await world.admin.api("GET", `/api/channel/update_balance/${id}`)).body).toEqual({
      success: false,
      message: "尚未实现",
    });
    await remove(id);
  });

  it("whose balance is used up are switched off only when the option says so", async () => {
    const empty = await startStandIn(({ path }) => ({
      body: path.includes("usage") ? { total_usage: 1000 } : { hard_limit_usd: 10, has_payment_method: true },
    }));
    const id = await addChannel(world.root, { base_url: empty.url });
    await succeed(world.root.api("GET", "/api/channel/update_balance"));
    expect(await show(id)).toMatchObject({ status: 1, balance: 0 });
    await saveOptions(world.root, { AutomaticDisableChannelEnabled: "true" });
    await succeed(world.root.api("GET", "/api/channel/update_balance/"));
    await expect.poll(async () => (await show(id)).status).toBe(3);
    expect((await show(Number(world.names.first))).status).toBe(1);
    await saveOptions(world.root, { AutomaticDisableChannelEnabled: "false" });
    await remove(id);
    await empty.close();
  });

  it("are copied with their keys, found by their tag, and changed together", async () => {
    const first = await addChannel(world.root, {
      name: "mother",
      base_url: upstream.url,
      models: "gpt-3.5-turbo,m-1",
      priority: 3,
    });
    const copy = (await succeed(world.admin.api("POST", `/api/channel/copy/${first}`, {}))) as ShownChannel;
    expect(copy).toMatchObject({ name: "mother 副本", status: 2, key: "", priority: 3, used_quota: 0 });
    await succeed(
      world.admin.api("POST", "/api/channel/batch", {
        ids: [copy.id],
        action: "edit",
        change: { tag: "pool", add_models: "m-9", skip_tests: true, test_model: "m-9", priority: 5 },
      }),
    );
    expect(await succeed(world.admin.api("GET", "/api/channel/tags"))).toEqual([
      { tag: "pool", count: 1, enabled: 0 },
    ]);
    const found = await succeed(world.admin.api("GET", "/api/channel/search?keyword=pool"));
    expect(found).toMatchObject([
      { id: copy.id, models: "gpt-3.5-turbo,m-1,m-9", priority: 5, skip_tests: true, test_model: "m-9" },
    ]);
    const enabled = { tag: "pool", action: "enable" };
    expect(await succeed(world.admin.api("POST", "/api/channel/batch", enabled))).toEqual({
      done: 1,
      failed: [],
    });
    await succeed(world.admin.api("GET", `/api/channel/test/${copy.id}`));
    expect(upstream.requests.at(-1)?.body).toMatchObject({ model: "m-9" });
    await succeed(world.admin.api("GET", `/api/channel/test/${copy.id}?model=gpt-3.5-turbo`));
    expect(upstream.requests.at(-1)?.body).toMatchObject({ model: "gpt-3.5-turbo" });
    await succeed(world.admin.api("POST", "/api/channel/batch", { tag: "pool", action: "delete" }));
    expect((await world.admin.api("GET", `/api/channel/${copy.id}`)).body).toMatchObject({ success: false });
    await remove(first);
  });

  it("have a balance that is typed in, until it is left to the upstream again", async () => {
    const id = await addChannel(world.root, { type: 14, base_url: upstream.url, models: "m-typed" });
    await succeed(world.admin.api("PUT", "/api/channel/balance", { id, balance: 12.5 }));
    expect(await show(id)).toMatchObject({ balance: 12.5, typed_balance: 12.5 });
    await succeed(world.admin.api("PUT", "/api/channel/balance", { id, balance: null }));
    expect(await show(id)).toMatchObject({ balance: 0 });
    expect(await show(id)).not.toHaveProperty("typed_balance");
    await remove(id);
  });

  it("send the fields of their overrides, hide headers' values, and send those nowhere else", async () => {
    const id = await addChannel(world.root, { base_url: upstream.url, models: "gpt-4", priority: 99 });
    const put = (change: object) => world.admin.api("PUT", "/api/channel/", { id, ...change });
    const write = (overrides: object) => put({ overrides: JSON.stringify(overrides) });
    const shown = async () =>
      JSON.parse(
        ((await succeed(world.admin.api("GET", `/api/channel/${id}`))) as { overrides: string }).overrides,
      );
    const headers = { "X-Own": "own sk-third-secret", "X-Title": "{client:X-Title}" };
    const body = { set: { temperature: 0.25 } };
    await succeed(write({ body, headers, system_prompt: { text: "Be brief." } }));
    expect((await shown()).headers).toEqual({ "x-own": "***", "x-title": "{client:x-title}" });
    await succeed(write({ ...(await shown()), status_codes: { "418": 500 } }));
    for (const wrong of [
      { body: { stream: true } },
      { headers: { host: "x" } },
      { headers: { "x-new": "***" } },
    ])
      expect((await write(wrong)).body).toMatchObject({
        success: false,
        message: expect.stringMatching(/覆盖|请求/),
      });
    expect((await put({ base_url: `${upstream.url}/v1`, key: "sk-first-secret" })).body).toMatchObject({
      success: false,
      message: expect.stringContaining("重新填写"),
    });
    // Nor where both are asked at once, each of which alone would be right.
    const now = () =>
      succeed<{ base_url: string; overrides?: string }>(world.root.api("GET", `/api/channel/${id}`));
    const [before, stored] = [await now(), await shown()];
    const mine = `${upstream.url}/mine`;
    for (let round = 0; round < 8; round += 1) {
      const moves = () => put({ base_url: mine, key: "sk-mine", overrides: "" });
      const keeps = () => write(stored);
      await Promise.all(round % 2 ? [moves(), keeps()] : [keeps(), moves()]);
      const { base_url, overrides = "" } = await now();
      expect([base_url, overrides.includes("x-own")]).toEqual([mine, false]);
      await succeed(
        put({
          base_url: before.base_url,
          key: "sk-first-secret",
          overrides: JSON.stringify({ ...stored, headers }),
        }),
      );
    }
    await succeed(world.admin.api("GET", `/api/channel/test/${id}`));
    const own = { "x-own": "own sk-third-secret" };
    expect(upstream.requests.at(-1)).toMatchObject({ body: { temperature: 0.25 }, headers: own });

    const person = await world.newUser({ quota: 1_000_000 });
    const { key } = await addApiKey(person);
    const answer = await fetch(`${world.url}/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json", "x-title": "mine" },
      body: JSON.stringify({ model: "gpt-4", messages: [{ role: "user", content: "hi" }] }),
    });
    expect(answer.status).toBe(200);
    expect(upstream.requests.at(-1)).toMatchObject({
      body: { temperature: 0.25, messages: [{ role: "system", content: "Be brief." }, { role: "user" }] },
      headers: { ...own, "x-title": "mine" },
    });
    const requestId = answer.headers.get("x-oneapi-request-id") ?? "";
    const told = async (reader: typeof world.admin, path: string) => {
      const receipt = await succeed(reader.api("GET", `${path}?request_id=${requestId}`));
      return (receipt as { attempts: { overrides?: string[] }[] }).attempts[0]?.overrides;
    };
    const all = ["system-prompt:fill", "body:temperature", "header:x-own", "header:x-title"];
    await expect.poll(() => told(world.admin, "/api/log/receipt")).toEqual(all);
    expect(await told(person, "/api/log/self/receipt")).toEqual(all.slice(0, 2));
    await succeed(put({ overrides: "" }));
    expect(await succeed(world.admin.api("GET", `/api/channel/${id}`))).not.toHaveProperty("overrides");
    await remove(id);
  });

  it("are closed by their calendar, and say why it is none", async () => {
    const id = await addChannel(world.root, { base_url: upstream.url, models: "m-calendar" });
    const put = (calendar: string) => world.admin.api("PUT", "/api/channel/", { id, calendar });
    expect((await put('{"hours":[{"days":[9],"from":"08:00","to":"18:00"}]}')).body).toMatchObject({
      success: false,
      message: expect.stringContaining("渠道日历不合法"),
    });
    await succeed(put('{"endsAt":1}'));
    expect(await succeed(world.admin.api("GET", `/api/channel/${id}`))).toMatchObject({
      calendar: '{"endsAt":1}',
      status: 1,
    });
    await remove(id);
  });

  it("ask their upstream for its models, and send a stored key nowhere but where it is stored for", async () => {
    const told = await startStandIn(({ path, headers }) =>
      path === "/v1/models" && headers.authorization === "Bearer sk-third-secret"
        ? { body: { data: [{ id: "m-2" }, { id: "m-1" }] } }
        : { status: 401, body: { error: headers.authorization } },
    );
    const ask = async (body: unknown) =>
      (await world.admin.api("POST", "/api/channel/fetch_models", body)).body;
    const models = { success: true, data: { models: ["m-1", "m-2"], ignored: [] } };
    expect(await ask({ type: 1, key: "sk-third-secret", base_url: told.url })).toMatchObject(models);
    const refused = await ask({ type: 1, key: "sk-second-secret", base_url: told.url });
    expect(refused).toEqual({ success: false, message: "上游拒绝了该密钥：HTTP 401", field: "key" });
    const id = await addChannel(world.root, { key: "sk-third-secret", base_url: told.url });
    expect(await ask({ id })).toMatchObject(models);
    const asked = told.requests.length;
    const elsewhere = await ask({ id, base_url: `${told.url}/elsewhere` });
    expect(elsewhere).toMatchObject({ success: false, message: expect.stringContaining("必须重新填写密钥") });
    expect(told.requests).toHaveLength(asked);
    expect(await ask({ id: 999_999 })).toMatchObject({ success: false });
    await remove(id);
    await told.close();
  });

  it("keep their keys out of everything that was answered, printed and written to the audit", async () => {
    expect(JSON.stringify(world.snapshot().audit)).not.toMatch(/secret/);
    expect(world.server.stdout + world.server.stderr).not.toMatch(/-secret/);
    expect(JSON.stringify(world.snapshot().channels)).not.toMatch(/-secret/);
  });
});
