// @vitest-environment happy-dom

import { VENDOR_FORMS } from "@tollgate/vendors/slim/forms";
import { describe, expect, it } from "vitest";
import { cleanup, screen, waitFor } from "../../testing/draw";
import { openConsole } from "../../testing/open-console";

const stored = (type: number, more: object = {}) => ({
  id: 7,
  type,
  name: "seven",
  key: "",
  group: "default,vip",
  models: "model-a,model-b",
  base_url: "",
  other: "",
  model_mapping: "",
  status: 1,
  ...more,
});

const edit = (channel: object) =>
  openConsole("/channel/edit/7", {
    "GET /api/channel/7": channel,
    "GET /api/channel/models": [{ id: "model-a" }, { id: "model-b" }, { id: "gpt-3.5-turbo" }],
    "GET /api/group/": ["default", "vip"],
    "PUT /api/channel/": {},
    "GET /api/channel/": [channel],
  });

describe("V1: the form of a channel", () => {
  it.each([
    {
      type: 22,
      label: "私有部署地址",
      typed: "https://private.example.com",
      sent: "https://private.example.com",
    },
    { type: 21, label: "知识库 ID", typed: "kb-1", sent: "kb-1" },
    { type: 18, label: "模型版本", typed: "v3.5", sent: "v3.5" },
    { type: 18, label: "模型版本", typed: "", sent: "v2.1" },
    { type: 3, label: "默认 API 版本", typed: "2024-02-01", sent: "2024-02-01" },
    { type: 3, label: "默认 API 版本", typed: "", sent: "2023-06-01-preview" },
  ])(
    "of type $type sends the text in $label ($typed) as other: $sent",
    async ({ type, label, typed, sent }) => {
      const stage = await edit(stored(type, { base_url: "https://up.example.com" }));
      const field = screen.getByLabelText(label);
      await stage.person.clear(field);
      if (typed !== "") await stage.person.type(field, typed);
      await stage.person.click(screen.getByRole("button", { name: "提交" }));
      await waitFor(() =>
        expect(stage.bodyOf("PUT /api/channel/")).toMatchObject({ id: 7, type, other: sent }),
      );
    },
  );

  it("asks for an address, and shows an example, where the vendor has none of its own", async () => {
    await edit(stored(37));
    // The star: it must be filled in.
    expect(screen.getByLabelText<HTMLInputElement>("Base URL*").placeholder).toBe(
      "例如：https://api.cloudflare.com/client/v4/accounts/ACCOUNT_ID/ai",
    );
  });

  it("shows the stored fields, but never the key, and sends them back unchanged", async () => {
    const stage = await edit(
      stored(22, {
        base_url: "https://up.example.com/",
        other: "there",
        model_mapping: '{"a":"b"}',
        key: "secret",
      }),
    );
    const shownIn = (label: string | RegExp) => screen.getByLabelText<HTMLInputElement>(label).value;
    expect(shownIn(/^名称/)).toBe("seven");
    expect(shownIn("私有部署地址")).toBe("there");
    expect(shownIn(/^密钥/)).toBe("");
    expect(document.body.innerHTML).not.toContain("secret");
    for (const chip of ["default", "vip", "model-a", "model-b"]) {
      expect(screen.getByLabelText(`移除 ${chip}`)).toBeTruthy();
    }
    await stage.person.click(screen.getByRole("button", { name: "提交" }));
    await waitFor(() =>
      expect(stage.bodyOf("PUT /api/channel/")).toEqual({
        id: 7,
        type: 22,
        name: "seven",
        group: "default,vip",
        models: "model-a,model-b",
        base_url: "https://up.example.com",
        other: "there",
        model_mapping: '{\n  "a": "b"\n}',
      }),
    );
    await waitFor(() => expect(stage.router.state.location.pathname).toBe("/channel"));
    expect(stage.notices.map(({ kind }) => kind)).toEqual(["success"]);
  });

  it("keeps models that were added while it was open", async () => {
    const channel = stored(1);
    const stage = await edit(channel);
    channel.models = "model-a,model-b,model-c";
    await stage.person.type(screen.getByLabelText(/^名称/), "!");
    await stage.person.click(screen.getByRole("button", { name: "提交" }));
    await waitFor(() =>
      expect(stage.bodyOf("PUT /api/channel/")).toMatchObject({
        name: "seven!",
        models: "model-a,model-b,model-c",
      }),
    );
  });

  it("names the missing fields of a new one in the specification's words, and sends nothing", async () => {
    const stage = await openConsole("/channel/add", { "GET /api/channel/models": [{ id: "model-a" }] });
    const submit = () => stage.person.click(screen.getByRole("button", { name: "提交" }));
    await submit();
    await stage.person.type(screen.getByLabelText(/^名称/), "eight");
    await submit();
    await stage.person.type(screen.getByLabelText(/^密钥/), "k");
    await submit();
    await waitFor(() => expect(stage.notices).toHaveLength(3));
    expect(stage.notices.map(({ kind, text }) => [kind, text])).toEqual([
      ["info", "请填写渠道名称和渠道密钥！"],
      ["info", "请填写渠道名称和渠道密钥！"],
      ["info", "请至少选择一个模型！"],
    ]);
    expect(stage.calls.some(({ call }) => call.startsWith("POST"))).toBe(false);
  });

  it("makes one channel of each key, or one of all where that is wanted, and forgets the latter with the former", async () => {
    const stage = await openConsole("/channel/add", {
      "GET /api/channel/models": [{ id: "model-a" }],
      "POST /api/channel/": {},
    });
    const choose = (name: string) => stage.person.click(screen.getByRole("radio", { name }));
    const key = () => screen.getByLabelText(/^密钥/);
    expect(key().tagName).toBe("INPUT");
    expect(key().getAttribute("placeholder")).toBe("请输入渠道对应的鉴权密钥");
    await choose("每个密钥一个渠道");
    expect(key().tagName).toBe("TEXTAREA");
    expect(key().getAttribute("placeholder")).toBe("请输入密钥，一行一个");
    await choose("多个密钥合为一个渠道");
    await choose("单个密钥");
    expect(key().tagName).toBe("INPUT");
    await choose("多个密钥合为一个渠道");
    await stage.person.type(screen.getByLabelText(/^名称/), "eight");
    await stage.person.type(key(), "k1{Enter}k2");
    await stage.person.click(screen.getByRole("button", { name: "填入所有模型" }));
    await stage.person.click(screen.getByRole("button", { name: "提交" }));
    await waitFor(() =>
      expect(stage.bodyOf("POST /api/channel/")).toMatchObject({
        name: "eight",
        key: "k1\nk2",
        models: "model-a",
        multi_key: true,
      }),
    );
    await waitFor(() => expect(stage.router.state.location.href).toBe("/channel"));
    expect(stage.notices.map(({ kind }) => kind)).toEqual(["success"]);
  });

  it("takes several pasted lines as the keys of one channel", async () => {
    const stage = await openConsole("/channel/add", {
      "GET /api/channel/models": [{ id: "model-a" }],
      "POST /api/channel/": {},
    });
    await stage.person.type(screen.getByLabelText(/^名称/), "three");
    await stage.person.click(screen.getByLabelText(/^密钥/));
    await stage.person.paste("k1\nk2\nk3\n");
    const key = screen.getByLabelText<HTMLTextAreaElement>(/^密钥/);
    expect([key.tagName, key.value, document.activeElement === key]).toEqual([
      "TEXTAREA",
      "k1\nk2\nk3",
      true,
    ]);
    await stage.person.click(screen.getByRole("button", { name: "填入所有模型" }));
    await stage.person.click(screen.getByRole("button", { name: "提交" }));
    await waitFor(() =>
      expect(stage.bodyOf("POST /api/channel/")).toMatchObject({ key: "k1\nk2\nk3", multi_key: true }),
    );
  });

  it("takes the models of a type where there are none, and no field that means something else there", async () => {
    const stage = await openConsole("/channel/add", {});
    const choose = async (name: string | RegExp) => {
      await stage.person.click(screen.getByLabelText(/^类型/));
      await stage.person.click(await screen.findByRole("option", { name }));
    };
    expect(screen.queryByLabelText("模型版本")).toBeNull();
    await choose("讯飞星火认知");
    await stage.person.type(screen.getByLabelText("模型版本"), "v3.5");
    expect(screen.getByText("留空则使用 v2.1")).toBeTruthy();
    expect(screen.getByText("按照如下格式输入：APPID|APISecret|APIKey")).toBeTruthy();
    expect(screen.getByLabelText("移除 SparkDesk")).toBeTruthy();
    await choose("知识库：AI Proxy");
    expect(screen.getByLabelText<HTMLInputElement>("知识库 ID").value).toBe("");
    expect(screen.getByText("请输入知识库 ID，例如：123456")).toBeTruthy();
    expect(screen.getByLabelText("移除 SparkDesk")).toBeTruthy();
    await stage.person.click(screen.getByRole("link", { name: "关于" }));
    expect(await screen.findByRole("button", { name: "放弃修改" })).toBeTruthy();
    expect(stage.router.state.location.pathname).toBe("/channel/add");
  });

  it("asks for the key again where a refused change would send it to another address, and only there", async () => {
    const refused = () => Response.json({ success: false, message: "no" });
    for (const { path, label, typed, isAsked } of [
      { path: "/channel/edit/7", label: "代理地址（Base URL）", typed: "https://b.example", isAsked: true },
      { path: "/channel/edit/7", label: /^名称/, typed: "new", isAsked: false },
    ]) {
      const stage = await openConsole(path, {
        "GET /api/channel/7": stored(1),
        "PUT /api/channel/": refused,
      });
      await stage.person.type(screen.getByLabelText(label), typed);
      await stage.person.click(screen.getByRole("button", { name: "提交" }));
      await waitFor(() => expect(stage.notices.map(({ kind }) => kind)).toEqual(["error"]));
      if (isAsked) {
        expect(await screen.findByText("更改类型、地址、区域或代理后，请重新填写密钥")).toBeTruthy();
        expect(document.activeElement).toBe(screen.getByLabelText(/^密钥/));
      }
      expect(screen.queryByText("更改类型、地址、区域或代理后，请重新填写密钥") !== null).toBe(isAsked);
      cleanup();
    }
  });

  it("does not ask for the key again where the server did not answer, or where the channel is new", async () => {
    const gone = await openConsole("/channel/edit/7", {
      "GET /api/channel/7": stored(1),
      "PUT /api/channel/": () => new Response("", { status: 502 }),
    });
    await gone.person.type(screen.getByLabelText("代理地址（Base URL）"), "https://b.example");
    await gone.person.click(screen.getByRole("button", { name: "提交" }));
    await waitFor(() => expect(gone.notices).toHaveLength(1));
    expect(screen.queryByText("更改类型、地址、区域或代理后，请重新填写密钥")).toBeNull();
    cleanup();
    const added = await openConsole("/channel/add", {
      "POST /api/channel/": () => Response.json({ success: false, message: "no" }),
    });
    await added.person.type(screen.getByLabelText(/^名称/), "new");
    await added.person.type(screen.getByLabelText(/^密钥/), "k");
    await added.person.type(screen.getByLabelText("自定义模型"), "m{Enter}");
    await added.person.type(screen.getByLabelText("代理地址（Base URL）"), "https://b.example");
    await added.person.click(screen.getByRole("button", { name: "提交" }));
    await waitFor(() =>
      expect(added.notices.map(({ text }) => text)).toEqual([expect.stringContaining("no")]),
    );
    expect(screen.queryByText("更改类型、地址、区域或代理后，请重新填写密钥")).toBeNull();
  });

  it("says where a mapping is no JSON, or that it is not the JSON that is wanted", async () => {
    const stage = await edit(stored(1));
    const mapping = () => screen.getByLabelText("模型重定向");
    await stage.person.type(mapping(), '{{"a":');
    await stage.person.click(screen.getByRole("button", { name: "提交" }));
    expect(await screen.findByText(/合法的 JSON 格式！\s*错误位于第 1 行第 6 列。/)).toBeTruthy();
    expect(stage.notices).toEqual([{ kind: "info", text: "模型映射必须是合法的 JSON 格式！" }]);
    await stage.person.clear(mapping());
    await stage.person.type(mapping(), "[[1]");
    expect(await screen.findByText(/应为一个对象，其中每个值是字符串/)).toBeTruthy();
    await stage.person.clear(mapping());
    await waitFor(() => expect(screen.queryByText(/合法的 JSON/)).toBeNull());
    expect(screen.queryByText(/应为一个对象/)).toBeNull();
    expect(mapping().getAttribute("placeholder")).toContain('"gpt-4-0314": "gpt-4"');
  });

  it("says how many keys are stored, and of which type an address is needed, with an example", async () => {
    await edit(stored(8, { key_count: 3, dead_key_count: 1, base_url: "https://up.example.com" }));
    expect(screen.getByText(/已保存 3 个密钥，其中 1 个已失效。/)).toBeTruthy();
    expect(screen.getByLabelText(/^密钥/).getAttribute("placeholder")).toBe("留空则不修改密钥");
    expect(screen.getByLabelText(/^密钥/).tagName).toBe("TEXTAREA");
    expect(screen.queryByRole("switch", { name: /一次|多个/ })).toBeNull();
    const address = screen.getByLabelText(/^Base URL/);
    expect(address.getAttribute("placeholder")).toBe("例如：https://api.example.com");
    expect(screen.queryByText("可选，代替该类型的默认地址。")).toBeNull();
    cleanup();
    await edit(stored(14));
    expect(screen.queryByText(/已保存/)).toBeNull();
    expect(screen.getByLabelText("代理地址（Base URL）").getAttribute("placeholder")).toBe(
      "https://api.anthropic.com",
    );
    expect(screen.getByText("可选，代替该类型的默认地址。")).toBeTruthy();
  });

  it("names at its field the missing value of an existing one, and offers the existing groups", async () => {
    const stage = await edit(stored(8));
    for (const removed of ["default", "vip"]) {
      await stage.person.click(screen.getByLabelText(`移除 ${removed}`));
    }
    await stage.person.click(screen.getByRole("button", { name: "清除所有模型" }));
    await stage.person.type(screen.getByLabelText("出站代理"), "p");
    await stage.person.click(screen.getByRole("button", { name: "提交" }));
    await waitFor(() => expect(screen.getAllByText("此项不能为空")).toHaveLength(2));
    expect(screen.getByText("代理地址应以 http://、https://、socks5:// 或 socks5h:// 开头")).toBeTruthy();
    expect(screen.getByText("请至少选择一个模型！")).toBeTruthy();
    expect(stage.notices).toEqual([{ kind: "info", text: "请至少选择一个模型！" }]);
    await stage.person.click(screen.getByLabelText(/^分组/));
    await stage.person.click(await screen.findByRole("option", { name: "vip" }));
    expect(screen.getByLabelText("移除 vip")).toBeTruthy();
  });

  it("goes back to the list as it was left, by cancelling and by saving", async () => {
    const stage = await openConsole("/channel?sort=-id", {
      "GET /api/channel/": [stored(1)],
      "GET /api/channel/7": stored(1),
      "PUT /api/channel/": {},
    });
    for (const name of ["取消", "提交"]) {
      await stage.router.navigate({ to: "/channel/edit/$id", params: { id: "7" } });
      await stage.person.click(await screen.findByRole("button", { name }));
      await waitFor(() => expect(stage.router.state.location.href).toBe("/channel?sort=-id"));
    }
    expect(stage.notices.map(({ kind }) => kind)).toEqual(["success"]);
  });

  it("that could not be read says so, and reads it again on request", async () => {
    let isThere = false;
    const stage = await openConsole("/channel/edit/7", {
      "GET /api/channel/7": () =>
        isThere ? stored(1) : Response.json({ success: false, message: "no such channel" }),
    });
    expect(document.querySelector("h1")?.textContent).toContain("更新渠道信息");
    expect(screen.getByText(/no such channel/)).toBeTruthy();
    isThere = true;
    await stage.person.click(screen.getByRole("button", { name: "重试" }));
    await waitFor(() => expect(screen.getByLabelText<HTMLInputElement>(/^名称/).value).toBe("seven"));
  });

  it("asks before it is left once several keys are to make one channel, and no more once they are not", async () => {
    const stage = await openConsole("/channel/add", {});
    await stage.person.click(screen.getByRole("radio", { name: "多个密钥合为一个渠道" }));
    await stage.person.click(screen.getByRole("button", { name: "取消" }));
    await stage.person.click(await screen.findByRole("button", { name: "继续编辑" }));
    await stage.person.click(await screen.findByRole("radio", { name: "单个密钥" }));
    await stage.person.click(screen.getByRole("button", { name: "取消" }));
    await waitFor(() => expect(stage.router.state.location.pathname).toBe("/channel"));
  });

  it("sends one key alone once several were wanted and are no more", async () => {
    const stage = await openConsole("/channel/add", { "POST /api/channel/": {} });
    for (const name of ["多个密钥合为一个渠道", "单个密钥"])
      await stage.person.click(screen.getByRole("radio", { name }));
    await stage.person.type(screen.getByLabelText(/^名称/), "eight");
    await stage.person.type(screen.getByLabelText(/^密钥/), "k");
    await stage.person.type(screen.getByLabelText("自定义模型"), "m{Enter}");
    await stage.person.click(screen.getByRole("button", { name: "提交" }));
    await waitFor(() => expect(stage.bodyOf("POST /api/channel/")).toMatchObject({ key: "k", models: "m" }));
    expect(stage.bodyOf("POST /api/channel/")).not.toHaveProperty("multi_key");
  });

  it("opens a channel of an unknown type with the fields of all types", async () => {
    await edit(stored(999));
    expect(screen.getByLabelText("代理地址（Base URL）").hasAttribute("placeholder")).toBe(false);
    expect(screen.getByLabelText(/^密钥/).hasAttribute("aria-describedby")).toBe(false);
    expect(screen.getByLabelText(/^密钥/).tagName).toBe("INPUT");
  });

  it("takes a key file of several lines where the type has one, and says so", async () => {
    const [type] = Object.entries(VENDOR_FORMS).find(([, form]) => form.keyDocument !== undefined) ?? [];
    await edit(stored(Number(type)));
    expect(screen.getByLabelText(/^密钥/).tagName).toBe("TEXTAREA");
    expect(screen.getByText(/粘贴服务账号的 JSON 密钥文件全文/)).toBeTruthy();
    cleanup();
    await edit(stored(22));
    expect(screen.queryByText(/粘贴服务账号/)).toBeNull();
    expect(screen.getByText("可选，例如：https://fastgpt.run/api/openapi")).toBeTruthy();
  });

  it("says at its field alone that a group is missing", async () => {
    const stage = await edit(stored(1, { group: "vip" }));
    await stage.person.click(screen.getByLabelText("移除 vip"));
    await stage.person.click(screen.getByRole("button", { name: "提交" }));
    expect(await screen.findByText("此项不能为空")).toBeTruthy();
    expect(stage.notices).toEqual([]);
  });
});

describe("the models of the upstream", () => {
  const fetched = (models: string[]) => ({
    "GET /api/channel/7": stored(8, {
      base_url: "https://up.example.com",
      models: "mine,old",
      model_mapping: '{"mine":"m-1"}',
    }),
    "GET /api/group/": ["default"],
    "POST /api/channel/fetch_models": { models },
    "PUT /api/channel/": {},
  });

  it("are requested with the form's values, and taken over one by one or all", async () => {
    const stage = await openConsole("/channel/edit/7", fetched(["m-1", "m-2", "m-3"]));
    await stage.person.type(screen.getByLabelText(/^密钥/), "sk-typed");
    await stage.person.click(screen.getByRole("button", { name: "获取上游模型" }));
    await screen.findByText("上游共有 3 个模型：新增 2 个，已选的模型中有 1 个上游已没有");
    expect(stage.bodyOf("POST /api/channel/fetch_models")).toEqual({
      id: 7,
      type: 8,
      base_url: "https://up.example.com",
      other: "",
      key: "sk-typed",
    });
    await stage.person.click(screen.getByRole("button", { name: "m-2" }));
    await stage.person.click(screen.getByRole("button", { name: "全部移除（1）" }));
    await screen.findByText("上游共有 3 个模型：新增 1 个，已选的模型中有 0 个上游已没有");
    await stage.person.click(screen.getByRole("button", { name: "提交" }));
    await waitFor(() => expect(stage.bodyOf("PUT /api/channel/")).toMatchObject({ models: "mine,m-2" }));
  });

  it("are added all at once, or those that a word narrows them down to", async () => {
    const many = Array.from({ length: 30 }, (_, number) => `m-${number}`);
    const stage = await openConsole("/channel/edit/7", fetched(many));
    await stage.person.click(screen.getByRole("button", { name: "获取上游模型" }));
    await stage.person.type(await screen.findByRole("searchbox", { name: "上游新增：筛选" }), "m-2");
    await stage.person.click(screen.getByRole("button", { name: "当前显示的（11）" }));
    await screen.findByText(/新增 18 个/);
  });

  it("that the site ignores are not called new", async () => {
    const stage = await openConsole("/channel/edit/7", {
      ...fetched([]),
      "POST /api/channel/fetch_models": { models: ["m-1", "m-2", "m-3"], ignored: ["m-3"] },
    });
    await stage.person.click(screen.getByRole("button", { name: "获取上游模型" }));
    await screen.findByText(/新增 1 个/);
    expect(screen.queryByRole("button", { name: "m-3" })).toBeNull();
  });

  it("say beside the button why there are none", async () => {
    const refusal = Response.json({ success: false, message: "该渠道类型不提供模型列表" });
    const stage = await openConsole("/channel/edit/7", {
      ...fetched([]),
      "POST /api/channel/fetch_models": () => refusal,
    });
    await stage.person.click(screen.getByRole("button", { name: "获取上游模型" }));
    expect(await screen.findByText(/该渠道类型不提供模型列表/)).toBeTruthy();
    expect(stage.notices).toEqual([]);
  });
});

describe("the test button of the form", () => {
  const channel = stored(1);
  const open = (answer: unknown) =>
    openConsole("/channel/edit/7", {
      "GET /api/channel/7": channel,
      "GET /api/group/": ["default", "vip"],
      "GET /api/channel/test/7/": () => answer,
    });

  it("tests the stored channel, and reports how long it took", async () => {
    const stage = await open(Response.json({ success: true, message: "", time: 1.234 }));
    await stage.person.click(screen.getByRole("button", { name: "测试" }));
    await waitFor(() => expect(stage.notices).toHaveLength(1));
    expect(stage.notices[0]).toMatchObject({ kind: "info", text: expect.stringMatching(/seven.*1\.23/) });
    expect(stage.calls.some(({ call }) => call.startsWith("PUT"))).toBe(false);
  });

  it("reports why the test failed, and keeps the typed text", async () => {
    const stage = await open(Response.json({ success: false, message: "invalid key", time: 0 }));
    await stage.person.type(screen.getByLabelText(/^名称/), " changed");
    await stage.person.click(screen.getByRole("button", { name: "测试" }));
    await waitFor(() => expect(stage.notices).toHaveLength(1));
    expect(stage.notices[0]).toMatchObject({ kind: "error", text: expect.stringContaining("invalid key") });
    expect(screen.getByLabelText<HTMLInputElement>(/^名称/).value).toBe("seven changed");
  });

  it("is not offered for a channel that is not stored yet", async () => {
    await openConsole("/channel/add", { "GET /api/group/": ["default"] });
    expect(screen.queryByRole("button", { name: "测试" })).toBeNull();
  });
});

it("shows the headers that are left when the first is removed", async () => {
  const overrides = JSON.stringify({ headers: { "x-one": "1", "x-two": "2" } });
  const stage = await edit(stored(1, { overrides }));
  await stage.person.click(await screen.findByRole("button", { name: "移除 x-one" }));
  expect(screen.queryByDisplayValue("x-one")).toBeNull();
  expect(screen.getByLabelText<HTMLInputElement>("请求头名称 1").value).toBe("x-two");
});

it("edits overrides as JSON, where hidden headers stay hidden, and shows mistakes at their position", async () => {
  const overrides = JSON.stringify({ headers: { "x-one": "***" }, status_codes: { "400": 500 } });
  const stage = await edit(stored(1, { overrides }));
  await stage.person.click(await screen.findByRole("radio", { name: "编辑为 JSON" }));
  const text = await screen.findByRole<HTMLTextAreaElement>("textbox", { name: "覆盖设置（JSON）" });
  expect(text.value ?? text.textContent).toContain('"x-one": "***"');
  await stage.person.click(screen.getByRole("radio", { name: "表单" }));
  expect(screen.getByLabelText<HTMLInputElement>("请求头名称 1").value).toBe("x-one");
  expect(screen.getByLabelText<HTMLInputElement>("请求头的值 1").value).toBe("***");
  await stage.person.clear(screen.getByLabelText("请求头名称 1"));
  await stage.person.type(screen.getByLabelText("请求头名称 1"), "X-Two");
  await stage.person.click(screen.getByRole("radio", { name: "编辑为 JSON" }));
  await stage.person.click(screen.getByRole("button", { name: "提交" }));
  await waitFor(() => expect(stage.bodyOf("PUT /api/channel/")).toHaveProperty("overrides"));
  const { overrides: sent } = stage.bodyOf("PUT /api/channel/") as { overrides: string };
  expect(JSON.parse(sent)).toEqual({ headers: { "x-two": "***" }, status_codes: { "400": 500 } });
});

describe("the calendar of a channel", () => {
  it("is written as hours, windows and an end, and nothing of it is sent while it is as it was", async () => {
    const stage = await edit(stored(1));
    await stage.person.click(screen.getByText("标签、测试与开放时间"));
    await stage.person.click(await screen.findByRole("button", { name: "添加时段" }));
    await stage.person.click(screen.getByRole("checkbox", { name: "星期五" }));
    await stage.person.click(screen.getByRole("button", { name: "添加窗口" }));
    const limit = screen.getByRole("textbox", { name: "上限" });
    await stage.person.clear(limit);
    await stage.person.type(limit, "600");
    await stage.person.type(screen.getByLabelText("标签"), "pool");
    await stage.person.click(screen.getByRole("button", { name: "提交" }));
    await waitFor(() => expect(stage.bodyOf("PUT /api/channel/")).toMatchObject({ id: 7, tag: "pool" }));
    const sent = stage.bodyOf("PUT /api/channel/") as { calendar: string };
    expect(sent).not.toHaveProperty("test_model");
    expect(JSON.parse(sent.calendar)).toMatchObject({
      hours: [{ days: [1, 2, 3, 4], from: "08:00", to: "18:00" }],
      windows: [{ hours: 5, limit: 600, unit: "requests" }],
    });
  });

  it("shows the remaining windows when one is removed", async () => {
    const windows = [
      { hours: 5, limit: 1000, unit: "requests" },
      { hours: 168, limit: 200, unit: "quota" },
    ];
    const stage = await edit(stored(1, { calendar: JSON.stringify({ windows }) }));
    const [first] = await screen.findAllByRole("button", { name: "移除此窗口" });
    if (first) await stage.person.click(first);
    const values = (name: string) =>
      screen.getAllByRole<HTMLInputElement>("textbox", { name }).map(({ value }) => value);
    expect(values("上限")).toEqual(["200"]);
    expect(values("窗口长度（小时）")).toEqual(["168"]);
  });

  it("shows the hours that are left when the first are removed", async () => {
    const hours = [
      { days: [1], from: "08:00", to: "12:00" },
      { days: [2], from: "13:00", to: "18:00" },
    ];
    const stage = await edit(stored(1, { calendar: JSON.stringify({ hours, timeZone: "UTC" }) }));
    const [first] = await screen.findAllByRole("button", { name: "移除此时段" });
    if (first) await stage.person.click(first);
    expect(screen.queryByDisplayValue("08:00")).toBeNull();
    expect(screen.getByDisplayValue("13:00")).toBeTruthy();
    expect(screen.getByRole<HTMLInputElement>("checkbox", { name: "星期二" }).checked).toBe(true);
  });

  it("stands unfolded where there is one", async () => {
    const calendar = JSON.stringify({ hours: [{ days: [1], from: "22:00", to: "06:00" }], timeZone: "UTC" });
    const stage = await edit(stored(1, { calendar }));
    expect(await screen.findByDisplayValue("22:00")).toBeTruthy();
    await stage.person.click(screen.getByRole("button", { name: "提交" }));
    await waitFor(() => expect(stage.bodyOf("PUT /api/channel/")).toBeDefined());
    expect(stage.bodyOf("PUT /api/channel/")).not.toHaveProperty("calendar");
  });
});
