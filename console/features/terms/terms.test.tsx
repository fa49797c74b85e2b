// @vitest-environment happy-dom

import { describe, expect, it } from "vitest";
import { screen, waitFor, within } from "../../testing/draw";
import { openConsole } from "../../testing/open-console";

const STATUS = {
  list_queries: true,
  list_extras: "terms",
  terms_version: 3,
  user_agreement: true,
  privacy_policy: true,
};
const TOLD = { "GET /api/status": STATUS };
const TERMS = { version: 3, user_agreement: "# Be kind", privacy_policy: "", published_at: 1_700_000_000 };
const DUE = { version: 3, is_due: true, accepted_version: 0, accepted_at: 0 };
const PASSED = { ...DUE, is_due: false, accepted_version: 3 };

describe("a registration on a site with terms", () => {
  const fill = async (answers: Record<string, unknown>) => {
    const stage = await openConsole("/register", { ...TOLD, "POST /api/user/register": null, ...answers }, 0);
    const { person } = stage;
    await person.type(screen.getByLabelText(/用户名/), "bob");
    await person.type(screen.getByLabelText(/^密码/), "password-1");
    await person.type(screen.getByLabelText(/确认密码/), "password-1");
    return stage;
  };
  const sent = ({ calls }: Awaited<ReturnType<typeof fill>>) =>
    calls.filter(({ call }) => call.startsWith("POST /api/user/register")).map(({ body }) => body);

  it("asks for consent before it is sent, and names the accepted version", async () => {
    const stage = await fill({});
    const box = await screen.findByRole("checkbox", { name: /我已阅读并同意/ });
    await stage.person.click(screen.getByRole("button", { name: "注册" }));
    expect(await screen.findByText("请先同意条款再注册")).toBeTruthy();
    expect(document.activeElement).toBe(box);
    expect(sent(stage)).toEqual([]);
    await stage.person.click(box);
    await stage.person.click(screen.getByRole("button", { name: "注册" }));
    await waitFor(() => expect(sent(stage)).toMatchObject([{ username: "bob", terms_version: 3 }]));
  });

  it("sends the newer version after a refusal", async () => {
    const answers = [STATUS, { ...STATUS, terms_version: 4 }];
    const refusal = { success: false, message: "条款已更新", field: "terms_version" };
    const stage = await fill({
      "GET /api/status": () => (answers.length > 1 ? answers.shift() : answers[0]),
      "POST /api/user/register": () => new Response(JSON.stringify(refusal)),
    });
    await stage.person.click(await screen.findByRole("checkbox", { name: /我已阅读并同意/ }));
    await stage.person.click(screen.getByRole("button", { name: "注册" }));
    expect(await screen.findByText("条款已更新")).toBeTruthy();
    await waitFor(() => expect(localStorage.getItem("status")).toContain('"terms_version":4'));
    await stage.person.click(screen.getByRole("button", { name: "注册" }));
    await waitFor(() => expect(sent(stage).at(-1)).toMatchObject({ terms_version: 4 }));
  });

  it("asks nothing on a site without terms", async () => {
    const stage = await fill({ "GET /api/status": {} });
    await stage.person.click(screen.getByRole("button", { name: "注册" }));
    await waitFor(() => expect(sent(stage)).toHaveLength(1));
    expect(screen.queryByRole("checkbox")).toBeNull();
    expect(sent(stage)[0]).not.toHaveProperty("terms_version");
  });
});

describe("terms that a user must accept", () => {
  it("are asked for in a window until they are accepted", async () => {
    const answers = [DUE, PASSED];
    const stage = await openConsole(
      "/token",
      {
        ...TOLD,
        "GET /api/user/terms": () => (answers.length > 1 ? answers.shift() : answers[0]),
        "POST /api/user/terms": null,
      },
      1,
    );
    const window = within(await screen.findByRole("dialog", { name: "本站条款" }));
    expect(window.getByRole("link", { name: "用户协议" }).getAttribute("target")).toBe("_blank");
    await stage.person.click(window.getByRole("button", { name: "同意" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(stage.calls.find(({ call }) => call === "POST /api/user/terms")?.body).toEqual({ version: 3 });
  });

  it.each([
    ["a user who has accepted them", PASSED, 1],
    ["an administrator", DUE, 10],
  ])("are not asked of %s", async (_, own, role) => {
    const stage = await openConsole("/token", { ...TOLD, "GET /api/user/terms": own }, role);
    await waitFor(() =>
      expect(stage.calls.some(({ call }) => call.startsWith("GET /api/token/"))).toBe(true),
    );
    expect(screen.queryByRole("dialog")).toBeNull();
  });
});

describe("the texts of the terms", () => {
  it("are shown with their version, the earlier one of the address too", async () => {
    const stage = await openConsole("/user-agreement?version=2", { ...TOLD, "GET /api/terms": TERMS }, 0);
    expect(await screen.findByText(/第 3 版/)).toBeTruthy();
    expect(await screen.findByText(/Be kind/)).toBeTruthy();
    expect(stage.calls.map(({ call }) => call)).toContain("GET /api/terms?version=2");
  });

  it("say so where the site has none", async () => {
    await openConsole("/privacy-policy", { ...TOLD, "GET /api/terms": TERMS }, 0);
    expect(await screen.findByText("本站尚未发布此内容。")).toBeTruthy();
  });

  it("begin with the current ones when root publishes a version", async () => {
    const stage = await openConsole(
      "/setting/terms/add",
      { ...TOLD, "GET /api/terms": TERMS, "POST /api/terms": TERMS, "GET /api/terms/versions": [] },
      100,
    );
    const field = await screen.findByLabelText("用户协议");
    expect(field).toHaveProperty("value", "# Be kind");
    await stage.person.type(field, "er");
    await stage.person.click(screen.getByRole("button", { name: "提交" }));
    await waitFor(() => expect(stage.router.state.location.pathname).toBe("/setting/terms"));
    expect(stage.calls.find(({ call }) => call === "POST /api/terms")?.body).toEqual({
      version: 3,
      user_agreement: "# Be kinder",
      privacy_policy: "",
      asks_again: false,
    });
  });
});
