import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ListStage, startListStage } from "./list-stage";
import { actOnRow, rowAction } from "./visitor";

let stage: ListStage;

beforeAll(async () => {
  stage = await startListStage();
});
afterAll(() => stage?.close());

const name = () => stage.page.getByRole("textbox", { name: "名称" });
const number = (label: string) => stage.page.getByRole("spinbutton", { name: label });
const submit = () => stage.page.getByRole("button", { name: "提交" }).click();

describe("the list of codes", () => {
  it("reads page 0, searches by ID and name, and sorts by everything but the actions", async () => {
    await stage.open("/redemption");
    await stage.row("14").first().waitFor();
    await stage.lookedAhead();
    expect(stage.calls()).toEqual(["GET /api/redemption/?p=0", "GET /api/redemption/?p=1"]);
    const heads = stage.page.getByRole("columnheader");
    expect(await heads.allTextContents()).toEqual([
      "ID",
      "名称",
      "状态",
      "额度",
      "创建时间",
      "兑换时间",
      "操作",
    ]);
    expect(await heads.getByRole("button").count()).toBe(6);
    const box = stage.page.getByRole("searchbox", { name: "搜索" });
    expect(await box.getAttribute("placeholder")).toBe("搜索兑换码的 ID 和名称");
    await box.fill("7");
    await box.press("Enter");
    await expect.poll(() => stage.page.getByRole("row").count()).toBe(2);
    expect(stage.calls()).toEqual(["GET /api/redemption/search?keyword=7"]);
  });

  it("shows quota in dollars and both times, or that it is not redeemed", async () => {
    await stage.open("/redemption?q=14");
    const cells = stage.page.getByRole("row").nth(1).getByRole("cell");
    await cells.nth(3).getByText("$2.80", { exact: true }).waitFor();
    expect(await cells.nth(4).textContent()).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
    expect(await cells.nth(5).textContent()).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
    await stage.open("/redemption?q=13");
    await cells.nth(5).getByText("尚未兑换").waitFor();
  });

  it("names the three states, and toggles all but a used code", async () => {
    await stage.open("/redemption?q=13");
    const row = stage.page.getByRole("row").nth(1);
    await row.getByText("未使用").waitFor();
    await actOnRow(row, "禁用");
    await row.getByText("已禁用").waitFor();
    await stage.toast("操作成功完成!").waitFor();
    expect(stage.body("PUT /api/redemption/?status_only=true")).toEqual({ id: 13, status: 2 });
    await actOnRow(row, "启用");
    await row.getByText("未使用").waitFor();
    expect(stage.body("PUT /api/redemption/?status_only=true")).toEqual({ id: 13, status: 1 });
    await stage.open("/redemption?q=14");
    await row.getByText("已使用").waitFor();
    expect(await (await rowAction(row, "启用")).isDisabled()).toBe(true);
  });

  it("copies a code, and puts it into the search box when the clipboard refuses", async () => {
    await stage.open("/redemption?q=13");
    await actOnRow(stage.page.getByRole("row").nth(1), "复制");
    await stage.toast("已复制到剪贴板！").waitFor();
    expect(await stage.page.evaluate("navigator.clipboard.readText()")).toBe("13".padStart(32, "0"));
    await stage.page.evaluate("navigator.clipboard.writeText = () => Promise.reject(new Error('no'))");
    await actOnRow(stage.page.getByRole("row").nth(1), "复制");
    await stage.toast("无法复制到剪贴板，请手动复制。").waitFor();
    expect(await stage.page.getByRole("searchbox", { name: "搜索" }).inputValue()).toBe(
      "13".padStart(32, "0"),
    );
  });

  it("asks before it deletes, and takes the row away", async () => {
    await stage.open("/redemption?q=12");
    stage.calls();
    await actOnRow(stage.page.getByRole("row").nth(1), "删除");
    expect(stage.calls()).toEqual([]);
    await stage.page.getByRole("alertdialog").getByRole("button", { name: "删除兑换码 补偿" }).click();
    await stage.page.getByText("没有与“12”匹配的内容").waitFor();
    expect(stage.calls()).toEqual(["DELETE /api/redemption/12/"]);
  });
});

describe("the form of codes", () => {
  it("begins with 100,000 quota and one code", async () => {
    await stage.open("/redemption");
    await stage.page.getByRole("link", { name: "添加新的兑换码" }).click();
    await stage.page.waitForURL("**/redemption/add");
    expect(await number("额度").inputValue()).toBe("100000");
    expect(await number("生成数量").inputValue()).toBe("1");
    await stage.page.getByText("等价金额：$0.20").waitFor();
  });

  it("creates codes and downloads them as a text file with their name", async () => {
    await stage.open("/redemption/add");
    await name().fill("六月活动");
    await number("生成数量").fill("3");
    const download = stage.page.waitForEvent("download");
    await submit();
    const file = await download;
    expect(file.suggestedFilename()).toBe("六月活动.txt");
    expect(stage.body("POST /api/redemption/")).toEqual({ name: "六月活动", quota: 100_000, count: 3 });
    const codes = stage.double.world.redemptions.slice(-3).map((code) => code.key);
    expect(await readFile(await file.path(), "utf8")).toBe(codes.map((code) => `${code}\n`).join(""));
    await stage.page.waitForURL("**/redemption");
    await stage.toast("操作成功完成!").waitFor();
    await stage.row("六月活动").nth(2).waitFor();
  });

  it("needs a name, quota above 0 and a count of at least 1", async () => {
    await stage.open("/redemption/add");
    const sent = stage.double.bodies.length;
    await number("额度").fill("0");
    await number("生成数量").fill("0");
    await submit();
    await stage.page.getByText("请输入名称", { exact: true }).waitFor();
    await stage.page.getByText("请输入大于 0 的整数").waitFor();
    await stage.page.getByText("请输入 1 到 1000 之间的整数").waitFor();
    expect(stage.double.bodies.length).toBe(sent);
  });

  it("edits name and quota; how many is asked on creation only", async () => {
    await stage.open("/redemption/edit/13");
    await expect.poll(() => name().inputValue()).toBe("五月活动");
    expect(stage.double.calls).toContain("GET /api/redemption/13");
    expect(await number("生成数量").count()).toBe(0);
    await name().fill("改名");
    await number("额度").fill("5000");
    await submit();
    await stage.page.waitForURL("**/redemption");
    expect(stage.body("PUT /api/redemption/")).toEqual({ id: 13, name: "改名", quota: 5000 });
    await stage.row("改名").waitFor();
  });
});
