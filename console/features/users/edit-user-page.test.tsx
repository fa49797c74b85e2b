// @vitest-environment happy-dom

import { describe, expect, it } from "vitest";
import { screen, waitFor } from "../../testing/draw";
import { openConsole } from "../../testing/open-console";

const USER = {
  id: 7,
  username: "carol",
  display_name: "Carol",
  password: "",
  role: 1,
  status: 1,
  email: "carol@example.com",
  github_id: "carol-on-github",
  wechat_id: "carol-on-wechat",
  group: "vip,default",
  quota: 1234,
};

const shownIn = (label: string) => {
  const field = screen.getByLabelText<HTMLInputElement>(label);
  return { value: field.value, isReadOnly: field.readOnly };
};

describe("V1: the form of a user", () => {
  it("shows every field of the user that an administrator edits, and all that the account is bound to", async () => {
    await openConsole(
      "/user/edit/7",
      { "GET /api/user/7": USER, "GET /api/group/": ["default", "vip", "svip"] },
      10,
    );
    const labels = [
      "用户名",
      "密码",
      "显示名称",
      "剩余额度",
      "已绑定的 GitHub 账户",
      "已绑定的微信账户",
      "已绑定的邮箱账户",
    ];
    expect(Object.fromEntries(labels.map((label) => [label, shownIn(label)]))).toEqual({
      用户名: { value: "carol", isReadOnly: false },
      密码: { value: "", isReadOnly: false },
      显示名称: { value: "Carol", isReadOnly: false },
      剩余额度: { value: "1234", isReadOnly: false },
      "已绑定的 GitHub 账户": { value: "carol-on-github", isReadOnly: true },
      已绑定的微信账户: { value: "carol-on-wechat", isReadOnly: true },
      已绑定的邮箱账户: { value: "carol@example.com", isReadOnly: true },
    });
    expect(screen.getByLabelText("密码").getAttribute("placeholder")).toBe("请输入新的密码，最短 8 位");
    for (const group of ["vip", "default"]) expect(screen.getByLabelText(`移除 ${group}`)).toBeTruthy();
    expect(screen.queryByLabelText("移除 svip")).toBeNull();
  });

  it("sends the typed values, with the id and all other fields, and goes back to the list", async () => {
    const stage = await openConsole("/user/edit/7", { "GET /api/user/7": USER, "PUT /api/user/": {} }, 10);
    const retype = async (label: string, text: string) => {
      await stage.person.clear(screen.getByLabelText(label));
      await stage.person.type(screen.getByLabelText(label), text);
    };
    await retype("用户名", "caroline");
    await retype("密码", "12345678");
    await retype("显示名称", "Caro");
    await retype("剩余额度", "99");
    await stage.person.click(screen.getByLabelText("移除 vip"));
    await stage.person.click(screen.getByRole("button", { name: "提交" }));
    await waitFor(() =>
      expect(stage.bodyOf("PUT /api/user/")).toEqual({
        id: 7,
        username: "caroline",
        password: "12345678",
        display_name: "Caro",
        email: "carol@example.com",
        github_id: "carol-on-github",
        wechat_id: "carol-on-wechat",
        group: "default",
        quota: 99,
      }),
    );
    await waitFor(() => expect(stage.router.state.location.pathname).toBe("/user"));
    expect(stage.notices.map(({ kind }) => kind)).toEqual(["success"]);
  });

  it("refuses a quota below 0, and keeps the typed text", async () => {
    const stage = await openConsole("/user/edit/7", { "GET /api/user/7": USER }, 10);
    await stage.person.clear(screen.getByLabelText("剩余额度"));
    await stage.person.type(screen.getByLabelText("剩余额度"), "-1");
    await stage.person.click(screen.getByRole("button", { name: "提交" }));
    expect(await screen.findByText("请输入不小于 0 的整数")).toBeTruthy();
    expect(stage.bodyOf("PUT /api/user/")).toBeUndefined();
  });

  it("shows a quota's worth when the site shows currency, and confirms before leaving a changed form", async () => {
    localStorage.setItem("display_in_currency", "true");
    const stage = await openConsole(
      "/user/edit/7",
      { "GET /api/user/7": { ...USER, quota: 1_000_000 }, "GET /api/group/": ["default", "vip", "svip"] },
      10,
    );
    expect(screen.getByText(/^等价金额：\$2/)).toBeTruthy();
    expect(document.querySelector("details")?.open).toBe(false);
    await stage.person.click(screen.getByLabelText("分组"));
    await stage.person.click(await screen.findByRole("option", { name: "svip" }));
    expect(screen.getByLabelText("移除 svip")).toBeTruthy();
    await stage.person.clear(screen.getByLabelText("剩余额度"));
    await waitFor(() => expect(screen.queryByText(/^等价金额/)).toBeNull());
    await stage.person.click(screen.getByRole("link", { name: "关于" }));
    expect(await screen.findByRole("button", { name: "放弃修改" })).toBeTruthy();
  });

  it("unfolds the limits of a user who has any, and sends the changed ones", async () => {
    const stage = await openConsole(
      "/user/edit/7",
      { "GET /api/user/7": { ...USER, rpm: 5 }, "PUT /api/user/": {} },
      10,
    );
    expect(document.querySelector("details")?.open).toBe(true);
    await stage.person.type(screen.getByLabelText("每分钟请求数"), "0");
    await stage.person.click(screen.getByRole("button", { name: "提交" }));
    await waitFor(() => expect(stage.bodyOf("PUT /api/user/")).toMatchObject({ id: 7, rpm: 50 }));
  });

  it.each(["/user/edit/7", "/user/edit"])(
    "%s that could not be read says so, and is read again",
    async (path) => {
      let isThere = false;
      const answer = () => (isThere ? USER : Response.json({ success: false, message: "no such user" }));
      const stage = await openConsole(path, { "GET /api/user/7": answer, "GET /api/user/self": answer }, 10);
      expect(document.querySelector("h1")?.textContent).toContain("更新用户信息");
      expect(screen.getByText(/no such user/)).toBeTruthy();
      isThere = true;
      await stage.person.click(screen.getByRole("button", { name: "重试" }));
      await waitFor(() => expect(shownIn("用户名").value).toBe("carol"));
    },
  );

  it.each([
    { path: "/user/edit", to: "/setting" },
    { path: "/user/add", to: "/user" },
  ])("cancels from $path to $to", async ({ path, to }) => {
    const stage = await openConsole(path, { "GET /api/user/self": USER }, 10);
    await stage.person.click(screen.getByRole("button", { name: "取消" }));
    await waitFor(() => expect(stage.router.state.location.pathname).toBe(to));
  });

  it("shows the user's own display name in the menu", async () => {
    const stage = await openConsole(
      "/user/edit",
      { "GET /api/user/self": USER, "PUT /api/user/self": {} },
      1,
    );
    await stage.person.clear(screen.getByLabelText("用户名"));
    await stage.person.type(screen.getByLabelText("用户名"), "cary");
    await stage.person.click(screen.getByRole("button", { name: "提交" }));
    await waitFor(() => expect(stage.router.state.location.pathname).toBe("/setting"));
    expect(JSON.parse(localStorage.getItem("user") ?? "{}")).toMatchObject({
      id: 1,
      username: "cary",
      display_name: "Carol",
    });
    expect(stage.notices.map(({ kind }) => kind)).toEqual(["success"]);
  });

  it("keeps the name in the menu where none was sent", async () => {
    const stage = await openConsole(
      "/user/edit",
      { "GET /api/user/self": USER, "PUT /api/user/self": {} },
      1,
    );
    await stage.person.clear(screen.getByLabelText("用户名"));
    await stage.person.click(screen.getByRole("button", { name: "提交" }));
    await waitFor(() => expect(stage.router.state.location.pathname).toBe("/setting"));
    expect(JSON.parse(localStorage.getItem("user") ?? "{}")).toMatchObject({ username: "me" });
  });

  it.each([
    { label: "用户名", answer: { success: false, message: "current password wanted" }, isAsked: true },
    { label: "显示名称", answer: { success: false, message: "no" }, isAsked: false },
    { label: "用户名", answer: undefined, isAsked: false },
  ])(
    "of oneself with another $label asks for the password after %o: $isAsked",
    async ({ label, answer, isAsked }) => {
      const stage = await openConsole(
        "/user/edit",
        {
          "GET /api/user/self": USER,
          "PUT /api/user/self": () =>
            answer === undefined ? new Response("", { status: 502 }) : Response.json(answer),
        },
        1,
      );
      await stage.person.type(screen.getByLabelText(label), "x");
      await stage.person.click(screen.getByRole("button", { name: "提交" }));
      await waitFor(() => expect(stage.notices).toHaveLength(1));
      if (isAsked) expect(await screen.findByLabelText("当前密码")).toBeTruthy();
      else expect(screen.queryByLabelText("当前密码")).toBeNull();
    },
  );

  it("cancels to the settings", async () => {
    const stage = await openConsole("/user/edit/7", { "GET /api/user/7": USER }, 10);
    await stage.person.click(screen.getByRole("button", { name: "取消" }));
    await waitFor(() => expect(stage.router.state.location.pathname).toBe("/setting"));
  });

  it("shows the account's bindings on the user's own page, and neither quota nor group", async () => {
    const stage = await openConsole(
      "/user/edit",
      { "GET /api/user/self": USER, "PUT /api/user/self": {} },
      1,
    );
    expect(shownIn("用户名").value).toBe("carol");
    expect(shownIn("显示名称").value).toBe("Carol");
    expect(shownIn("已绑定的 GitHub 账户")).toEqual({ value: "carol-on-github", isReadOnly: true });
    expect(shownIn("已绑定的微信账户")).toEqual({ value: "carol-on-wechat", isReadOnly: true });
    expect(shownIn("已绑定的邮箱账户")).toEqual({ value: "carol@example.com", isReadOnly: true });
    expect(screen.queryByLabelText("剩余额度")).toBeNull();
    expect(screen.queryByLabelText("分组")).toBeNull();
    await stage.person.type(screen.getByLabelText("密码"), "12345678");
    await stage.person.click(screen.getByRole("button", { name: "提交" }));
    await waitFor(() =>
      expect(stage.bodyOf("PUT /api/user/self")).toEqual({
        username: "carol",
        display_name: "Carol",
        password: "12345678",
      }),
    );
    await waitFor(() => expect(stage.router.state.location.pathname).toBe("/setting"));
  });

  it("of oneself asks for the current password once the server has refused a new one", async () => {
    const stage = await openConsole(
      "/user/edit",
      {
        "GET /api/user/self": USER,
        "PUT /api/user/self": () => Response.json({ success: false, message: "current password wanted" }),
      },
      1,
    );
    expect(screen.queryByLabelText("当前密码")).toBeNull();
    await stage.person.type(screen.getByLabelText("密码"), "12345678");
    await stage.person.click(screen.getByRole("button", { name: "提交" }));
    await stage.person.type(await screen.findByLabelText("当前密码"), "old");
    await stage.person.click(screen.getByRole("button", { name: "提交" }));
    await waitFor(() =>
      expect(stage.bodyOf("PUT /api/user/self")).toMatchObject({ original_password: "old" }),
    );
  });
});

describe("V1: the form of a new user", () => {
  it("sends nothing without a username or a password, and is empty again after success", async () => {
    const stage = await openConsole("/user/add", { "POST /api/user/": {} }, 10);
    const submit = () => stage.person.click(screen.getByRole("button", { name: "提交" }));
    await stage.person.type(screen.getByLabelText(/^用户名/), " dave ");
    await submit();
    await stage.person.clear(screen.getByLabelText(/^用户名/));
    await stage.person.type(screen.getByLabelText(/^密码/), "12345678");
    await submit();
    expect(stage.bodyOf("POST /api/user/")).toBeUndefined();
    await stage.person.type(screen.getByLabelText(/^用户名/), " dave ");
    await stage.person.type(screen.getByLabelText("显示名称"), " Dave ");
    await submit();
    await waitFor(() =>
      expect(stage.bodyOf("POST /api/user/")).toEqual({
        username: "dave",
        display_name: "Dave",
        password: "12345678",
      }),
    );
    await waitFor(() => expect(screen.getByLabelText(/^用户名/)).toHaveProperty("value", ""));
    expect(stage.notices.map(({ kind }) => kind)).toEqual(["success"]);
    expect(stage.router.state.location.pathname).toBe("/user/add");
  });
});
