// @vitest-environment happy-dom

import { describe, expect, it } from "vitest";
import { screen, waitFor, within } from "../../testing/draw";
import { openConsole } from "../../testing/open-console";

/** A server with these options, which another person may change as well. */
const site = async (first: Record<string, string>) => {
  const options = new Map(Object.entries(first));
  const reading = { wait: Promise.resolve() };
  const stage = await openConsole("/setting?tab=operation", {
    "GET /api/option/": () => reading.wait.then(() => [...options].map(([key, value]) => ({ key, value }))),
    "GET /api/group/": ["default", "vip"],
    "GET /api/channel/models": [{ id: "gpt-4o" }, { id: "model-b" }],
    "PUT /api/option/": (body: unknown) => {
      const { key, value, before } = body as { key: string; value: string; before?: string };
      if (before !== undefined && before !== options.get(key))
        return Response.json({ success: false, message: `${key} 已被其他人修改` });
      options.set(key, value);
      return undefined;
    },
  });
  await screen.findAllByRole("form");
  const card = (name: string) => within(screen.getByRole("form", { name }));
  return { ...stage, options, reading, card };
};

const GENERAL = "通用设置";
const SAVE = "保存通用设置";

describe("a setting of JSON that has a table", () => {
  it("is made without a mouse: a list of models in their order, and why they are asked", async () => {
    const { person, card, bodyOf } = await site({ ModelFallbacks: "{}" });
    card(GENERAL).getByText("暂无列表：模型无法回答时不会由其他模型代替。");
    card(GENERAL).getByRole("button", { name: "添加列表" }).focus();
    await person.keyboard("{Enter}gpt-4o{Tab}model-b");
    await person.click(card(GENERAL).getByRole("button", { name: "添加模型" }));
    await person.keyboard("model-c");
    card(GENERAL).getByRole("button", { name: "上移 model-c" }).focus();
    await person.keyboard("{Enter}");
    await person.click(card(GENERAL).getByRole("checkbox", { name: "被内容过滤拒绝" }));
    await person.click(card(GENERAL).getByRole("button", { name: SAVE }));
    await waitFor(() => expect(bodyOf("PUT /api/option/")).toBeDefined());
    const { key, value, before } = bodyOf("PUT /api/option/") as Record<string, string>;
    expect([key, before]).toEqual(["ModelFallbacks", "{}"]);
    expect(JSON.parse(value ?? "")).toEqual({
      "gpt-4o": {
        models: ["model-c", "model-b"],
        on: ["rate-limited", "failed", "timeout", "no-channel", "context-length", "content-filter"],
      },
    });
  });

  it("says what is missing and sends nothing, until it is there", async () => {
    const { person, card, bodyOf } = await site({ GroupRouting: '{"default":"weight"}' });
    const ratios = card("倍率设置");
    await person.click(ratios.getByRole("button", { name: "添加分组" }));
    await person.click(ratios.getByRole("button", { name: /^保存/ }));
    expect(ratios.getByText("请填写此项")).toBeTruthy();
    expect(bodyOf("PUT /api/option/")).toBeUndefined();
    const field = ratios.getByLabelText("分组 2");
    await waitFor(() => expect(document.activeElement).toBe(field));
    await person.type(field, "default");
    expect(ratios.getByText("此项重复")).toBeTruthy();
    await person.clear(field);
    await person.type(field, "vip");
    await person.click(ratios.getByRole("button", { name: /^保存/ }));
    await waitFor(() =>
      expect(JSON.parse((bodyOf("PUT /api/option/") as { value: string }).value)).toEqual({
        default: "weight",
        vip: "cheapest",
      }),
    );
  });

  it("is text as well, which the table follows; a text that no table shows stays text", async () => {
    const { person, card } = await site({ GroupRouting: '{"default":"weight"}' });
    const ratios = card("倍率设置");
    await person.click(ratios.getByRole("radio", { name: "JSON" }));
    const text = ratios.getByLabelText<HTMLTextAreaElement>("各分组的渠道选择方式");
    expect(JSON.parse(text.value)).toEqual({ default: "weight" });
    await person.clear(text);
    await person.type(text, "{{");
    expect(ratios.getByRole<HTMLInputElement>("radio", { name: "表格" }).disabled).toBe(true);
    await person.clear(text);
    await person.type(text, '{{"vip":"fastest"}');
    await person.click(ratios.getByRole("radio", { name: "表格" }));
    expect(ratios.getByLabelText<HTMLInputElement>("分组 1").value).toBe("vip");
  });
});

describe("a setting that somebody else changes meanwhile", () => {
  it("is not written over: it is said, what was typed stays, and the present values can be loaded", async () => {
    const { person, card, options, notices } = await site({ ModelFallbacks: "{}", TopUpLink: "" });
    await person.click(card(GENERAL).getByRole("button", { name: "添加列表" }));
    await person.keyboard("mine");
    options.set("ModelFallbacks", '{"theirs":["model-b"]}');
    await person.click(card(GENERAL).getByRole("button", { name: SAVE }));
    const alert = await card(GENERAL).findByRole("alert");
    expect(alert.textContent).toContain("后备模型已被其他人修改，你的修改未保存");
    expect(notices).toEqual([
      { kind: "error", text: expect.stringContaining("ModelFallbacks 已被其他人修改") },
    ]);
    expect(card(GENERAL).getByLabelText<HTMLInputElement>("模型 1").value).toBe("mine");
    // Once more does not do what once did not.
    await person.click(card(GENERAL).getByRole("button", { name: SAVE }));
    await waitFor(() => expect(notices).toHaveLength(2));
    expect(options.get("ModelFallbacks")).toBe('{"theirs":["model-b"]}');
    await person.click(within(await card(GENERAL).findByRole("alert")).getByRole("button"));
    expect(card(GENERAL).getByLabelText<HTMLInputElement>("模型 1").value).toBe("theirs");
    expect(card(GENERAL).queryByRole("alert")).toBeNull();
    await person.type(card(GENERAL).getByLabelText("模型 1"), "2");
    await person.click(card(GENERAL).getByRole("button", { name: SAVE }));
    await waitFor(() =>
      expect(Object.keys(JSON.parse(options.get("ModelFallbacks") ?? ""))).toEqual(["theirs2"]),
    );
  });

  it("stays loaded when a read that a second refusal began answers afterwards", async () => {
    const { person, card, options, notices, reading, calls } = await site({ ModelFallbacks: "{}" });
    await person.click(card(GENERAL).getByRole("button", { name: "添加列表" }));
    await person.keyboard("mine");
    options.set("ModelFallbacks", '{"theirs":["model-b"]}');
    await person.click(card(GENERAL).getByRole("button", { name: SAVE }));
    const alert = await card(GENERAL).findByRole("alert");
    let answer: (() => void) | undefined;
    reading.wait = new Promise((resolve) => {
      answer = resolve;
    });
    const reads = () => calls.filter(({ call }) => call === "GET /api/option/").length;
    const readBefore = reads();
    await person.click(card(GENERAL).getByRole("button", { name: SAVE }));
    await waitFor(() => expect([notices.length, reads() > readBefore]).toEqual([2, true]));
    await person.click(within(alert).getByRole("button"));
    answer?.();
    await new Promise((done) => setTimeout(done, 30));
    expect(card(GENERAL).getByLabelText<HTMLInputElement>("模型 1").value).toBe("theirs");
    expect(card(GENERAL).queryByRole("alert")).toBeNull();
  });

  it("is not sent with another of its card, and not put back to what it was", async () => {
    const { person, card, options, calls } = await site({ ModelFallbacks: "{}", TopUpLink: "" });
    const link = card(GENERAL).getByLabelText("充值链接");
    await person.type(link, "https://shop.example.com");
    options.set("ModelFallbacks", '{"theirs":["model-b"]}');
    await person.click(card(GENERAL).getByRole("button", { name: SAVE }));
    await waitFor(() => expect(options.get("TopUpLink")).toBe("https://shop.example.com"));
    expect(calls.filter(({ call }) => call === "PUT /api/option/").map(({ body }) => body)).toEqual([
      { key: "TopUpLink", value: "https://shop.example.com", before: "" },
    ]);
    // What was saved is what is seen from then on.
    await person.type(link, "/more");
    await person.click(card(GENERAL).getByRole("button", { name: SAVE }));
    await waitFor(() => expect(options.get("TopUpLink")).toBe("https://shop.example.com/more"));
  });

  it("is sent as the specification has it to a server that knows only the contract", async () => {
    const { person, card, bodyOf } = await site({ TopUpLink: "" });
    await person.type(card(GENERAL).getByLabelText("充值链接"), "https://shop.example.com");
    await person.click(card(GENERAL).getByRole("button", { name: SAVE }));
    await waitFor(() =>
      expect(bodyOf("PUT /api/option/")).toEqual({ key: "TopUpLink", value: "https://shop.example.com" }),
    );
  });
});

describe("a setting of a few values", () => {
  it("is chosen by what they mean, and one that is unknown stays until another is chosen", async () => {
    const { person, card, bodyOf } = await site({ PricePage: "odd" });
    const ratios = card("倍率设置");
    const field = ratios.getByRole("combobox", { name: "价格页面" });
    expect(field.textContent).toBe("odd");
    await person.click(field);
    await person.click(await screen.findByRole("option", { name: "所有人可见" }));
    await person.click(ratios.getByRole("button", { name: /^保存/ }));
    await waitFor(() => expect(bodyOf("PUT /api/option/")).toBeDefined());
    expect(bodyOf("PUT /api/option/")).toMatchObject({ key: "PricePage", value: "public" });
  });
});
