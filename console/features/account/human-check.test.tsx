// @vitest-environment happy-dom

import { afterAll, describe, expect, it } from "vitest";
import { screen, waitFor } from "../../testing/draw";
import { openConsole } from "../../testing/open-console";
import type { Turnstile } from "./turnstile-script";

const drawn: Parameters<Turnstile["render"]>[1][] = [];

/* The widget's script is never loaded: appending it only fires its load event. */
const append = document.head.append.bind(document.head);
document.head.append = (...nodes) => {
  for (const node of nodes) {
    if (node instanceof HTMLScriptElement) node.onload?.(new Event("load"));
    else append(node);
  }
};
window.turnstile = {
  render: (_element, options) => {
    drawn.push(options);
    return `widget ${drawn.length}`;
  },
  reset: () => undefined,
  remove: () => undefined,
};
afterAll(() => {
  document.head.append = append;
  delete window.turnstile;
});

const STATUS = {
  turnstile_check: true,
  turnstile_site_key: "site-key",
  email_verification: true,
  version: "v0.0.0",
};

/** Opens a page of a site with the check, and waits for its widget. */
const open = async (path: string) => {
  drawn.length = 0;
  const stage = await openConsole(path, { "GET /api/status": STATUS }, 0);
  await waitFor(() => expect(drawn).toHaveLength(1));
  expect(drawn[0]?.sitekey).toBe("site-key");
  const press = (name: string) => stage.person.click(screen.getByRole("button", { name }));
  /** The widget succeeds; the form receives the token before a button is pressed. */
  const find = async (token: string) => {
    drawn.at(-1)?.callback(token);
    await new Promise((resolve) => setTimeout(resolve));
  };
  const sent = (start: string) =>
    stage.calls.filter(({ call }) => call.startsWith(start)).map(({ call }) => call);
  return { ...stage, press, find, sent };
};

const CHECKING = { kind: "warning", text: "请稍后几秒重试,Turnstile 正在检查用户环境!" };

describe("V1: the human check", () => {
  it("holds a registration back until its token is ready, sends the token, and sends each once", async () => {
    const page = await open("/register");
    await page.person.type(screen.getByLabelText(/^用户名/), "carol");
    await page.person.type(screen.getByLabelText(/^密码/), "12345678");
    await page.person.type(screen.getByLabelText(/^确认密码/), "12345678");
    await page.press("注册");
    expect(page.notices).toEqual([CHECKING]);
    expect(page.sent("POST")).toEqual([]);
    await page.find("token-1");
    await page.press("注册");
    await waitFor(() => expect(page.sent("POST")).toEqual(["POST /api/user/register?turnstile=token-1"]));
    expect(page.calls.findLast(({ call }) => call.startsWith("POST"))?.body).toEqual({
      username: "carol",
      password: "12345678",
      password2: "12345678",
      email: "",
      verification_code: "",
      aff_code: "",
    });
    await waitFor(() => expect(page.router.state.location.pathname).toBe("/login"));
  });

  it("goes along with the request for an e-mail code, which takes another one next", async () => {
    const page = await open("/register");
    await page.press("获取验证码");
    expect(await screen.findByText("请输入邮箱地址")).toBeTruthy();
    await page.person.type(screen.getByLabelText("邮箱地址"), "c@example.com");
    await page.press("获取验证码");
    expect(page.notices).toEqual([CHECKING]);
    await page.find("token-2");
    await page.press("获取验证码");
    await waitFor(() =>
      expect(page.sent("GET /api/verification")).toEqual([
        "GET /api/verification?email=c%40example.com&turnstile=token-2",
      ]),
    );
    await waitFor(() => expect(drawn).toHaveLength(2));
    expect(screen.getByRole("button", { name: /^重试 \(\d+\)$/ })).toHaveProperty("disabled", true);
  });

  it("goes along with a reset request, and a token that has expired does not", async () => {
    const page = await open("/reset");
    await page.press("提交");
    expect(await screen.findByText("请输入邮箱地址")).toBeTruthy();
    await page.person.type(screen.getByLabelText(/^邮箱地址/), "c@example.com");
    await page.find("old");
    drawn.at(-1)?.["expired-callback"]();
    await new Promise((resolve) => setTimeout(resolve));
    await page.press("提交");
    expect(page.notices).toEqual([CHECKING]);
    expect(page.sent("GET /api/reset")).toEqual([]);
    await page.find("token-3");
    await page.press("提交");
    await waitFor(() =>
      expect(page.sent("GET /api/reset")).toEqual([
        "GET /api/reset_password?email=c%40example.com&turnstile=token-3",
      ]),
    );
    expect(screen.getByRole("button", { name: /^重试/ })).toHaveProperty("disabled", true);
  });

  const sendsNone = async (answers: object) => {
    const stage = await openConsole("/reset", { ...answers }, 0);
    await stage.person.type(screen.getByLabelText(/^邮箱地址/), "c@example.com");
    await stage.person.click(screen.getByRole("button", { name: "提交" }));
    await waitFor(() =>
      expect(stage.calls.at(-1)?.call).toBe("GET /api/reset_password?email=c%40example.com&turnstile="),
    );
  };

  it("is absent when the site has no human check: the token is empty", async () => {
    await sendsNone({ "GET /api/status": { version: "v0.0.0" } });
  });

  it("is absent until the site's settings are known: the token is empty", async () => {
    await sendsNone({});
  });
});
