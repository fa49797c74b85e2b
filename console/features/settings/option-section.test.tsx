// @vitest-environment happy-dom

import { describe, expect, it, vi } from "vitest";
import { writeStored } from "../../lib/local-store";
import { act, screen, waitFor, within } from "../../testing/draw";
import { openConsole } from "../../testing/open-console";

// The editor needs a browser, where e2e/console/settings.test.ts types into it; this test checks its props.
vi.mock("../../components/json-editor", () => ({
  default: (props: { value: string; onChange: (text: string) => void; label: string }) => (
    <textarea
      aria-label={props.label}
      value={props.value}
      onChange={({ target }) => props.onChange(target.value)}
    />
  ),
}));

/** A server with these options, which another user may change as well. */
const site = async (first: Record<string, string>) => {
  const options = new Map(Object.entries(first));
  const reading = { wait: Promise.resolve() };
  const refused = new Set<string>();
  const stage = await openConsole("/setting?tab=operation", {
    "GET /api/option/": () => reading.wait.then(() => [...options].map(([key, value]) => ({ key, value }))),
    "GET /api/group/": ["default", "vip"],
    "GET /api/channel/models": [{ id: "gpt-4o" }, { id: "model-b" }],
    "PUT /api/option/": (body: unknown) => {
      const { key, value, before } = body as { key: string; value: string; before?: string };
      if (before !== undefined && before !== options.get(key))
        return Response.json({ success: false, message: `${key} 已被其他人修改` });
      if (refused.has(key)) return Response.json({ success: false, message: `${key} 不行` });
      options.set(key, value);
      return undefined;
    },
  });
  await screen.findAllByRole("form");
  const card = (name: string) => within(screen.getByRole("form", { name }));
  return { ...stage, options, reading, refused, card };
};

const GENERAL = "通用设置";

/** The table of a setting. */
const groupOf = (name: string) => screen.getByRole("group", { name });

/** The bar below the page while there are unsaved changes. */
const bar = () => within(screen.getByRole("region", { name: "未保存的更改" }));
const save = () => bar().getByRole("button", { name: "保存" });

describe("a setting of JSON that has a table", () => {
  it("is made without a mouse: a list of models in their order, and why they are asked", async () => {
    const { person, card, bodyOf } = await site({ ModelFallbacks: "{}" });
    card(GENERAL).getByText(/^暂无条目/);
    card(GENERAL).getByRole("button", { name: "添加一行" }).focus();
    await person.keyboard("{Enter}gpt-4o{Tab}model-b");
    await person.click(card(GENERAL).getByRole("button", { name: "添加模型" }));
    await person.keyboard("model-c");
    card(GENERAL).getByRole("button", { name: "上移 model-c" }).focus();
    await person.keyboard("{Enter}");
    await person.click(card(GENERAL).getByRole("checkbox", { name: "被内容过滤拒绝" }));
    await person.click(save());
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

  it("names the missing entries and sends nothing until they are there", async () => {
    const { person, card, bodyOf } = await site({ GroupRouting: '{"default":"weight"}' });
    const ratios = card("分组设置");
    await person.click(within(groupOf("各分组的渠道选择方式")).getByRole("button", { name: "添加一行" }));
    await person.click(save());
    expect(ratios.getByText("请填写此项")).toBeTruthy();
    expect(bodyOf("PUT /api/option/")).toBeUndefined();
    const field = within(groupOf("各分组的渠道选择方式")).getByLabelText("分组 2");
    await waitFor(() => expect(document.activeElement).toBe(field));
    await person.type(field, "default");
    expect(ratios.getByText("此项重复")).toBeTruthy();
    await person.clear(field);
    await person.type(field, "vip");
    await person.click(save());
    await waitFor(() =>
      expect(JSON.parse((bodyOf("PUT /api/option/") as { value: string }).value)).toEqual({
        default: "weight",
        vip: "weight",
      }),
    );
  });

  it("is text as well, which the table follows; a text that no table shows stays text", async () => {
    const { person, card } = await site({ GroupRouting: '{"default":"weight"}' });
    const ratios = card("分组设置");
    const views = within(ratios.getByRole("group", { name: "各分组的渠道选择方式的显示方式" }));
    await person.click(views.getByRole("radio", { name: "编辑为 JSON" }));
    const text = await waitFor(() => {
      const [field, ...more] = ratios.getAllByRole<HTMLTextAreaElement>("textbox", {
        name: "各分组的渠道选择方式",
      });
      expect([field?.id, more]).toEqual(["", []]);
      return field as HTMLTextAreaElement;
    });
    expect(JSON.parse(text.value)).toEqual({ default: "weight" });
    await person.clear(text);
    await person.type(text, "{{");
    expect(views.getByRole<HTMLInputElement>("radio", { name: "表格" }).disabled).toBe(true);
    await person.click(save());
    expect(ratios.getByText(/不是合法的 JSON 字符串/).textContent).toContain("第 1 行第 2 列");
    await person.clear(text);
    await person.type(text, '{{"vip":"fastest"}');
    await person.click(views.getByRole("radio", { name: "表格" }));
    expect(ratios.getByLabelText<HTMLInputElement>("分组 1").value).toBe("vip");
  });

  it("of many rows is searched and stands on pages, and saves the rows that are not seen as they were", async () => {
    const models = Array.from({ length: 1200 }, (_, index) => `"model-${index}":${index}.50`);
    const { person, bodyOf } = await site({ ModelRatio: `{${models.join(",")}}` });
    const table = within(groupOf("模型倍率"));
    expect(table.getAllByRole("listitem")).toHaveLength(15);
    await person.type(table.getByRole("searchbox", { name: "搜索模型倍率" }), "MODEL-777");
    table.getByText("1200 行中找到 1 行");
    const ratio = table.getByLabelText("倍率 778");
    await person.clear(ratio);
    await person.type(ratio, "0.10");
    await person.click(table.getByRole("button", { name: "添加一行" }));
    await person.keyboard("model-3{Tab}1");
    await person.click(save());
    await waitFor(() => expect(table.getByText("此项重复")).toBeTruthy());
    await person.click(table.getByRole("button", { name: "移除 model-3" }));
    await person.click(bar().getByRole("button", { name: "查看更改" }));
    expect(bar().getByRole("list", { name: "更改内容" }).textContent).toBe(
      '模型倍率"model-777": 777.50"model-777": 0.10',
    );
    await person.click(save());
    await waitFor(() => expect(bodyOf("PUT /api/option/")).toBeDefined());
    const { value } = bodyOf("PUT /api/option/") as { value: string };
    expect(value.replaceAll(/\s/g, "")).toBe(`{${models.with(777, '"model-777":0.10').join(",")}}`);
  });
});

describe("a change on several cards", () => {
  it("is counted, told with its old and new value, saved together, and given up together", async () => {
    const { person, card, options, calls, notices } = await site({ TopUpLink: "", RetryTimes: "1" });
    const retries = card(GENERAL).getByLabelText<HTMLInputElement>("失败重试次数");
    const threshold = card("监控设置").getByLabelText<HTMLInputElement>("额度提醒阈值");
    await person.clear(retries);
    await person.type(retries, "3");
    await person.type(threshold, "5");
    expect(bar().getByRole("status").textContent).toBe("已修改 2 项设置");
    await person.click(bar().getByRole("button", { name: "查看更改" }));
    expect(bar().getByRole("list").textContent).toBe("失败重试次数1 → 3额度提醒阈值（空） → 5");
    await person.click(bar().getByRole("button", { name: "放弃更改" }));
    expect([retries.value, threshold.value]).toEqual(["1", ""]);
    expect(screen.queryByRole("region", { name: "未保存的更改" })).toBeNull();
    await person.clear(retries);
    await person.type(retries, "3");
    await person.type(threshold, "5{Enter}");
    await waitFor(() => expect(notices).toEqual([{ kind: "success", text: "操作成功完成!" }]));
    expect(calls.filter(({ call }) => call === "PUT /api/option/")).toHaveLength(2);
    expect([options.get("RetryTimes"), options.get("QuotaRemindThreshold")]).toEqual(["3", "5"]);
    expect(screen.queryByRole("region", { name: "未保存的更改" })).toBeNull();
  });

  it("keeps the values that the server refuses, names the reason at the field, and saves the rest", async () => {
    const { person, card, options, refused } = await site({ TopUpLink: "", RetryTimes: "1" });
    refused.add("TopUpLink");
    await person.type(card(GENERAL).getByLabelText("充值链接"), "https://shop.example.com");
    await person.type(card(GENERAL).getByLabelText("失败重试次数"), "0");
    await person.click(save());
    await card(GENERAL).findByText("TopUpLink 不行");
    expect(card(GENERAL).getByLabelText<HTMLInputElement>("充值链接").value).toBe("https://shop.example.com");
    await waitFor(() => expect(options.get("RetryTimes")).toBe("10"));
    expect(bar().getByRole("status").textContent).toBe("已修改 1 项设置");
  });

  it("stays while another tab is looked at, is told there, and a mistake in it leads back to it", async () => {
    const { person, card } = await site({ RetryTimes: "1" });
    await person.clear(card(GENERAL).getByLabelText("失败重试次数"));
    await person.type(card(GENERAL).getByLabelText("失败重试次数"), "-1");
    await person.click(screen.getByRole("tab", { name: "其他设置" }));
    await screen.findByRole("form", { name: "公告" });
    await person.click(save());
    await screen.findByRole("form", { name: GENERAL });
    const retries = await waitFor(() => card(GENERAL).getByLabelText<HTMLInputElement>("失败重试次数"));
    expect(retries.value).toBe("-1");
    expect(card(GENERAL).getByText("请输入不小于 0 的整数")).toBeTruthy();
    await waitFor(() => expect(document.activeElement).toBe(retries));
  });

  it("shows an amount in money with its points, as its field does", async () => {
    writeStored("display_in_currency", "true");
    const { person, card } = await site({ QuotaRemindThreshold: "1000" });
    const threshold = card("监控设置").getByLabelText<HTMLInputElement>("额度提醒阈值");
    await person.clear(threshold);
    await person.type(threshold, "12.5");
    await person.click(bar().getByRole("button", { name: "查看更改" }));
    expect(bar().getByRole("list").textContent).toBe(
      "额度提醒阈值$0.002（1,000 点额度） → $12.50（6,250,000 点额度）",
    );
    await person.type(threshold, "x");
    expect(bar().getByRole("list").textContent).toContain("→ （不是有效金额）");
  });

  it("says nothing of a secret", async () => {
    const { person } = await site({ RetryTimes: "1", SMTPServer: "" });
    await person.click(screen.getByRole("tab", { name: "系统设置" }));
    await screen.findByRole("form", { name: "SMTP" });
    await person.type(screen.getByLabelText("SMTP 访问凭证"), "hidden-1");
    await person.click(bar().getByRole("button", { name: "查看更改" }));
    expect(bar().getByRole("list").textContent).toBe("SMTP 访问凭证将替换为新值（不显示）");
  });
});

describe("a setting that another administrator changes meanwhile", () => {
  it("is not overwritten: the form reports it, keeps the typed text, and can load the present values", async () => {
    const { person, card, options, notices } = await site({ ModelFallbacks: "{}", TopUpLink: "" });
    await person.click(card(GENERAL).getByRole("button", { name: "添加一行" }));
    await person.keyboard("mine");
    options.set("ModelFallbacks", '{"theirs":["model-b"]}');
    await person.click(save());
    const alert = await card(GENERAL).findByRole("alert");
    expect(alert.textContent).toContain("后备模型已被其他人修改，你的修改未保存");
    expect(notices).toEqual([
      { kind: "error", text: expect.stringContaining("ModelFallbacks 已被其他人修改") },
    ]);
    expect(card(GENERAL).getByLabelText<HTMLInputElement>("模型 1").value).toBe("mine");
    // A second click does not help.
    await person.click(save());
    await waitFor(() => expect(notices).toHaveLength(2));
    expect(options.get("ModelFallbacks")).toBe('{"theirs":["model-b"]}');
    await person.click(within(await card(GENERAL).findByRole("alert")).getByRole("button"));
    expect(card(GENERAL).getByLabelText<HTMLInputElement>("模型 1").value).toBe("theirs");
    expect(card(GENERAL).queryByRole("alert")).toBeNull();
    await person.type(card(GENERAL).getByLabelText("模型 1"), "2");
    await person.click(save());
    await waitFor(() =>
      expect(Object.keys(JSON.parse(options.get("ModelFallbacks") ?? ""))).toEqual(["theirs2"]),
    );
  });

  it("stays loaded when a read that a second refusal began answers afterwards", async () => {
    const { person, card, options, notices, reading, calls } = await site({ ModelFallbacks: "{}" });
    await person.click(card(GENERAL).getByRole("button", { name: "添加一行" }));
    await person.keyboard("mine");
    options.set("ModelFallbacks", '{"theirs":["model-b"]}');
    await person.click(save());
    const alert = await card(GENERAL).findByRole("alert");
    let answer: (() => void) | undefined;
    reading.wait = new Promise((resolve) => {
      answer = resolve;
    });
    const reads = () => calls.filter(({ call }) => call === "GET /api/option/").length;
    const readBefore = reads();
    await person.click(save());
    await waitFor(() => expect([notices.length, reads() > readBefore]).toEqual([2, true]));
    await person.click(within(alert).getByRole("button"));
    answer?.();
    await new Promise((done) => setTimeout(done, 30));
    expect(card(GENERAL).getByLabelText<HTMLInputElement>("模型 1").value).toBe("theirs");
    expect(card(GENERAL).queryByRole("alert")).toBeNull();
  });

  it("is not sent with another one of its card, and not reset", async () => {
    const { person, card, options, calls } = await site({ ModelFallbacks: "{}", TopUpLink: "" });
    const link = card(GENERAL).getByLabelText("充值链接");
    await person.type(link, "https://shop.example.com");
    options.set("ModelFallbacks", '{"theirs":["model-b"]}');
    await person.click(save());
    await waitFor(() => expect(options.get("TopUpLink")).toBe("https://shop.example.com"));
    expect(calls.filter(({ call }) => call === "PUT /api/option/").map(({ body }) => body)).toEqual([
      { key: "TopUpLink", value: "https://shop.example.com", before: "" },
    ]);
    // The saved value is the new baseline.
    await person.type(link, "/more");
    await person.click(save());
    await waitFor(() => expect(options.get("TopUpLink")).toBe("https://shop.example.com/more"));
  });

  it("is sent as the specification has it to a server that knows only the contract", async () => {
    const { person, card, bodyOf } = await site({ TopUpLink: "" });
    await person.type(card(GENERAL).getByLabelText("充值链接"), "https://shop.example.com");
    await person.click(save());
    await waitFor(() =>
      expect(bodyOf("PUT /api/option/")).toEqual({ key: "TopUpLink", value: "https://shop.example.com" }),
    );
  });
});

describe("a setting of a few values", () => {
  it("is chosen by the meanings of its values, and an unknown value stays until another is chosen", async () => {
    const { person, card, bodyOf } = await site({ PricePage: "odd" });
    const ratios = card("倍率设置");
    const field = ratios.getByRole("combobox", { name: "价格页面" });
    expect(field.textContent).toBe("odd");
    await person.click(field);
    await person.click(await screen.findByRole("option", { name: "所有人可见" }));
    await person.click(save());
    await waitFor(() => expect(bodyOf("PUT /api/option/")).toBeDefined());
    expect(bodyOf("PUT /api/option/")).toMatchObject({ key: "PricePage", value: "public" });
  });
});

describe("an amount of quota", () => {
  it("is typed in money, in a setting and in a cell of a table, and stored in points", async () => {
    localStorage.setItem("display_in_currency", "true");
    localStorage.setItem("quota_per_unit", "500000");
    const { person, options, refused } = await site({
      QuotaRemindThreshold: "1000",
      GroupLimits: '{"vip":{"daily_quota":500000}}',
    });
    const threshold = screen.getByLabelText<HTMLInputElement>("额度提醒阈值");
    expect(threshold.value).toBe("0.002");
    await waitFor(() => expect(screen.getByLabelText<HTMLInputElement>("每日预算 1").value).toBe("1.00"));
    const daily = screen.getByLabelText<HTMLInputElement>("每日预算 1");
    await person.clear(threshold);
    await person.type(threshold, "2");
    await person.clear(daily);
    await person.type(daily, "7.5");
    refused.add("QuotaRemindThreshold");
    await person.click(save());
    await waitFor(() => expect(options.get("GroupLimits")).toContain("3750000"));
    await screen.findByText("QuotaRemindThreshold 不行");
    refused.clear();
    await person.click(save());
    await waitFor(() => expect(options.get("QuotaRemindThreshold")).toBe("1000000"));
    // Points that are no number are a mistake: an empty cell would be no limit.
    await act(() => writeStored("quota_unit", "points"));
    const points = screen.getByLabelText<HTMLInputElement>("每日预算 1");
    await person.type(points, "-");
    await person.click(save());
    await waitFor(() => expect(points.getAttribute("aria-invalid")).toBe("true"));
    expect(points.value).toBe("3750000-");
    expect(options.get("GroupLimits")).toContain("3750000");
  });
});
