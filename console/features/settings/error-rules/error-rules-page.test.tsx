// @vitest-environment happy-dom

import { parseErrorRules } from "@tollgate/contract/management/error-rules";
import { describe, expect, it } from "vitest";
import { screen, waitFor, within } from "../../../testing/draw";
import { openConsole } from "../../../testing/open-console";
import { BLANK_RULE, mistakeIn, type TypedRule, toTyped, writeRules } from "./typed-rule";

const STORED = JSON.stringify([
  { statuses: [429], answer: "own", status: 503, text: { "zh-CN": "太忙了", fr: "Occupé" } },
  { words: ["context"], answer: "original" },
]);

const open = async (stored: string) => {
  const stage = await openConsole("/setting/errors", {
    "GET /api/option/": [{ key: "ErrorRules", value: stored }],
    "PUT /api/option/": undefined,
  });
  await screen.findByRole("form", { name: "错误提示规则" });
  return stage;
};

const rows = () => within(screen.getByRole("form")).getAllByRole("listitem");

describe("the page of error rules", () => {
  it("moves a rule up, and saves the order with the text that it was read from", async () => {
    const { person, bodyOf } = await open(STORED);
    expect(rows()).toHaveLength(2);
    await person.click(screen.getByRole("button", { name: "上移规则 2" }));
    await person.click(screen.getByRole("button", { name: "保存规则" }));
    await waitFor(() => expect(bodyOf("PUT /api/option/")).toBeDefined());
    const { key, value, before } = bodyOf("PUT /api/option/") as Record<string, string>;
    expect([key, before]).toEqual(["ErrorRules", STORED]);
    const [first, second] = JSON.parse(STORED) as object[];
    expect(JSON.parse(value ?? "")).toEqual([second, first]);
  });

  it("shows a mistake at its field and leads there, and saves nothing", async () => {
    const { person, bodyOf } = await open("[]");
    await person.click(screen.getByRole("button", { name: "添加规则" }));
    const status = within(rows()[0] as HTMLElement).getByRole("textbox", { name: "上游状态码" });
    await person.type(status, "999");
    await person.click(screen.getByRole("button", { name: "保存规则" }));
    within(rows()[0] as HTMLElement).getByText("请输入 200 到 599 的状态码、4xx 或 5xx，最多 20 个");
    await waitFor(() => expect(document.activeElement).toBe(status));
    expect(bodyOf("PUT /api/option/")).toBeUndefined();
  });

  it("tries the typed rules out", async () => {
    const { person } = await open(STORED);
    const tried = within(screen.getByRole("region", { name: "试一试" }));
    expect(tried.getByRole("status").textContent).toContain("规则 1 生效");
    expect(tried.getByRole("status").textContent).toContain("太忙了");
    await person.clear(tried.getByRole("textbox", { name: "上游状态码" }));
    expect(tried.getByRole("status").textContent).toContain("没有规则符合");
    await person.type(tried.getByRole("textbox", { name: "上游报错内容" }), "Maximum CONTEXT length");
    expect(tried.getByRole("status").textContent).toContain("规则 2 生效");
  });
});

describe("the try-out of error rules", () => {
  const RULES = [
    { channels: [3], statuses: ["5xx"], answer: "own", text: { en: "Channel 3 is down" } },
    { types: [14], answer: "original", status: 502 },
    { statuses: [401], answer: "original" },
  ];
  const openTrial = async () => {
    const { person } = await open(JSON.stringify(RULES));
    const tried = within(screen.getByRole("region", { name: "试一试" }));
    const type = async (label: string, text: string) => {
      await person.clear(tried.getByRole("textbox", { name: label }));
      await person.type(tried.getByRole("textbox", { name: label }), text);
    };
    return { person, tried, type, outcome: () => tried.getByRole("status").textContent };
  };

  it("compares the channel and its type, and shows the status that a client gets", async () => {
    const { person, tried, type, outcome } = await openTrial();
    await type("上游状态码", "503");
    expect(outcome()).toContain("没有规则符合");
    await type("渠道 ID", "3");
    expect(outcome()).toContain("规则 1 生效");
    expect(outcome()).toContain("Channel 3 is down");
    await type("渠道 ID", "4");
    await person.click(tried.getByRole("combobox", { name: "渠道类型" }));
    await person.click(await screen.findByRole("option", { name: /^Anthropic/ }));
    expect(outcome()).toContain("规则 2 生效");
    expect(outcome()).toContain("HTTP 502");
  });

  it("passes no upstream's 401 on, and leaves out a rule that is not complete", async () => {
    const { person, type, outcome } = await openTrial();
    await type("上游状态码", "401");
    expect(outcome()).toContain("规则 3 生效");
    expect(outcome()).not.toContain("401");
    await person.clear(within(rows()[0] as HTMLElement).getByRole("textbox", { name: "文字（English）" }));
    await type("渠道 ID", "3");
    await type("上游状态码", "503");
    expect(outcome()).toContain("没有规则符合");
  });
});

describe("a typed rule", () => {
  it("is stored as it was read, whatever it has", () => {
    const rules = JSON.parse(STORED) as object[];
    const all = [
      ...rules,
      {
        channels: [3, 7],
        types: [14],
        statuses: ["5xx", 200],
        answer: "own",
        code: "busy",
        text: { en: "a\nb" },
      },
    ];
    const parsed = parseErrorRules(JSON.stringify(all));
    if ("fault" in parsed) throw new Error(parsed.fault);
    expect(JSON.parse(writeRules(parsed.map(toTyped)))).toEqual(all);
  });

  it.each<[Partial<TypedRule>, string | undefined]>([
    [{ text: { en: "x" } }, undefined],
    [{}, "text"],
    [{ answer: "original" }, undefined],
    [{ answer: "original", status: "200" }, "status"],
    [{ answer: "original", status: "abc" }, "status"],
    [{ answer: "original", channels: "three" }, "channels"],
    [{ answer: "original", statuses: "429，5XX 503" }, undefined],
    [{ answer: "original", code: "a b" }, "code"],
  ])("%j is wrong at %s", (rule, field) => {
    expect(mistakeIn({ ...BLANK_RULE, ...rule })).toBe(field);
  });
});
