// @vitest-environment happy-dom

import { expect, it } from "vitest";
import { screen, waitFor, within } from "../../testing/draw";
import { openConsole } from "../../testing/open-console";

/** Types a name into the window that deletes one's own account. The account is called "me". */
const deleteAs = async (typed: string) => {
  const stage = await openConsole(
    "/setting",
    { "GET /api/user/self": { id: 1, username: "me", role: 1 } },
    1,
  );
  await stage.person.click(await screen.findByRole("button", { name: "删除个人账户" }));
  const dialog = within(await screen.findByRole("dialog"));
  const field = dialog.getByRole("textbox");
  if (typed !== "") await stage.person.type(field, typed);
  await stage.person.type(field, "{Enter}");
  return { stage, dialog };
};

it.each(["", "Me", "ME", "mE", "me ", " me", "m", "mee", "you"])(
  "deletes no account whose name is typed as %j",
  async (typed) => {
    const { stage, dialog } = await deleteAs(typed);
    expect(await dialog.findByText("请输入你的账户名以确认删除!")).toBeTruthy();
    expect(stage.calls.filter(({ call }) => call.startsWith("DELETE"))).toEqual([]);
  },
);

it("deletes the account once its name is typed exactly", async () => {
  const { stage } = await deleteAs("me");
  await waitFor(() => expect(stage.calls.map(({ call }) => call)).toContain("DELETE /api/user/self"));
  await waitFor(() => expect(stage.router.state.location.pathname).toBe("/login"));
  expect(stage.notices.at(-1)).toMatchObject({ kind: "success" });
});
