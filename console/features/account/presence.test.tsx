// @vitest-environment happy-dom

import { describe, expect, it } from "vitest";
import { screen, waitFor, within } from "../../testing/draw";
import { openConsole } from "../../testing/open-console";

const STATUS = { "GET /api/status": { list_queries: true, list_extras: "second-factor" } };
const NEEDED = () =>
  new Response(JSON.stringify({ success: false, message: "请先确认是你本人", needs: "presence" }));
const FACTOR = { enabled: true, required: false, backup_codes_remaining: 3 };

describe("a call that needs the user at the browser", () => {
  const open = async (answers: Record<string, unknown>) => {
    const tokens = [NEEDED(), "0123456789abcdef0123456789abcdef"];
    const stage = await openConsole(
      "/setting",
      { ...STATUS, "GET /api/user/token": () => tokens.shift(), "POST /api/user/confirm": null, ...answers },
      1,
    );
    await stage.person.click(await screen.findByRole("button", { name: "生成系统访问令牌" }));
    await screen.findByRole("dialog", { name: "确认是你本人" });
    return stage;
  };
  const called = ({ calls }: Awaited<ReturnType<typeof open>>, name: string) =>
    calls.filter(({ call }) => call === name).map(({ body }) => body);

  it("is repeated once the password is confirmed", async () => {
    const stage = await open({ "GET /api/user/2fa/status": { ...FACTOR, enabled: false } });
    await stage.person.type(await screen.findByLabelText("密码"), "password-1{Enter}");
    await waitFor(() => expect(called(stage, "GET /api/user/token")).toHaveLength(2));
    expect(called(stage, "POST /api/user/confirm")).toEqual([{ password: "password-1" }]);
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(await screen.findByDisplayValue("0123456789abcdef0123456789abcdef")).toBeTruthy();
  });

  it("asks a user with a second factor for a code, and stays open for a wrong one", async () => {
    const answers = [
      new Response(JSON.stringify({ success: false, message: "验证码错误", field: "code" })),
      null,
    ];
    const stage = await open({
      "GET /api/user/2fa/status": FACTOR,
      "POST /api/user/confirm": () => answers.shift(),
    });
    const field = await screen.findByLabelText("验证码");
    await stage.person.type(field, "111111{Enter}");
    expect(await screen.findByText("验证码错误")).toBeTruthy();
    await stage.person.clear(field);
    await stage.person.type(field, "222222{Enter}");
    await waitFor(() => expect(called(stage, "GET /api/user/token")).toHaveLength(2));
  });

  it("fails with the server's sentence where the user closes the window", async () => {
    const stage = await open({ "GET /api/user/2fa/status": FACTOR });
    const window = within(screen.getByRole("dialog", { name: "确认是你本人" }));
    await stage.person.click(window.getByRole("button", { name: "关闭" }));
    await waitFor(() => expect(stage.notices).toContainEqual({ kind: "error", text: "请先确认是你本人" }));
    expect(called(stage, "GET /api/user/token")).toHaveLength(1);
  });
});
