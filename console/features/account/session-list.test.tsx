// @vitest-environment happy-dom

import { describe, expect, it } from "vitest";
import { screen, waitFor, within } from "../../testing/draw";
import { openConsole } from "../../testing/open-console";

const session = (id: string, device: string, isCurrent: boolean) => ({
  ...{ id, device, address: "203.0.113.7", is_current: isCurrent },
  ...{ created_time: 1_764_000_000, last_used_time: 1_764_003_600, expires_time: 1_766_592_000 },
});

const ME = { "GET /api/user/self": { id: 1, username: "me", role: 1 } };
const TOLD = { "GET /api/status": { list_queries: true, list_extras: "sessions" } };

/** Opens the personal settings of a person who is signed in on these devices. */
const open = (sessions: readonly object[]) => {
  const left = [...sessions];
  return openConsole(
    "/setting",
    {
      ...ME,
      ...TOLD,
      "GET /api/user/sessions": () => [...left],
      "DELETE /api/user/sessions/other": () => {
        left.pop();
        return null;
      },
      "DELETE /api/user/sessions": () => {
        left.splice(1);
        return null;
      },
    },
    1,
  );
};

const BOTH = [session("own", "Chrome 141 · macOS", true), session("other", "", false)];
const list = () => screen.findByRole("list", { name: "已登录的设备" });

describe("the signed-in devices", () => {
  it("are shown with address and times; the own one has no button", async () => {
    await open(BOTH);
    const rows = within(await list()).getAllByRole("listitem");
    expect(rows.map((row) => within(row).queryByRole("button")?.textContent)).toEqual([undefined, "退出"]);
    expect(rows[0]?.textContent).toMatch(/Chrome 141 · macOS.*203\.0\.113\.7.*本设备.*登录于 2025-/);
    expect(rows[1]?.textContent).toContain("未知设备");
  });

  it("say that they could not be read, and are read again", async () => {
    const answers = [new Response("{}", { status: 500 }), BOTH];
    const { person } = await openConsole(
      "/setting",
      { ...ME, ...TOLD, "GET /api/user/sessions": () => answers.shift() },
      1,
    );
    await person.click(await screen.findByRole("button", { name: "重试" }));
    expect(within(await list()).getAllByRole("listitem")).toHaveLength(BOTH.length);
  });

  it("end one by one", async () => {
    const { person, calls } = await open(BOTH);
    await person.click(within(await list()).getByRole("button", { name: /^退出/ }));
    await waitFor(() => expect(screen.queryByText("未知设备")).toBeNull());
    expect(calls.map(({ call }) => call)).toContain("DELETE /api/user/sessions/other");
  });

  it("end all but one after a question", async () => {
    const { person, calls, notices } = await open(BOTH);
    await list();
    await person.click(screen.getByRole("button", { name: "退出其他设备" }));
    const question = within(await screen.findByRole("alertdialog"));
    expect(calls.filter(({ call }) => call.startsWith("DELETE"))).toEqual([]);
    await person.click(question.getByRole("button", { name: "退出其他设备" }));
    await waitFor(() => expect(notices.at(-1)).toMatchObject({ kind: "success" }));
    expect(calls.map(({ call }) => call)).toContain("DELETE /api/user/sessions");
    // There is no other one left to end.
    expect(screen.queryByRole("button", { name: "退出其他设备" })).toBeNull();
  });

  it("are read again where one has ended meanwhile", async () => {
    const left = [...BOTH];
    const { person } = await openConsole(
      "/setting",
      {
        ...ME,
        ...TOLD,
        "GET /api/user/sessions": () => [...left],
        "DELETE /api/user/sessions/other": () => {
          left.pop();
          return new Response(JSON.stringify({ success: false, message: "记录不存在" }));
        },
      },
      1,
    );
    await person.click(within(await list()).getByRole("button", { name: /^退出/ }));
    await waitFor(() => expect(screen.queryByText("未知设备")).toBeNull());
  });

  it("are not asked for where the server does not tell", async () => {
    const { calls, notices } = await openConsole("/setting", ME, 1);
    await screen.findByRole("button", { name: "生成系统访问令牌" });
    expect(screen.queryByText("已登录的设备")).toBeNull();
    expect(calls.map(({ call }) => call)).not.toContain("GET /api/user/sessions");
    expect(notices).toEqual([]);
  });
});
