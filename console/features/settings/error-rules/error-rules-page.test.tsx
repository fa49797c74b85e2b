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
