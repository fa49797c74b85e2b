// @vitest-environment happy-dom

import { describe, expect, it, vi } from "vitest";
import { screen, waitFor, within } from "../../testing/draw";
import { openConsole } from "../../testing/open-console";

const browser = vi.hoisted(() => ({
  browserSupportsWebAuthn: vi.fn(() => true),
  startRegistration: vi.fn(),
  startAuthentication: vi.fn(),
}));
vi.mock("@simplewebauthn/browser", () => ({ ...browser, WebAuthnError: class extends Error {} }));

const ME = { id: 1, username: "me", role: 1, status: 1 };
const REQUEST = { options: { publicKey: { challenge: "abc" } } };
const CREATION = {
  options: {
    publicKey: {
      ...{ challenge: "abc", rp: { name: "Site" }, user: { id: "a", name: "me", displayName: "me" } },
      pubKeyCredParams: [],
    },
  },
};
const SIGNED = {
  ...{ id: "cred", rawId: "cred", type: "public-key", clientExtensionResults: {} },
  response: { clientDataJSON: "a", authenticatorData: "b", signature: "c", userHandle: "d" },
};
const MADE = { ...SIGNED, response: { clientDataJSON: "a", attestationObject: "b" } };

const refusal = (name: string) => Object.assign(new Error("the browser's own words"), { name });

describe("a sign-in by passkey", () => {
  const BUTTON = { name: "使用通行密钥登录" };
  const open = (answers: Record<string, unknown> = {}) =>
    openConsole(
      "/login",
      {
        "GET /api/status": { passkey_login: true },
        "GET /api/user/self": ME,
        "POST /api/user/passkey/login/begin": REQUEST,
        ...answers,
      },
      0,
    );

  it("is offered where the site has it", async () => {
    await openConsole("/login", { "GET /api/status": {} }, 0);
    await screen.findByLabelText("密码");
    expect(screen.queryByRole("button", BUTTON)).toBeNull();
  });

  it("sends what the browser signed, and signs in", async () => {
    browser.startAuthentication.mockResolvedValueOnce(SIGNED);
    const { person, router, calls } = await open({ "POST /api/user/passkey/login/finish": ME });
    await person.click(await screen.findByRole("button", BUTTON));
    await waitFor(() => expect(router.state.location.pathname).toBe("/token"));
    expect(browser.startAuthentication).toHaveBeenCalledWith({ optionsJSON: { challenge: "abc" } });
    expect(calls.find(({ call }) => call.endsWith("/login/finish"))?.body).toEqual({
      ...{ id: "cred", rawId: "cred", type: "public-key" },
      response: { clientDataJSON: "a", authenticatorData: "b", signature: "c" },
    });
  });

  it("says in a sentence why there is none", async () => {
    const { person, notices } = await open();
    for (const [error, text] of [
      [refusal("NotAllowedError"), "未使用通行密钥，请重试。"],
      [refusal("SecurityError"), "浏览器无法使用通行密钥：the browser's own words"],
    ] as const) {
      browser.startAuthentication.mockRejectedValueOnce(error);
      await person.click(await screen.findByRole("button", BUTTON));
      await waitFor(() => expect(notices.at(-1)).toMatchObject({ kind: "error", text }));
    }
    browser.browserSupportsWebAuthn.mockReturnValueOnce(false);
    await person.click(await screen.findByRole("button", BUTTON));
    await waitFor(() => expect(notices.at(-1)?.text).toMatch(/^此浏览器不支持通行密钥/));
  });

  it("completes one by password, alone or beside a code", async () => {
    browser.startAuthentication.mockResolvedValueOnce(SIGNED);
    const { person, router } = await openConsole(
      "/login?needs=either",
      {
        "GET /api/user/self": ME,
        "POST /api/user/login/2fa/passkey/begin": REQUEST,
        "POST /api/user/login/2fa/passkey/finish": ME,
      },
      0,
    );
    expect(await screen.findByLabelText("验证码")).toBeTruthy();
    await person.click(screen.getByRole("button", { name: "使用通行密钥" }));
    await waitFor(() => expect(router.state.location.pathname).toBe("/token"));
  });

  it("needs no code where the user has a passkey alone", async () => {
    const { person } = await openConsole(
      "/login",
      { "POST /api/user/login": { require_2fa: true, needs_setup: false, passkey: true, code: false } },
      0,
    );
    await person.type(await screen.findByLabelText("用户名"), "me");
    await person.type(screen.getByLabelText("密码"), "password{Enter}");
    expect(await screen.findByRole("button", { name: "使用通行密钥" })).toBeTruthy();
    expect(screen.queryByLabelText("验证码")).toBeNull();
  });
});

describe("one's own passkeys", () => {
  const open = (passkeys: object[], answers: Record<string, unknown> = {}) =>
    openConsole(
      "/setting",
      {
        "GET /api/user/self": ME,
        "GET /api/status": { list_queries: true, list_extras: "passkeys" },
        "GET /api/user/passkey": () => ({ enabled: passkeys.length > 0, passkeys }),
        ...answers,
      },
      1,
    );

  it("are added with a name, renamed and removed", async () => {
    browser.startRegistration.mockResolvedValueOnce(MADE);
    const passkeys: { id: number; name: string; created_time: number; last_used_time: number }[] = [];
    const { person, calls } = await open(passkeys, {
      "POST /api/user/passkey/register/begin": CREATION,
      "POST /api/user/passkey/register/finish": () => {
        passkeys.push({ id: 5, name: "laptop", created_time: 1, last_used_time: 0 });
        return passkeys[0];
      },
      "PUT /api/user/passkey/5": () => {
        passkeys[0] = { id: 5, name: "phone", created_time: 1, last_used_time: 9 };
        return null;
      },
      "DELETE /api/user/passkey/5": () => {
        passkeys.length = 0;
        return null;
      },
    });
    const add = await screen.findByRole<HTMLButtonElement>("button", { name: "添加通行密钥" });
    await waitFor(() => expect(add.disabled).toBe(false));
    await person.click(add);
    const adding = within(await screen.findByRole("dialog", { name: "添加通行密钥" }));
    await person.type(adding.getByLabelText("名称"), " laptop {Enter}");
    await person.click(await screen.findByRole("button", { name: "重命名 laptop" }));
    expect(calls.find(({ call }) => call.endsWith("/register/finish"))?.body).toMatchObject({
      name: "laptop",
    });
    const renaming = within(await screen.findByRole("dialog", { name: "重命名通行密钥" }));
    const field = renaming.getByLabelText(/^名称/);
    await person.clear(field);
    await person.type(field, "phone{Enter}");
    await person.click(await screen.findByRole("button", { name: "删除 phone" }));
    await person.click(within(await screen.findByRole("alertdialog")).getByRole("button", { name: "删除" }));
    await waitFor(() => expect(screen.queryByRole("list", { name: "通行密钥" })).toBeNull());
  });

  it("are not asked for where the server has none", async () => {
    const { calls } = await openConsole("/setting", { "GET /api/user/self": ME }, 1);
    await screen.findByRole("button", { name: "生成系统访问令牌" });
    expect(calls.map(({ call }) => call)).not.toContain("GET /api/user/passkey");
  });
});
