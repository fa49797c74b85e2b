import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type ListStage, startListStage } from "./list-stage";

let stage: ListStage;

beforeAll(async () => {
  stage = await startListStage();
  stage.double.world.options.GroupRatio = '{"default":1,"vip":1}';
});
afterAll(() => stage?.close());

const field = (label: string) => stage.page.getByRole("textbox", { name: label, exact: true });
const models = () => stage.page.getByRole("combobox", { name: "模型", exact: true });
const button = (name: string) => stage.page.getByRole("button", { name, exact: true });
const submit = () => button("提交").click();

/** The values that stand as chips in a field for several. */
const chosen = () =>
  stage.page
    .getByRole("button", { name: /^移除 / })
    .evaluateAll((all) => all.map((each) => each.getAttribute("aria-label")?.replace("移除 ", "") ?? ""));

const chooseType = async (name: string) => {
  await stage.page.getByRole("combobox", { name: "类型" }).click();
  await stage.page.getByRole("option", { name }).click();
};

const fillRest = async () => {
  await field("名称").fill("新渠道");
  await field("密钥").fill("k");
  await button("填入基础模型").click();
};

/** What the newest channel was created with. */
const created = () => stage.body("POST /api/channel/") as Record<string, unknown>;

/** Opens the empty form and waits until it knows the models. */
const openNew = async () => {
  const known = stage.page.waitForResponse("**/api/channel/models");
  await stage.open("/channel/add");
  await (await known).finished();
};

const saved = () => stage.page.waitForURL("**/channel");

describe("a new channel", () => {
  beforeEach(openNew);

  it("begins with type 1, the default group, no model, and asks for models and groups", async () => {
    expect(await stage.page.getByRole("combobox", { name: "类型" }).textContent()).toBe("OpenAI");
    expect(await chosen()).toEqual(["default"]);
    expect(stage.double.calls).toContain("GET /api/channel/models");
    expect(stage.double.calls).toContain("GET /api/group/");
    await stage.page.getByRole("combobox", { name: "分组" }).click();
    await expect
      .poll(() => stage.page.getByRole("listbox").getByRole("option").allTextContents())
      .toEqual(["default", "vip"]);
  });

  it("lists every type under its heading", async () => {
    await stage.page.getByRole("combobox", { name: "类型" }).click();
    const groups = stage.page.getByRole("listbox").getByRole("group");
    await groups.first().waitFor();
    const shown: Record<string, number> = {};
    for (const group of await groups.all()) {
      const heading = (await group.locator("> :first-child").textContent()) ?? "";
      shown[heading] = await group.getByRole("option").count();
    }
    const { 模型服务商: vendors, 代理服务: relays, ...others } = shown;
    // Ten of each in the specification, and those that came after.
    expect(vendors).toBeGreaterThanOrEqual(10);
    expect(relays).toBeGreaterThanOrEqual(10);
    expect(others).toEqual({ 自定义: 1, 知识库: 2 });
  });

  it("sends the whole form: lists joined by commas, the address without its slash", async () => {
    await field("名称").fill("主线路");
    await field("代理地址（Base URL）").fill("https://proxy.example.com/");
    await stage.page.getByRole("combobox", { name: "分组" }).click();
    await stage.page.getByRole("option", { name: "vip" }).click();
    await stage.page.keyboard.press("Escape");
    await models().fill("gpt-4o");
    await stage.page.getByRole("option", { name: "gpt-4o" }).click();
    await stage.page.getByText("已选 1 个").waitFor();
    await stage.page.keyboard.press("Escape");
    await field("自定义模型").fill("my-model, other-model");
    await field("自定义模型").press("Enter");
    await field("模型重定向").fill('{"a":"b"}');
    await field("密钥").fill(" secret ");
    await submit();
    await saved();
    await stage.toast("操作成功完成!").waitFor();
    expect(created()).toEqual({
      type: 1,
      name: "主线路",
      key: "secret",
      base_url: "https://proxy.example.com",
      other: "",
      models: "gpt-4o,my-model,other-model",
      group: "default,vip",
      model_mapping: '{"a":"b"}',
    });
    await stage.row("主线路").waitFor();
  });

  it("fills in basic models, all models, and clears them", async () => {
    const all = stage.double.world.models;
    await button("填入基础模型").click();
    expect((await chosen()).slice(1)).toEqual(
      all.filter((model) => model.startsWith("gpt-3") || model.startsWith("text-")),
    );
    await button("填入所有模型").click();
    expect((await chosen()).slice(1).sort()).toEqual([...all].sort());
    await button("清除所有模型").click();
    expect(await chosen()).toEqual(["default"]);
    // A model of one's own is added by its button, too, and never twice.
    await field("自定义模型").fill("my-model");
    await button("填入").click();
    await field("自定义模型").fill("my-model");
    await button("填入").click();
    expect(await chosen()).toEqual(["default", "my-model"]);
    expect(await field("自定义模型").inputValue()).toBe("");
  });

  it("fills in the preset models of types 14, 11, 15, 17, 16, 18, 19 and 23 where none are chosen", async () => {
    // Which models those are is said once, in the vendors' files: their types differ, and the two that are sold no more stay.
    const filled: Record<string, string[]> = {};
    for (const name of [
      "Anthropic Claude",
      "Google PaLM2",
      "百度文心千帆",
      "阿里通义千问",
      "智谱 ChatGLM",
      "讯飞星火认知",
      "360 智脑",
      "腾讯混元",
    ]) {
      await chooseType(name);
      filled[name] = (await chosen()).slice(1);
      await button("清除所有模型").click();
    }
    expect(filled).toMatchObject({
      "Google PaLM2": ["PaLM-2"],
      "360 智脑": ["360GPT_S2_V9", "embedding-bert-512-v1", "embedding_s1_v1", "semantic_similarity_s1_v1"],
    });
    const all = Object.values(filled).flat();
    expect(new Set(all).size).toBe(all.length);
    const families = {
      "Anthropic Claude": /^claude-/,
      百度文心千帆: /^(ernie|Embedding)-/,
      阿里通义千问: /^(qwen|text-|wan|z-image)/,
    };
    for (const [name, family] of Object.entries(families)) {
      expect(filled[name]).not.toEqual([]);
      expect(filled[name]?.filter((model) => !family.test(model))).toEqual([]);
    }
  });

  it("keeps chosen models when the type changes", async () => {
    await field("自定义模型").fill("mine");
    await field("自定义模型").press("Enter");
    await chooseType("Anthropic Claude");
    expect(await chosen()).toEqual(["default", "mine"]);
  });

  it("says how the keys of types 15, 18, 22 and 23 are written", async () => {
    const hints: Record<string, string> = {
      百度文心千帆: "按照如下格式输入：APIKey|SecretKey",
      讯飞星火认知: "按照如下格式输入：APPID|APISecret|APIKey",
      "知识库：FastGPT": "按照如下格式输入：APIKey-AppId",
      腾讯混元: "按照如下格式输入：AppId|SecretId|SecretKey",
    };
    const shown: Record<string, string | null> = {};
    for (const name of Object.keys(hints)) {
      await chooseType(name);
      const note = await field("密钥").getAttribute("aria-describedby");
      shown[name] = await stage.page.locator(`[id="${note}"]`).textContent();
    }
    expect(shown).toEqual(hints);
  });

  it("of type 3 asks for the endpoint and the API version, which is 2023-06-01-preview unless said", async () => {
    await chooseType("Azure OpenAI");
    await fillRest();
    await submit();
    // The endpoint is missing.
    expect(await field("AZURE_OPENAI_ENDPOINT").getAttribute("aria-invalid")).toBe("true");
    await field("AZURE_OPENAI_ENDPOINT").fill("https://mine.openai.azure.com/");
    expect(await field("默认 API 版本").getAttribute("placeholder")).toBe("2023-06-01-preview");
    await submit();
    await saved();
    expect(created()).toMatchObject({
      type: 3,
      base_url: "https://mine.openai.azure.com",
      other: "2023-06-01-preview",
    });
  });

  it("of type 18 asks for the model version, which is v2.1 unless said", async () => {
    await chooseType("讯飞星火认知");
    await fillRest();
    await submit();
    await saved();
    expect(created()).toMatchObject({ type: 18, other: "v2.1" });
    await openNew();
    await chooseType("讯飞星火认知");
    await fillRest();
    await field("模型版本").fill("v3.5");
    await submit();
    await saved();
    expect(created().other).toBe("v3.5");
  });

  it("of type 22 asks for a private deployment address, of type 21 for a knowledge base", async () => {
    await chooseType("知识库：FastGPT");
    await field("私有部署地址").fill("https://fastgpt.example.com");
    await chooseType("知识库：AI Proxy");
    await fillRest();
    await field("知识库 ID").fill("123456");
    await submit();
    await saved();
    expect(created()).toMatchObject({ type: 21, other: "123456" });
  });

  it("of type 8 needs its base URL", async () => {
    await chooseType("自定义渠道");
    await fillRest();
    await submit();
    expect(await field("Base URL").getAttribute("aria-invalid")).toBe("true");
    await field("Base URL").fill("http://10.0.0.1:8000/");
    await submit();
    await saved();
    expect(created()).toMatchObject({ type: 8, base_url: "http://10.0.0.1:8000" });
  });

  it("takes one key per line in batch mode", async () => {
    await fillRest();
    await stage.page.getByText("每个密钥一个渠道").click();
    expect(await field("密钥").evaluate((element) => element.tagName)).toBe("TEXTAREA");
    await field("密钥").fill("key-1\n\n key-2 \n");
    await submit();
    await saved();
    expect(created().key).toBe("key-1\nkey-2");
    await stage.row("新渠道").nth(1).waitFor();
  });

  it("takes a key file with its line breaks, and a region, for Vertex AI", async () => {
    await chooseType("Google Vertex AI");
    await field("名称").fill("新渠道");
    expect(await field("密钥").evaluate((element) => element.tagName)).toBe("TEXTAREA");
    await stage.page.getByText("粘贴服务账号的 JSON 密钥文件全文").waitFor();
    await stage.page.getByText("留空则使用 global").waitFor();
    await field("密钥").fill('{\n  "type": "service_account",\n  "project_id": "p"\n}\n');
    await field("区域").fill("us-central1");
    await submit();
    await saved();
    const { key, ...rest } = created();
    expect(JSON.parse(String(key))).toEqual({ type: "service_account", project_id: "p" });
    expect(rest).toMatchObject({ type: 42, other: "us-central1", base_url: "" });
  });

  it("is refused without a name or a key, without a model, and with a mapping that is no JSON", async () => {
    const sent = stage.double.bodies.length;
    await submit();
    await stage.toast("请填写渠道名称和渠道密钥！").waitFor();
    await field("名称").fill("n");
    await submit();
    await stage.toast("请填写渠道名称和渠道密钥！").last().waitFor();
    await field("密钥").fill("k");
    await submit();
    await stage.toast("请至少选择一个模型！").waitFor();
    await button("填入基础模型").click();
    await field("模型重定向").fill('{\n  "a": "b",\n  c\n}');
    await submit();
    await stage.toast("模型映射必须是合法的 JSON 格式！").waitFor();
    // Beside the field stands where the mistake is.
    await stage.page.getByText("错误位于第 3 行第 3 列。").waitFor();
    expect(stage.double.bodies.length).toBe(sent);
  });

  it("stays as it was typed when the server refuses it", async () => {
    await fillRest();
    stage.double.fail("/api/channel/", "refused");
    await submit();
    await stage.toast("服务器拒绝了这次操作").waitFor();
    stage.double.fail("/api/channel/", undefined);
    expect(await field("名称").inputValue()).toBe("新渠道");
    await submit();
    await saved();
  });
});

describe("an existing channel", () => {
  it("shows the stored fields but never the key, and offers no batch", async () => {
    await stage.open("/channel/edit/2");
    await expect.poll(() => field("名称").inputValue()).toBe("Claude 生产");
    expect(stage.double.calls).toContain("GET /api/channel/2");
    expect(await stage.page.getByRole("combobox", { name: "类型" }).textContent()).toBe("Anthropic Claude");
    expect(await field("模型重定向").inputValue()).toBe('{\n  "gpt-4": "claude-2.1"\n}');
    expect(await field("密钥").inputValue()).toBe("");
    expect(await field("密钥").getAttribute("placeholder")).toBe("留空则不修改密钥");
    expect(await stage.page.getByRole("radio", { name: "每个密钥一个渠道" }).count()).toBe(0);
  });

  it("is sent whole with its id, and its key only when one was typed", async () => {
    await stage.open("/channel/edit/2");
    await field("名称").fill("Claude 新");
    await submit();
    await saved();
    expect(stage.body("PUT /api/channel/")).toEqual({
      id: 2,
      type: 14,
      name: "Claude 新",
      base_url: "",
      other: "",
      models: "gpt-3.5-turbo-16k,gpt-4,gpt-4-turbo,gpt-4o",
      group: "default,vip",
      model_mapping: '{\n  "gpt-4": "claude-2.1"\n}',
    });
    await stage.open("/channel/edit/2");
    await field("密钥").fill("new-key");
    await submit();
    await saved();
    expect(stage.body("PUT /api/channel/")).toMatchObject({ id: 2, key: "new-key" });
  });

  it("is sent with its overrides where something is overridden, and says where they are wrong", async () => {
    await stage.open("/channel/edit/2");
    await expect.poll(() => field("名称").inputValue()).not.toBe("");
    await stage.page.getByText("覆盖设置", { exact: true }).click();
    await field("请求体").fill('{"set":{"stream":true}}');
    await submit();
    await stage.page.getByText('"stream" 不能覆盖', { exact: false }).waitFor();
    await field("请求体").fill('{"temperature":0.2}');
    await button("添加请求头").click();
    await field("请求头名称 1").fill("X-Title");
    await field("请求头的值 1").fill("{client:X-Title}");
    await field("系统提示词").fill("简短回答。");
    await stage.page.getByText("放在最前", { exact: true }).click();
    await button("添加状态码").click();
    await field("上游状态码 1").fill("400");
    await field("视为 1").fill("500");
    await submit();
    await saved();
    const { overrides } = stage.body("PUT /api/channel/") as { overrides: string };
    expect(JSON.parse(overrides)).toEqual({
      body: { set: { temperature: 0.2 } },
      headers: { "x-title": "{client:x-title}" },
      system_prompt: { text: "简短回答。", mode: "prepend" },
      status_codes: { "400": 500 },
    });
  });

  it("S12: asks for the key where a server sends it nowhere else without it", async () => {
    await stage.open("/channel/edit/2");
    await expect.poll(() => field("名称").inputValue()).not.toBe("");
    stage.double.fail("/api/channel/", "refused");
    await field("代理地址（Base URL）").fill("https://elsewhere.example.com");
    await submit();
    await stage.page.getByText("更改类型、地址、区域或代理后，请重新填写密钥").waitFor();
    expect(await field("密钥").getAttribute("aria-invalid")).toBe("true");
    stage.double.fail("/api/channel/", undefined);
    await field("密钥").fill("new-key");
    await submit();
    await saved();
    expect(stage.body("PUT /api/channel/")).toMatchObject({
      key: "new-key",
      base_url: "https://elsewhere.example.com",
    });
  });

  it("says when it cannot be loaded, and tries again", async () => {
    stage.double.fail("/api/channel/4", 500);
    await stage.open("/channel/edit/4");
    await stage.page.getByText("加载失败").waitFor();
    stage.double.fail("/api/channel/4", undefined);
    await button("重试").click();
    await expect.poll(() => field("名称").inputValue()).toBe("OpenRouter 备用");
  });
});

describe("the channel types", () => {
  it("have the specification's ids, and each its name and colour", async () => {
    const types = [1, 14, 3, 11, 15, 17, 18, 16, 19, 23, 8, 22, 21, 20, 2, 5, 7, 10, 4, 6, 9, 12, 13];
    const [first] = stage.double.world.channels;
    if (!first) throw new Error("no channel");
    stage.double.world.channels = types.map((type, index) => ({ ...first, id: 100 - index, type }));
    stage.double.dialect.rowsPerPage = 100;
    await stage.open("/channel?size=50");
    await expect.poll(() => stage.page.getByRole("row").count()).toBe(types.length + 1);
    const cells = stage.page.getByRole("row").locator("td:nth-child(4)");
    expect(await cells.allTextContents()).toEqual([
      "OpenAI",
      "Anthropic Claude",
      "Azure OpenAI",
      "Google PaLM2",
      "百度文心千帆",
      "阿里通义千问",
      "讯飞星火认知",
      "智谱 ChatGLM",
      "360 智脑",
      "腾讯混元",
      "自定义渠道",
      "知识库：FastGPT",
      "知识库：AI Proxy",
      "代理：OpenRouter",
      "代理：API2D",
      "代理：OpenAI-SB",
      "代理：OhMyGPT",
      "代理：AI Proxy",
      "代理：CloseAI",
      "代理：OpenAI Max",
      "代理：AI.LS",
      "代理：API2GPT",
      "代理：AIGC2D",
    ]);
    const colors = await cells
      .locator("[aria-hidden]")
      .evaluateAll((marks) => marks.map((mark) => mark.className.match(/--vendor-(\w+)/)?.[1]));
    expect(colors).not.toContain(undefined);
    expect(colors).not.toContain("grey");
    expect(new Set(colors).size).toBeGreaterThanOrEqual(8);
  });

  it("include numbers from other servers, named by their number", async () => {
    const [first] = stage.double.world.channels;
    if (!first) throw new Error("no channel");
    first.type = 99;
    await stage.open(`/channel?q=${first.id}`);
    await stage.page.getByRole("cell", { name: "未知类型 99" }).waitFor();
  });
});
