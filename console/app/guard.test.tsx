// @vitest-environment happy-dom
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { startLanguage } from "../lib/i18n";
import { createQueryClient } from "../lib/query-client";
import { cleanup, render, screen, waitFor } from "../testing/draw";
import { createConsoleRouter } from "./router";

beforeAll(startLanguage);

beforeEach(() => {
  localStorage.clear();
  vi.stubGlobal("scrollTo", () => undefined);
  vi.stubGlobal("fetch", async (address: string) =>
    Response.json(
      address.endsWith("/api/user/login")
        ? {
            success: true,
            message: "",
            data: { id: 2, username: "a-very-long-username", role: 10, status: 1 },
          }
        : { success: true, message: "", data: [] },
    ),
  );
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const open = async (path: string) => {
  window.history.replaceState(null, "", path);
  const router = createConsoleRouter();
  render(
    <QueryClientProvider client={createQueryClient()}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
  await waitFor(() => expect(router.state.status).toBe("idle"));
  return router;
};

describe("login guard", () => {
  it.each(["/token", "/channel/edit/3", "/log?type=2", "/dashboard?range=30d"])(
    "sends guests from %s to the login page",
    async (path) => {
      const router = await open(path);
      expect(router.state.location.pathname).toBe("/login");
      expect(router.state.location.state.from).toBe(path);
    },
  );

  it("lets everyone see an unknown page's apology", async () => {
    await open("/nowhere");
    expect(await screen.findByText("页面不存在，请检查你的浏览器地址是否正确。")).toBeTruthy();
  });
});

describe("menu", () => {
  const links = async () => {
    const menu = await screen.findByRole("navigation", { name: "主菜单" });
    return [...menu.querySelectorAll("a")].map((link) => link.textContent);
  };

  it("offers guests nothing that needs a login, a chat link or not", async () => {
    localStorage.setItem("chat_link", "https://chat.example");
    await open("/about");
    expect(await links()).toEqual(["首页", "关于"]);
  });

  it("offers users their own pages, and the chat if the site has one", async () => {
    localStorage.setItem("chat_link", "https://chat.example");
    localStorage.setItem("user", JSON.stringify({ id: 2, username: "bob", role: 1, status: 1 }));
    await open("/about");
    expect(await links()).toEqual(["首页", "看板", "令牌", "充值", "日志", "设置", "关于", "聊天"]);
  });
});

describe("login", () => {
  it("says that a login has expired", async () => {
    await open("/login?expired=true");
    expect(await screen.findByText("未登录或登录已过期,请重新登录!")).toBeTruthy();
  });

  it("stores the user, goes to the tokens, and shows an administrator's menu", async () => {
    const router = await open("/login");
    const person = userEvent.setup();
    await person.type(await screen.findByLabelText("用户名"), "admin");
    await person.type(screen.getByLabelText("密码"), "12345678");
    await person.click(screen.getByRole("button", { name: "登录" }));
    await waitFor(() => expect(router.state.location.pathname).toBe("/token"));
    expect(JSON.parse(localStorage.getItem("user") ?? "{}")).toMatchObject({ id: 2, role: 10 });
    expect(screen.getByRole("link", { name: "渠道" })).toBeTruthy();
    expect(await screen.findByRole("button", { name: "a-very-long-use…" })).toBeTruthy();
    expect(await screen.findByText("还没有令牌")).toBeTruthy();
  });
});
