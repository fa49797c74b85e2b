// @vitest-environment happy-dom

import { describe, expect, it } from "vitest";
import { screen, waitFor } from "../testing/draw";
import { openConsole } from "../testing/open-console";

const TOKEN = {
  id: 7,
  key: "k",
  name: "seven",
  status: 1,
  remain_quota: 90,
  used_quota: 0,
  unlimited_quota: false,
  created_time: 100,
  expired_time: -1,
};

const refusal = (message: string, field?: string, status = 200) =>
  Response.json({ success: false, message, ...(field === undefined ? {} : { field }) }, { status });

const input = (label: string | RegExp) => screen.getByLabelText<HTMLInputElement>(label);

/** The mistake that is announced with a field. */
const mistakeOf = (field: HTMLElement): string | undefined =>
  field.getAttribute("aria-invalid") === "true"
    ? (document.getElementById(field.getAttribute("aria-describedby") ?? "")?.textContent ?? undefined)
    : undefined;

const openKey = async (answer: () => Response) => {
  const stage = await openConsole("/token/edit/7", { "GET /api/token/7": TOKEN, "PUT /api/token/": answer });
  const submit = () => stage.person.click(screen.getByRole("button", { name: "提交" }));
  return { ...stage, submit };
};

describe("a refusal that names a field", () => {
  it("is shown at the field in a folded section, focused, with everything typed, until it is changed", async () => {
    const stage = await openKey(() => refusal('地址不对：<b>x, %"😀</b>', "subnet"));
    await stage.person.type(input(/^名称/), ' % "x", 😀');
    await stage.submit();
    const subnet = await screen.findByLabelText<HTMLTextAreaElement>("允许的地址");
    await waitFor(() => expect(mistakeOf(subnet)).toBe('地址不对：<b>x, %"😀</b>'));
    expect(document.activeElement).toBe(subnet);
    expect(subnet.closest("details")?.open).toBe(true);
    expect(input(/^名称/).value).toBe('seven % "x", 😀');
    expect(stage.notices).toEqual([{ kind: "error", text: '地址不对：<b>x, %"😀</b>' }]);
    await stage.person.type(subnet, "1");
    await waitFor(() => expect(mistakeOf(subnet)).toBeUndefined());
    expect(subnet.closest("details")?.open).toBe(true);
  });

  it("is shown at a field that has another name in the form, and with any status", async () => {
    const stage = await openKey(() => refusal("无效的参数", "expired_time", 400));
    await stage.submit();
    await waitFor(() => expect(mistakeOf(input("过期时间"))).toBe("无效的参数"));
    expect(document.activeElement).toBe(input("过期时间"));
    expect(stage.notices).toEqual([{ kind: "error", text: "Error: 无效的参数" }]);
  });

  it("is shown again when the same is sent again", async () => {
    const stage = await openKey(() => refusal("名称过长", "name"));
    await stage.submit();
    await waitFor(() => expect(mistakeOf(input(/^名称/))).toBe("名称过长"));
    screen.getByRole("button", { name: "提交" }).focus();
    await stage.submit();
    await waitFor(() => expect(document.activeElement).toBe(input(/^名称/)));
    expect(mistakeOf(input(/^名称/))).toBe("名称过长");
    expect(stage.notices).toEqual([
      { kind: "error", text: "名称过长" },
      { kind: "error", text: "名称过长" },
    ]);
  });

  it("is shown in forms that keep their own fields", async () => {
    const stage = await openConsole(
      "/register",
      { "POST /api/user/register": () => refusal("该用户名已被使用", "username") },
      0,
    );
    await stage.person.type(input(/^用户名/), "taken");
    await stage.person.type(input(/^密码/), "password-1");
    await stage.person.type(input(/^确认密码/), "password-1");
    await stage.person.click(screen.getByRole("button", { name: "注册" }));
    await waitFor(() => expect(mistakeOf(input(/^用户名/))).toBe("该用户名已被使用"));
    expect(document.activeElement).toBe(input(/^用户名/));
    expect(input(/^密码/).value).toBe("password-1");
    expect(stage.notices).toEqual([{ kind: "error", text: "该用户名已被使用" }]);
    await stage.person.type(input(/^用户名/), "2");
    await waitFor(() => expect(mistakeOf(input(/^用户名/))).toBeUndefined());
  });

  it("brings up a field that the form had not shown", async () => {
    const stage = await openConsole("/user/edit", {
      "GET /api/user/self": { id: 1, username: "me", display_name: "", role: 1, status: 1, quota: 0 },
      "PUT /api/user/self": () => refusal("当前密码不正确", "original_password"),
    });
    await stage.person.type(input(/^密码/), "password-2");
    await stage.person.click(screen.getByRole("button", { name: "提交" }));
    const current = await screen.findByLabelText<HTMLInputElement>("当前密码");
    await waitFor(() => expect(mistakeOf(current)).toBe("当前密码不正确"));
    expect(document.activeElement).toBe(current);
    expect(stage.notices).toEqual([{ kind: "error", text: "当前密码不正确" }]);
  });
});

describe("a refusal at no field of the form", () => {
  it("is what its status means, whichever field it names", async () => {
    const stage = await openKey(() => refusal("太快了", "name", 429));
    await stage.submit();
    await waitFor(() => expect(stage.notices).toHaveLength(1));
    expect(mistakeOf(input(/^名称/))).toBeUndefined();
  });

  it.each([undefined, "", "id", "toString", "__proto__", "no.such.field", "quota_x"])(
    "is a notice, as for servers that name none: %s",
    async (field) => {
      const stage = await openKey(() => refusal("不行", field));
      await stage.submit();
      await waitFor(() => expect(stage.notices).toEqual([{ kind: "error", text: "不行" }]));
      expect(document.querySelector("[aria-invalid=true]")).toBeNull();
    },
  );

  it("is a notice where the form has the field, but does not show it", async () => {
    const stage = await openKey(() => refusal("不行", "auto_groups"));
    await stage.submit();
    await waitFor(() => expect(stage.notices).toEqual([{ kind: "error", text: "不行" }]));
  });
});
