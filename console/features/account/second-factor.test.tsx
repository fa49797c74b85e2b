// @vitest-environment happy-dom

import { afterEach, describe, expect, it } from "vitest";
import { chooseLanguage } from "../../lib/i18n";
import { screen, waitFor, within } from "../../testing/draw";
import { openConsole } from "../../testing/open-console";

const ME = { id: 1, username: "me", role: 1, status: 1 };
const TOLD = { "GET /api/status": { list_queries: true, list_extras: "second-factor" } };
const BEGUN = {
  secret: "JBSWY3DPEHPK3PXP",
  qr_code_data: "otpauth://totp/Site:me?secret=JBSWY3DPEHPK3PXP",
  backup_codes: ["ABCDE-FGHJK", "LMNPQ-RSTUV"],
};
const WRONG = () => new Response(JSON.stringify({ success: false, message: "验证码错误", field: "code" }));

const CODE = "验证码";

afterEach(() => chooseLanguage("zh-CN"));

describe("a sign-in with a second factor", () => {
  const open = async (answers: Record<string, unknown>) => {
    const stage = await openConsole("/login", { "GET /api/user/self": ME, ...answers }, 0);
    await stage.person.type(screen.getByLabelText("用户名"), "me");
    await stage.person.type(screen.getByLabelText("密码"), "password{Enter}");
    return stage;
  };
  const enter = async ({ person }: Awaited<ReturnType<typeof open>>, code: string) => {
    const field = await screen.findByLabelText(CODE);
    await person.clear(field);
    await person.type(field, `${code}{Enter}`);
  };

  it("asks for the code after the password, at its field where it is wrong", async () => {
    const answers = [WRONG(), ME];
    const stage = await open({
      "POST /api/user/login": { require_2fa: true, needs_setup: false },
      "POST /api/user/login/2fa": () => answers.shift(),
    });
    expect(await screen.findByRole("heading", { name: "输入验证码" })).toBeTruthy();
    await enter(stage, "111111");
    expect(await screen.findByText("验证码错误")).toBeTruthy();
    expect(stage.router.state.location.pathname).toBe("/login");
    await enter(stage, " 222222 ");
    await waitFor(() => expect(stage.router.state.location.pathname).toBe("/token"));
    expect(stage.calls.filter(({ call }) => call.endsWith("/2fa")).map(({ body }) => body)).toEqual([
      { code: "111111" },
      { code: "222222" },
    ]);
  });

  it("takes new-api's answer as well, and goes back to the password", async () => {
    const { person } = await open({ "POST /api/user/login": { require_2fa: true } });
    await screen.findByLabelText(CODE);
    await person.click(screen.getByRole("button", { name: "返回" }));
    expect(screen.getByLabelText("密码")).toBeTruthy();
  });

  it("sets one up first where the site requires it", async () => {
    const stage = await open({
      "POST /api/user/login": { require_2fa: true, needs_setup: true },
      "POST /api/user/login/2fa/setup": BEGUN,
      "POST /api/user/login/2fa": ME,
    });
    expect(await screen.findByText("JBSW Y3DP EHPK 3PXP")).toBeTruthy();
    expect(await screen.findByRole("img", { name: "两步验证二维码" })).toBeTruthy();
    const codes = within(screen.getByRole("region", { name: "备用码" })).getAllByRole("listitem");
    expect(codes.map((code) => code.textContent)).toEqual(BEGUN.backup_codes);
    // Everything else is read again in another language; another secret would make the scanned one useless.
    await stage.person.selectOptions(screen.getByLabelText("语言"), "en");
    const field = await screen.findByLabelText("Code");
    await stage.person.type(field, "123456{Enter}");
    await waitFor(() => expect(stage.router.state.location.pathname).toBe("/token"));
    expect(stage.calls.filter(({ call }) => call.endsWith("/setup"))).toHaveLength(1);
  });

  it("can be begun again where it has taken too long", async () => {
    const { person, calls } = await openConsole(
      "/login?needs=setup",
      { "POST /api/user/login/2fa/setup": () => new Response('{"success":false,"message":"请重新登录"}') },
      0,
    );
    await screen.findByText(/请重新登录/);
    await person.click(screen.getByRole("button", { name: "返回" }));
    expect(screen.getByLabelText("密码")).toBeTruthy();
    // The next person at this browser does not go on with it.
    await waitFor(() => expect(calls.map(({ call }) => call)).toContain("GET /api/user/logout"));
    expect(window.location.search).not.toContain("needs");
  });

  it("goes on where another site has sent the browser back", async () => {
    await openConsole("/login?needs=code", {}, 0);
    expect(await screen.findByLabelText(CODE)).toBeTruthy();
  });
});

describe("one's own second factor", () => {
  const open = (state: object, answers: Record<string, unknown> = {}) =>
    openConsole(
      "/setting",
      { "GET /api/user/self": ME, ...TOLD, "GET /api/user/2fa/status": () => state, ...answers },
      1,
    );

  it("is set up in a window, once, and shown as on then", async () => {
    const state = { enabled: false, required: false, backup_codes_remaining: 0 };
    const { person, calls, notices } = await open(state, {
      "POST /api/user/2fa/setup": BEGUN,
      "POST /api/user/2fa/enable": () => {
        Object.assign(state, { enabled: true, backup_codes_remaining: 8 });
        return null;
      },
    });
    await person.click(await screen.findByRole("button", { name: "启用" }));
    const window = within(await screen.findByRole("dialog", { name: "启用两步验证" }));
    await person.type(await window.findByLabelText(CODE), "123456{Enter}");
    expect(await screen.findByText("剩余 8 个备用码")).toBeTruthy();
    expect(screen.queryByRole("dialog")).toBeNull();
    expect(calls.filter(({ call }) => call.endsWith("/setup"))).toHaveLength(1);
    expect(notices.at(-1)).toMatchObject({ kind: "success" });
  });

  it("gets new backup codes, and is removed, with a code each", async () => {
    const state = { enabled: true, required: false, backup_codes_remaining: 2 };
    const { person, calls } = await open(state, {
      "POST /api/user/2fa/backup_codes": { backup_codes: ["NEWCO-DEABC"] },
      "POST /api/user/2fa/disable": () => {
        state.enabled = false;
        return null;
      },
    });
    await person.click(await screen.findByRole("button", { name: "重新生成备用码" }));
    const renewal = within(await screen.findByRole("dialog"));
    await person.type(await renewal.findByLabelText(CODE), "123456{Enter}");
    expect(await renewal.findByText("NEWCO-DEABC")).toBeTruthy();
    await person.click(renewal.getByRole("button", { name: "我已保存" }));
    await person.click(await screen.findByRole("button", { name: "关闭" }));
    const removal = within(await screen.findByRole("dialog", { name: "关闭两步验证" }));
    await person.type(await removal.findByLabelText(CODE), "ABCDE-FGHJK{Enter}");
    expect(await screen.findByText(/^启用后/)).toBeTruthy();
    expect(calls.find(({ call }) => call.endsWith("/disable"))?.body).toEqual({ code: "ABCDE-FGHJK" });
  });

  it("is replaced, and not removed, where the site requires it", async () => {
    const state = { enabled: true, required: true, backup_codes_remaining: 8 };
    const { person, calls } = await open(state, { "POST /api/user/2fa/disable": null });
    await person.click(await screen.findByRole("button", { name: "更换" }));
    const window = within(await screen.findByRole("dialog", { name: "更换两步验证" }));
    await person.type(await window.findByLabelText(CODE), "123456{Enter}");
    await waitFor(() => expect(calls.map(({ call }) => call)).toContain("POST /api/user/2fa/disable"));
  });

  it("is not asked for where the server has none", async () => {
    const { calls } = await openConsole("/setting", { "GET /api/user/self": ME }, 1);
    await screen.findByRole("button", { name: "生成系统访问令牌" });
    expect(calls.map(({ call }) => call)).not.toContain("GET /api/user/2fa/status");
  });

  it("says why it cannot be set up", async () => {
    const { person } = await open(
      { enabled: false, required: false, backup_codes_remaining: 0 },
      { "POST /api/user/2fa/setup": () => new Response('{"success":false,"message":"请先重新登录"}') },
    );
    await person.click(await screen.findByRole("button", { name: "启用" }));
    expect(await screen.findByText(/请先重新登录/)).toBeTruthy();
    expect(screen.queryByLabelText(CODE)).toBeNull();
  });
});
