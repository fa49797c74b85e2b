// @vitest-environment happy-dom

import { describe, expect, it, vi } from "vitest";
import { screen, waitFor } from "../../testing/draw";
import { openConsole } from "../../testing/open-console";

const CODE = { id: 7, key: "code-7", name: "may", status: 1, quota: 30, created_time: 1, redeemed_time: 0 };

const field = (label: string | RegExp) => screen.getByLabelText<HTMLInputElement>(label);

const open = async (path: string, more: object = {}) => {
  const stage = await openConsole(path, {
    "GET /api/redemption/7": CODE,
    "POST /api/redemption/": ["a", "b"],
    "PUT /api/redemption/": {},
    ...more,
  });
  const press = (name: string) => stage.person.click(screen.getByRole("button", { name }));
  const retype = async (label: string | RegExp, text: string) => {
    await stage.person.clear(field(label));
    if (text !== "") await stage.person.type(field(label), text);
  };
  return { ...stage, press, retype };
};

describe("V1: the form of codes", () => {
  it("makes as many as wanted, lets the browser save them, one a line, and goes to the start of the list", async () => {
    const stage = await open("/redemption?q=x");
    await stage.router.navigate({ to: "/redemption/add" });
    await waitFor(() => expect(document.querySelector("h1")?.textContent).toContain("创建新的兑换码"));
    expect(screen.getByText(/会下载为以名称命名的文本文件/)).toBeTruthy();
    expect(field(/^额度/).value).toBe("100000");
    const saved: Blob[] = [];
    vi.spyOn(URL, "createObjectURL").mockImplementation((blob) => {
      if (blob instanceof Blob) saved.push(blob);
      return "blob:codes";
    });
    const clicked: string[] = [];
    vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
      clicked.push(`${this.download} ${this.href}`);
    });
    await stage.person.type(field(/^名称/), " may ");
    await stage.retype("生成数量", "2");
    await stage.press("提交");
    await waitFor(() => expect(stage.router.state.location.href).toBe("/redemption"));
    expect(stage.bodyOf("POST /api/redemption/")).toEqual({ name: "may", quota: 100_000, count: 2 });
    expect(clicked).toEqual(["may.txt blob:codes"]);
    expect(await saved[0]?.text()).toBe("a\nb\n");
    expect(stage.notices).toEqual([
      { kind: "info", text: "兑换码已下载为 may.txt" },
      { kind: "success", text: "操作成功完成!" },
    ]);
  });

  it("saves the codes and says so on any page if the form is left before the answer", async () => {
    let answer = (_data: unknown) => {};
    const stage = await open("/redemption/add", {
      "POST /api/redemption/": () => new Promise((resolve) => (answer = resolve)),
    });
    const clicked: string[] = [];
    vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
      clicked.push(this.download);
    });
    await stage.person.type(field(/^名称/), "may");
    await stage.press("提交");
    await waitFor(() => expect(stage.bodyOf("POST /api/redemption/")).toBeDefined());
    await stage.router.navigate({ to: "/token" });
    await waitFor(() => expect(screen.queryByLabelText("生成数量")).toBeNull());
    answer(["a", "b"]);
    await waitFor(() => expect(clicked).toEqual(["may.txt"]));
    expect(stage.notices).toEqual([{ kind: "info", text: "兑换码已下载为 may.txt" }]);
    expect(stage.router.state.location.href).toBe("/token");
  });

  it("sends the number of users and the expiry date when an administrator enters them", async () => {
    // A real click would navigate the document to the file.
    vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(() => undefined);
    const stage = await open("/redemption/add");
    await stage.person.type(field(/^名称/), "many");
    await stage.retype("可用人数", "30");
    await stage.person.type(screen.getByLabelText("过期时间"), "2030-01-02 03:04:05");
    await stage.press("提交");
    const end = new Date(2030, 0, 2, 3, 4, 5).getTime() / 1000;
    await waitFor(() =>
      expect(stage.bodyOf("POST /api/redemption/")).toEqual({
        name: "many",
        quota: 100_000,
        count: 1,
        max_uses: 30,
        expired_time: end,
      }),
    );
    await waitFor(() => expect(stage.router.state.location.href).toBe("/redemption"));
  });

  it("names the missing fields of a new one and the maximum number, and sends nothing", async () => {
    const stage = await open("/redemption/add");
    expect(screen.getAllByText("*")).toHaveLength(1);
    await stage.retype("生成数量", "1001");
    await stage.retype(/^额度/, "0");
    await stage.press("提交");
    expect(await screen.findByText("请输入名称")).toBeTruthy();
    expect(screen.getByText("请输入大于 0 的整数")).toBeTruthy();
    expect(screen.getByText("请输入 1 到 1000 之间的整数")).toBeTruthy();
    expect(stage.bodyOf("POST /api/redemption/")).toBeUndefined();
  });

  it("shows the stored fields of one, sends name and quota, and goes back to the list as it was left", async () => {
    const stage = await open("/redemption?sort=-id");
    await stage.router.navigate({ to: "/redemption/edit/$id", params: { id: "7" } });
    await waitFor(() => expect(field(/^名称/).value).toBe("may"));
    expect(document.querySelector("h1")?.textContent).toContain("更新兑换码信息");
    expect(field(/^额度/).value).toBe("30");
    expect(screen.queryByLabelText("生成数量")).toBeNull();
    expect(screen.queryByText("*")).toBeNull();
    expect(screen.queryByText(/会下载为以名称命名的文本文件/)).toBeNull();
    await stage.retype(/^名称/, "");
    await stage.retype(/^额度/, "31");
    await stage.press("提交");
    await waitFor(() => expect(stage.bodyOf("PUT /api/redemption/")).toEqual({ id: 7, name: "", quota: 31 }));
    await waitFor(() => expect(stage.router.state.location.href).toBe("/redemption?sort=-id"));
    expect(stage.notices).toEqual([{ kind: "success", text: "操作成功完成!" }]);
  });

  it("shows a quota's worth when the site shows currency", async () => {
    localStorage.setItem("display_in_currency", "true");
    const stage = await open("/redemption/add");
    expect(screen.getByText(/^等价金额：\$0\.2/)).toBeTruthy();
    await stage.retype(/^额度/, "");
    await waitFor(() => expect(screen.queryByText(/^等价金额/)).toBeNull());
  });

  it("waits for the answer before it can be sent again, and asks before it is left changed", async () => {
    let answer = (_data: unknown) => {};
    const stage = await open("/redemption/edit/7", {
      "PUT /api/redemption/": () => new Promise((resolve) => (answer = resolve)),
    });
    await stage.retype(/^额度/, "31");
    await stage.press("取消");
    await stage.person.click(await screen.findByRole("button", { name: "继续编辑" }));
    await stage.person.click(await screen.findByRole("button", { name: "提交" }));
    await waitFor(() => expect(stage.bodyOf("PUT /api/redemption/")).toBeDefined());
    expect(screen.getByRole("button", { name: "提交" }).getAttribute("aria-busy")).toBe("true");
    answer({});
  });

  it("leaves an unchanged form without a question", async () => {
    const stage = await open("/redemption/edit/7");
    await stage.press("取消");
    await waitFor(() => expect(stage.router.state.location.pathname).toBe("/redemption"));
  });

  it("that could not be read says so, and reads it again on request", async () => {
    let isThere = false;
    const stage = await open("/redemption/edit/7", {
      "GET /api/redemption/7": () =>
        isThere ? CODE : Response.json({ success: false, message: "no such code" }),
    });
    expect(document.querySelector("h1")?.textContent).toContain("更新兑换码信息");
    expect(screen.getByText(/no such code/)).toBeTruthy();
    isThere = true;
    await stage.press("重试");
    await waitFor(() => expect(field(/^名称/).value).toBe("may"));
  });
});
