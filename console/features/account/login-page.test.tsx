// @vitest-environment happy-dom

import { describe, expect, it } from "vitest";
import { screen, waitFor } from "../../testing/draw";
import { openConsole } from "../../testing/open-console";

const logIn = async (username: string, password: string) => {
  const stage = await openConsole(
    "/login",
    {
      "POST /api/user/login": { id: 1, username, role: 100, status: 1 },
      "GET /api/user/self": { id: 1, username },
    },
    0,
  );
  await stage.person.type(screen.getByLabelText("用户名"), username);
  await stage.person.type(screen.getByLabelText("密码"), `${password}{Enter}`);
  await waitFor(() => expect(stage.router.state.location.pathname).not.toBe("/login"));
  return stage;
};

describe("the login page", () => {
  it.each(["/login", "/register"])(
    "at %s describes the site, in its own sentence if it has one",
    async (path) => {
      await openConsole(path, { "GET /api/status": { system_name: "Acme" } }, 0);
      expect(await screen.findByText("Acme · 统一接入各家大模型的 API 网关")).toBeTruthy();
      await openConsole(path, { "GET /api/status": { system_name: "Acme", system_slogan: "<b>快</b>" } }, 0);
      expect(await screen.findByText("Acme · <b>快</b>")).toBeTruthy();
    },
  );

  it.each([
    ["?expired=true", 1],
    ["?expired=false", 0],
    ["?expired=", 0],
    ["?expired=0", 0],
    ["?expired=1", 0],
    ["?other=true", 0],
    ["", 0],
  ])("at %j says %i times that the session has expired", async (search, count) => {
    await openConsole(`/login${search}`, {}, 0);
    expect(screen.queryAllByText("未登录或登录已过期,请重新登录!")).toHaveLength(count);
  });

  it("warns of the default password, for as long as warnings stay, and leads to the profile", async () => {
    const { notices, router } = await logIn("root", "123456");
    expect(notices.map(({ kind }) => kind)).toEqual(["success", "warning"]);
    expect(notices.at(-1)?.text).toContain("默认密码");
    expect(router.state.location.pathname).toBe("/user/edit");
  });

  it.each([
    ["root", "12345678"],
    ["alice", "123456"],
  ])("leads %s with the password %s to the tokens without a warning", async (username, password) => {
    const { notices, router } = await logIn(username, password);
    expect(notices.map(({ kind }) => kind)).toEqual(["success"]);
    expect(router.state.location.pathname).toBe("/token");
  });
});
