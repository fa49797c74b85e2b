// @vitest-environment happy-dom

import { describe, expect, it } from "vitest";
import { screen } from "../../testing/draw";
import { openConsole } from "../../testing/open-console";

describe("the form of a new user", () => {
  it("leads to the first required field that is empty, and sends nothing", async () => {
    const stage = await openConsole("/user/add", { "POST /api/user/": null });
    const username = await screen.findByLabelText(/^用户名/);
    const submit = () => stage.person.click(screen.getByRole("button", { name: "提交" }));
    await submit();
    expect(document.activeElement).toBe(username);
    await stage.person.type(username, "carol");
    await submit();
    expect(document.activeElement).toBe(screen.getByLabelText(/^密码/));
    expect(stage.calls.filter(({ call }) => call.startsWith("POST "))).toEqual([]);
  });
});
