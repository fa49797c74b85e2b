import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ListStage, startListStage } from "./list-stage";

let stage: ListStage;

beforeAll(async () => {
  stage = await startListStage();
});
afterAll(() => stage?.close());

const name = () => stage.page.getByRole("textbox", { name: "名称", exact: true });
const question = () => stage.page.getByRole("alertdialog", { name: "放弃未保存的修改？" });
const stay = () => question().getByRole("button", { name: "继续编辑" }).click();
const discard = () => question().getByRole("button", { name: "放弃修改" }).click();
const menu = (text: string) => stage.page.getByRole("link", { name: text, exact: true }).click();
const path = () => new URL(stage.page.url()).pathname;

describe.each([
  ["/channel/edit/2", "Claude 生产", "/channel"],
  ["/token/edit/26", "网站后端 26", "/token"],
  ["/redemption/edit/13", "五月活动", "/redemption"],
])("the form at %s", (address, value, list) => {
  it("is left at once while unchanged, and after a question when changed", async () => {
    await stage.open(address);
    await expect.poll(() => name().inputValue()).toBe(value);
    await menu("日志");
    await stage.page.waitForURL("**/log");
    await stage.page.goBack();
    await expect.poll(() => name().inputValue()).toBe(value);
    await name().fill("改动");
    await menu("日志");
    await stay();
    expect([path(), await name().inputValue()]).toEqual([address, "改动"]);
    // Cancel leaves as well.
    await stage.page.getByRole("button", { name: "取消" }).click();
    await discard();
    await stage.page.waitForURL(`**${list}`);
  });

  it("does not ask about a change that was taken back, nor after it was saved", async () => {
    await stage.open(address);
    await expect.poll(() => name().inputValue()).toBe(value);
    await name().fill("改动");
    await name().fill(value);
    await menu("日志");
    await stage.page.waitForURL("**/log");
    await stage.open(address);
    await expect.poll(() => name().inputValue()).toBe(value);
    await name().fill(`${value}!`);
    await stage.page.getByRole("button", { name: "提交" }).click();
    await stage.page.waitForURL(`**${list}`);
    expect(await question().count()).toBe(0);
  });
});

describe("a changed form", () => {
  it("asks on the way back, too, and keeps its address", async () => {
    await stage.open("/token");
    await stage.page.getByRole("link", { name: "添加新的令牌" }).click();
    await name().fill("新");
    await stage.page.goBack();
    await stay();
    expect([path(), await name().inputValue()]).toEqual(["/token/add", "新"]);
    await stage.page.goBack();
    await discard();
    await stage.page.waitForURL("**/token");
  });

  it("lets the browser ask before a reload or the end of the window", async () => {
    const page = await stage.another();
    await page.goto(`${stage.double.url}/token/add`);
    const asked: string[] = [];
    page.on("dialog", (dialog) => {
      asked.push(dialog.type());
      void dialog.accept();
    });
    await page.reload();
    expect(asked).toEqual([]);
    await page.getByRole("textbox", { name: "名称" }).click();
    await page.keyboard.type("x");
    await page.reload();
    expect(asked).toEqual(["beforeunload"]);
    await page.context().close();
  });

  it("asks while its values could not be saved", async () => {
    await stage.open("/token/add");
    await name().fill("新");
    stage.double.fail("/api/token/", "refused");
    await stage.page.getByRole("button", { name: "提交" }).click();
    await stage.toast("服务器拒绝了这次操作").waitFor();
    stage.double.fail("/api/token/", undefined);
    await menu("日志");
    await question().waitFor();
    await stay();
  });

  it("counts choices as well as typed text", async () => {
    await stage.open("/token/add");
    await stage.page.getByRole("switch", { name: "无限额度" }).click();
    await menu("日志");
    await question().waitFor();
    await discard();
    await stage.page.waitForURL("**/log");
    await stage.open("/channel/add");
    await stage.page.getByRole("button", { name: "移除 default" }).click();
    await menu("日志");
    await question().waitFor();
    await discard();
    await stage.page.waitForURL("**/log");
  });

  it("of users asks as well, and no more once a user was added", async () => {
    await stage.open("/user/add");
    const username = stage.page.getByRole("textbox", { name: "用户名" });
    await username.fill("newcomer");
    await menu("日志");
    await stay();
    await stage.page.locator("input[type=password]").fill("12345678");
    await stage.page.getByRole("button", { name: "提交" }).click();
    await expect.poll(() => username.inputValue()).toBe("");
    await menu("日志");
    await stage.page.waitForURL("**/log");
  });

  it("stays where its question cannot be fetched, and asks at the next try", async () => {
    const page = await stage.another();
    await page.goto(`${stage.double.url}/token/add`);
    await page.getByRole("textbox", { name: "名称" }).fill("新");
    await page.route("**/assets/confirm-dialog-*", (route) => route.abort());
    await page.getByRole("button", { name: "取消" }).click();
    await page.getByRole("alert").getByText("页面").waitFor();
    expect(await page.getByRole("textbox", { name: "名称" }).inputValue()).toBe("新");
    await page.unroute("**/assets/confirm-dialog-*");
    await page.getByRole("button", { name: "取消" }).click();
    await page.getByRole("alertdialog").waitFor();
    await page.context().close();
  });

  it("does not stand in the way of the login page when the session has ended", async () => {
    const page = await stage.another();
    await page.goto(`${stage.double.url}/token/add`);
    await page.getByRole("textbox", { name: "名称" }).fill("新");
    await page.context().clearCookies();
    await page.getByRole("button", { name: "提交" }).click();
    await page.waitForURL("**/login?expired=true");
    await page.context().close();
  });
});
