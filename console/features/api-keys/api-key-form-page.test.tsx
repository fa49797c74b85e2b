// @vitest-environment happy-dom

import { describe, expect, it, vi } from "vitest";
import { formatTime } from "../../lib/format";
import { screen, waitFor } from "../../testing/draw";
import { openConsole } from "../../testing/open-console";

const TOKEN = {
  id: 7,
  key: "k",
  name: "seven",
  status: 1,
  remain_quota: 90,
  used_quota: 0,
  unlimited_quota: false,
  created_time: 100,
  expired_time: 1_800_000_000,
};

const field = (label: string | RegExp) => screen.getByLabelText<HTMLInputElement>(label);
const isUnfolded = () => document.querySelector("details")?.open;

const open = async (path: string, token: object = TOKEN, more: object = {}) => {
  const stage = await openConsole(path, {
    "GET /api/token/7": token,
    "POST /api/token/": {},
    "PUT /api/token/": {},
    ...more,
  });
  const press = (name: string) => stage.person.click(screen.getByRole("button", { name }));
  return { ...stage, press, submit: () => press("提交") };
};

describe("V1: the form of a key", () => {
  it("of a new one begins with the default quota, needs a name, and goes to the list when it is made", async () => {
    const stage = await open("/token/add");
    expect(document.querySelector("h1")?.textContent).toContain("创建新的令牌");
    expect(field(/^额度/).value).toBe("500000");
    expect(isUnfolded()).toBe(false);
    await stage.submit();
    expect(await screen.findByText("请输入名称")).toBeTruthy();
    expect(screen.getByText("*")).toBeTruthy();
    await stage.person.type(field(/^名称/), " mine ");
    await stage.submit();
    await waitFor(() =>
      expect(stage.bodyOf("POST /api/token/")).toEqual({
        name: "mine",
        expired_time: -1,
        remain_quota: 500_000,
        unlimited_quota: false,
      }),
    );
    await waitFor(() => expect(stage.router.state.location.href).toBe("/token"));
    expect(stage.notices).toEqual([{ kind: "success", text: "操作成功完成!" }]);
  });

  it("shows the stored values, and sends the changes with the id", async () => {
    const stage = await open("/token/edit/7", { ...TOKEN, models: "a,b", subnet: "10.0.0.0/8" });
    expect(document.querySelector("h1")?.textContent).toContain("更新令牌信息");
    expect(screen.queryByText("*")).toBeNull();
    expect(field(/^名称/).value).toBe("seven");
    expect(field("过期时间").value).toBe(formatTime(1_800_000_000));
    expect(field(/^额度/).value).toBe("90");
    expect(isUnfolded()).toBe(true);
    expect(field("允许的模型").value).toBe("a\nb");
    expect(field("允许的地址").value).toBe("10.0.0.0/8");
    await stage.person.clear(field("允许的模型"));
    await stage.person.type(field("每分钟请求数"), "5");
    await stage.submit();
    await waitFor(() =>
      expect(stage.bodyOf("PUT /api/token/")).toEqual({
        id: 7,
        name: "seven",
        expired_time: 1_800_000_000,
        remain_quota: 90,
        unlimited_quota: false,
        original_remain_quota: 90,
        models: "",
        rpm: 5,
      }),
    );
    await waitFor(() => expect(stage.router.state.location.pathname).toBe("/token"));
  });

  it("does not give back the quota that was used while the form was open", async () => {
    const used = { ...TOKEN };
    const stage = await open("/token/edit/7", used);
    used.remain_quota = 30;
    await stage.person.type(field(/^名称/), "!");
    await stage.submit();
    await waitFor(() =>
      expect(stage.bodyOf("PUT /api/token/")).toMatchObject({
        name: "seven!",
        remain_quota: 30,
        original_remain_quota: 30,
      }),
    );
  });

  it("may be without a name where it had none, or has it no more", async () => {
    const stage = await open("/token/edit/7");
    await stage.person.clear(field(/^名称/));
    await stage.submit();
    await waitFor(() => expect(stage.bodyOf("PUT /api/token/")).toMatchObject({ id: 7, name: "" }));
  });

  it("goes back to the list as it was left, or from its start where a new one stands", async () => {
    const stage = await open("/token?sort=-id&q=x");
    await stage.router.navigate({ to: "/token/edit/$id", params: { id: "7" } });
    await waitFor(() => expect(field(/^名称/).value).toBe("seven"));
    await stage.submit();
    await waitFor(() => expect(stage.router.state.location.href).toBe("/token?sort=-id&q=x"));
    await stage.router.navigate({ to: "/token/add" });
    await stage.person.type(await screen.findByLabelText(/^名称/), "new");
    await stage.submit();
    await waitFor(() => expect(stage.router.state.location.href).toBe("/token"));
  });

  it("reports an invalid time at once in a toast and at the field, and stops once it is valid", async () => {
    const stage = await open("/token/edit/7");
    await stage.person.clear(field("过期时间"));
    await stage.person.type(field("过期时间"), "soon");
    expect(screen.queryByText("过期时间格式错误！")).toBeNull();
    await stage.submit();
    expect(await screen.findByText("过期时间格式错误！")).toBeTruthy();
    expect(stage.notices).toEqual([{ kind: "error", text: "过期时间格式错误！" }]);
    expect(stage.bodyOf("PUT /api/token/")).toBeUndefined();
    await stage.person.clear(field("过期时间"));
    await waitFor(() => expect(screen.queryByText("过期时间格式错误！")).toBeNull());
  });

  it("says at the field alone that a quota is none, and takes any where it is unlimited", async () => {
    const stage = await open("/token/edit/7");
    await stage.person.clear(field(/^额度/));
    await stage.person.type(field(/^额度/), "-1");
    await stage.submit();
    expect(await screen.findByText("请输入不小于 0 的整数")).toBeTruthy();
    expect(stage.notices).toEqual([]);
    expect(field(/^额度/).disabled).toBe(false);
    await stage.person.click(screen.getByRole("switch", { name: "无限额度" }));
    expect(field(/^额度/).disabled).toBe(true);
    await stage.submit();
    await waitFor(() => expect(stage.bodyOf("PUT /api/token/")).toMatchObject({ unlimited_quota: true }));
  });

  it.each([
    { name: "永不过期", seconds: undefined },
    { name: "一天后过期", seconds: 86_400 },
    { name: "一小时后过期", seconds: 3600 },
    { name: "一分钟后过期", seconds: 60 },
  ])("sets the expiry by a button: $name", async ({ name, seconds }) => {
    vi.useFakeTimers({ now: 1_700_000_000_000, toFake: ["Date"] });
    try {
      const stage = await open("/token/edit/7", { ...TOKEN, expired_time: 1_600_000_000 });
      await stage.press(name);
      expect(field("过期时间").value).toBe(seconds === undefined ? "" : formatTime(1_700_000_000 + seconds));
    } finally {
      vi.useRealTimers();
    }
  });

  it("shows a quota's worth when the site shows currency, unless it is unlimited", async () => {
    localStorage.setItem("display_in_currency", "true");
    localStorage.setItem("quota_per_unit", "500000");
    const stage = await open("/token/edit/7", { ...TOKEN, remain_quota: 1_000_000 });
    expect(screen.getByText(/^等价金额：\$2(\.0+)?$/)).toBeTruthy();
    await stage.person.clear(field(/^额度/));
    await waitFor(() => expect(screen.queryByText(/^等价金额/)).toBeNull());
    await stage.person.type(field(/^额度/), "1000000");
    expect(screen.getByText(/^等价金额：\$2(\.0+)?$/)).toBeTruthy();
    await stage.person.click(screen.getByRole("switch", { name: "无限额度" }));
    await waitFor(() => expect(screen.queryByText(/^等价金额/)).toBeNull());
  });

  it("asks before it is left changed by a switch, a date or a button, and never where nothing was changed", async () => {
    const stage = await open("/token/edit/7");
    await stage.press("取消");
    await waitFor(() => expect(stage.router.state.location.pathname).toBe("/token"));
    for (const change of [
      () => stage.person.click(screen.getByRole("switch", { name: "无限额度" })),
      () => stage.person.type(field("过期时间"), "1"),
      () => stage.press("永不过期"),
    ]) {
      await stage.router.navigate({ to: "/token/edit/$id", params: { id: "7" } });
      await waitFor(() => expect(field(/^名称/).value).toBe("seven"));
      await change();
      await stage.press("取消");
      await stage.person.click(await screen.findByRole("button", { name: "放弃修改" }));
      await waitFor(() => expect(stage.router.state.location.pathname).toBe("/token"));
    }
  });

  it("that could not be read says so, and reads it again on request", async () => {
    let isThere = false;
    const stage = await open("/token/edit/7", TOKEN, {
      "GET /api/token/7": () =>
        isThere ? TOKEN : Response.json({ success: false, message: "no such token" }),
    });
    expect(document.querySelector("h1")?.textContent).toContain("更新令牌信息");
    expect(screen.getByText(/no such token/)).toBeTruthy();
    isThere = true;
    await stage.press("重试");
    await waitFor(() => expect(field(/^名称/).value).toBe("seven"));
  });
});

describe("many new keys", () => {
  const BATCHES = { "GET /api/status": { list_extras: "batches" } };

  it("are created with one call, and their secrets are saved as a file", async () => {
    const saved: Blob[] = [];
    vi.spyOn(URL, "createObjectURL").mockImplementation((blob) => {
      saved.push(blob as Blob);
      return "blob:x";
    });
    vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(() => undefined);
    const stage = await open("/token/add", TOKEN, {
      ...BATCHES,
      "POST /api/token/many": [
        { ...TOKEN, id: 1, key: "one", name: "=a-1" },
        { ...TOKEN, id: 2, key: "two", name: "a-2" },
      ],
    });
    await stage.person.type(field(/^名称/), "a");
    await stage.person.clear(field(/^数量/));
    await stage.person.type(field(/^数量/), "501");
    await stage.submit();
    expect(await screen.findByText("请输入 1 到 500 之间的整数")).toBeTruthy();
    await stage.person.clear(field(/^数量/));
    await stage.person.type(field(/^数量/), "2");
    await stage.submit();
    await screen.findByRole("dialog", { name: "已创建 2 个令牌" });
    expect(stage.bodyOf("POST /api/token/many")).toEqual({
      count: 2,
      name: "a",
      expired_time: -1,
      remain_quota: 500_000,
      unlimited_quota: false,
    });
    await stage.press("下载 CSV");
    await stage.press("下载文本");
    expect(await Promise.all(saved.map((blob) => blob.text()))).toEqual([
      "\uFEFFname,key\r\n'=a-1,sk-one\r\na-2,sk-two\r\n",
      "sk-one\nsk-two\n",
    ]);
    await stage.press("完成");
    await waitFor(() => expect(stage.router.state.location.href).toBe("/token"));
    vi.restoreAllMocks();
  });

  it("ask before their page is left, while they are created and while their secrets are shown", async () => {
    let answer = (_data: unknown) => {};
    const stage = await open("/token/add", TOKEN, {
      ...BATCHES,
      "POST /api/token/many": () => new Promise((resolve) => (answer = resolve)),
    });
    await stage.person.type(field(/^名称/), "a");
    await stage.person.clear(field(/^数量/));
    await stage.person.type(field(/^数量/), "2");
    await stage.submit();
    await waitFor(() => expect(stage.bodyOf("POST /api/token/many")).toBeDefined());
    const tryToLeave = async () => {
      void stage.router.navigate({ to: "/log" });
      await screen.findByRole("alertdialog", { name: "离开创建令牌的页面？" });
      await stage.press("留在此页");
    };
    await tryToLeave();
    answer([TOKEN, { ...TOKEN, id: 8, key: "two", name: "a-2" }]);
    await screen.findByRole("dialog", { name: "已创建 2 个令牌" });
    await tryToLeave();
    await stage.press("完成");
    await waitFor(() => expect(stage.router.state.location.href).toBe("/token"));
  });

  it("are not offered with a server that lacks the call", async () => {
    await open("/token/add", TOKEN, { "GET /api/status": {} });
    expect(screen.queryByLabelText(/^数量/)).toBeNull();
  });
});
