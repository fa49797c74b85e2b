// @vitest-environment happy-dom

import { CONTRACT_VERSION } from "@tollgate/contract/version";
import { describe, expect, it, vi } from "vitest";
import { screen, waitFor } from "../testing/draw";
import { openConsole } from "../testing/open-console";

/** Opens a page of a server with this status, as a guest unless a role is given. */
const open = (path: string, status: object, role = 0, more: object = {}) =>
  openConsole(path, { "GET /api/status": { version: CONTRACT_VERSION, ...status }, ...more }, role);

describe("V1: the status", () => {
  it.each([true, false])(
    "asks for an e-mail at the registration only where email_verification is set: %s",
    async (isSet) => {
      await open("/register", { email_verification: isSet });
      expect(screen.queryByLabelText("邮箱地址") !== null).toBe(isSet);
    },
  );

  it.each([
    { github_oauth: true, wechat_login: false },
    { github_oauth: false, wechat_login: true },
  ])("offers GitHub by github_oauth and WeChat by wechat_login: %o", async (status) => {
    await open("/login", status);
    expect(screen.queryByRole("button", { name: "使用 GitHub 登录" }) !== null).toBe(status.github_oauth);
    expect(screen.queryByRole("button", { name: "使用微信登录" }) !== null).toBe(status.wechat_login);
  });

  it("draws wechat_qrcode in the window of the WeChat sign-in", async () => {
    const { person } = await open("/login", { wechat_login: true, wechat_qrcode: "/qr.png" });
    await person.click(screen.getByRole("button", { name: "使用微信登录" }));
    expect((await screen.findByAltText("公众号二维码")).getAttribute("src")).toBe("/qr.png");
  });

  it("names the site by system_name, draws its logo, and puts footer_html under the page", async () => {
    await open("/about", { system_name: "Acme", logo: "/acme.png", footer_html: "<b>Acme Ltd</b>" });
    expect(document.title).toBe("Acme");
    expect(document.querySelector("header img")?.getAttribute("src")).toBe("/acme.png");
    expect(screen.getByText("Acme")).toBeTruthy();
    expect((await screen.findByText("Acme Ltd")).tagName).toBe("B");
  });

  it.each([
    { quota_per_unit: 1000, display_in_currency: true, shown: "$2.50" },
    { quota_per_unit: 500, display_in_currency: true, shown: "$5.00" },
    { quota_per_unit: 500, display_in_currency: false, shown: "2500" },
  ])(
    "counts by quota_per_unit $quota_per_unit, in dollars where display_in_currency is set ($display_in_currency): $shown",
    async ({ shown, ...status }) => {
      await open("/topup", status, 1, { "GET /api/user/self": { id: 1, username: "me", quota: 2500 } });
      expect(await screen.findByText(shown)).toBeTruthy();
    },
  );

  it.each(["https://chat.example.com", ""])("has the chat in the menu by chat_link %j", async (link) => {
    await open("/about", { chat_link: link }, 1);
    expect(screen.queryByRole("link", { name: "聊天" }) !== null).toBe(link !== "");
  });

  it.each([
    { version: CONTRACT_VERSION, isReported: false },
    { version: "v0.0.0", isReported: false },
    { version: "v9.9.9", isReported: true },
  ])("tells of another version $version: $isReported", async ({ version, isReported }) => {
    const { notices } = await open("/about", { version });
    expect(notices.map(({ kind }) => kind)).toEqual(isReported ? ["notice"] : []);
  });

  it("opens top_up_link", async () => {
    const opened = vi.spyOn(window, "open").mockReturnValue(null);
    const { person } = await open("/topup", { top_up_link: "https://pay.example.com" }, 1, {
      "GET /api/user/self": { id: 1, username: "me", quota: 1 },
    });
    await person.click(screen.getByRole("button", { name: "获取兑换码" }));
    expect(opened.mock.calls[0]?.[0]).toBe("https://pay.example.com");
  });

  it("hands server_address and the key to the client on one's own device", async () => {
    const opened = vi.spyOn(window, "open").mockReturnValue(null);
    const { person, row } = await open("/token", { server_address: "https://gate.example.com/" }, 1, {
      "GET /api/token/": [{ id: 1, name: "one", key: "abc", status: 1 }],
    });
    await person.click(row("one").getByRole("button", { name: "更多操作：one" }));
    await person.click(await screen.findByRole("menuitem", { name: "OpenCat" }));
    await waitFor(() => expect(opened).toHaveBeenCalledOnce());
    expect(decodeURIComponent(String(opened.mock.calls[0]?.[0]))).toContain("gate.example.com");
    expect(String(opened.mock.calls[0]?.[0])).toContain("sk-abc");
  });
});
