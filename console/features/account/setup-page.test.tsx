// @vitest-environment happy-dom

import { describe, expect, it } from "vitest";
import { screen, waitFor } from "../../testing/draw";
import { openConsole } from "../../testing/open-console";

const ROOT = { id: 1, username: "root", display_name: "Root", role: 100, status: 1 };

const open = async (more: object = {}) => {
  const stage = await openConsole(
    "/setup#the-code",
    {
      "POST /api/setup/check": { state: "open", username: "root" },
      "POST /api/setup": ROOT,
      "GET /api/status": { version: "v0.0.0" },
      ...more,
    },
    0,
  );
  const field = (label: string | RegExp) => screen.getByLabelText<HTMLInputElement>(label);
  const type = (label: string | RegExp, text: string) => stage.person.type(field(label), text);
  const submit = () => stage.person.click(screen.getByRole("button", { name: "设置密码并登录" }));
  return { ...stage, field, type, submit };
};

describe("V1: root's first password", () => {
  it("is sent with the code of the link, signs root in, and does not come back with the back button", async () => {
    const page = await open();
    await waitFor(() => expect(page.field("用户名").value).toBe("root"));
    const length = window.history.length;
    await page.type(/^新密码/, "12345678");
    await page.type(/^确认密码/, "12345678");
    const asked = page.calls.filter(({ call }) => call === "GET /api/status").length;
    await page.submit();
    await waitFor(() => expect(page.router.state.location.pathname).toBe("/start"));
    expect(page.bodyOf("POST /api/setup")).toEqual({ code: "the-code", password: "12345678" });
    expect(JSON.parse(localStorage.getItem("user") ?? "{}")).toMatchObject({ username: "root", role: 100 });
    expect(page.notices).toEqual([{ kind: "success", text: "密码已设置，欢迎使用！" }]);
    expect(window.history.length).toBe(length);
    expect(page.calls.filter(({ call }) => call === "GET /api/status").length).toBe(asked + 1);
  });

  it("is typed twice alike and is long enough; the field that is not is said and has the focus", async () => {
    const page = await open();
    await waitFor(() => expect(page.field("用户名").value).toBe("root"));
    await page.type(/^新密码/, "1234567");
    await page.type(/^确认密码/, "1234567");
    await page.submit();
    expect(await screen.findByText("密码长度不得小于 8 位!")).toBeTruthy();
    expect(screen.queryByText("两次输入的密码不一致")).toBeNull();
    expect(document.activeElement).toBe(page.field(/^新密码/));
    await page.type(/^新密码/, "8");
    await page.submit();
    expect(await screen.findByText("两次输入的密码不一致")).toBeTruthy();
    expect(screen.queryByText("密码长度不得小于 8 位!")).toBeNull();
    expect(document.activeElement).toBe(page.field(/^确认密码/));
    expect(page.bodyOf("POST /api/setup")).toBeUndefined();
  });

  it("of a link that was used meanwhile is refused, and the page names the purpose of the link", async () => {
    let state: object = { state: "open", username: "root" };
    const page = await open({
      "POST /api/setup/check": () => state,
      "POST /api/setup": () => Response.json({ success: false, message: "used" }),
    });
    await waitFor(() => expect(page.field("用户名").value).toBe("root"));
    state = { state: "done" };
    await page.type(/^新密码/, "12345678");
    await page.type(/^确认密码/, "12345678");
    await page.submit();
    expect(await screen.findByText("设置已完成")).toBeTruthy();
    expect(screen.getByRole("link", { name: "前往登录" }).getAttribute("href")).toBe("/login");
  });

  it("stays typed where the server did not answer as a gateway does", async () => {
    const page = await open({ "POST /api/setup": () => new Response("gone", { status: 502 }) });
    await waitFor(() => expect(page.field("用户名").value).toBe("root"));
    await page.type(/^新密码/, "12345678");
    await page.type(/^确认密码/, "12345678");
    await page.submit();
    await waitFor(() => expect(page.notices).toHaveLength(1));
    expect(page.calls.filter(({ call }) => call === "POST /api/setup/check")).toHaveLength(1);
    expect(page.field(/^新密码/).value).toBe("12345678");
  });
});
