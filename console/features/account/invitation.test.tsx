// @vitest-environment happy-dom

import { describe, expect, it } from "vitest";
import { readStored } from "../../lib/local-store";
import { screen, waitFor } from "../../testing/draw";
import { openConsole } from "../../testing/open-console";

/** Registers at this address, in a browser with the code of an earlier visit. */
const register = async (address: string, former?: string) => {
  if (former !== undefined) localStorage.setItem("aff", former);
  const stage = await openConsole(address, { "POST /api/user/register": null }, 0);
  await stage.person.type(screen.getByLabelText(/^用户名/), "alice");
  await stage.person.type(screen.getByLabelText(/^密码/), "12345678");
  await stage.person.type(screen.getByLabelText(/^确认密码/), "12345678{Enter}");
  await waitFor(() => expect(stage.calls.some(({ call }) => call.startsWith("POST"))).toBe(true));
  return stage.calls.find(({ call }) => call.startsWith("POST"))?.body as { aff_code?: string };
};

describe("an invitation", () => {
  it.each([
    ["/register?aff=new", undefined, "new"],
    ["/register?aff=new", "old", "new"],
    ["/register", "old", "old"],
    ["/register?aff=", "old", "old"],
    ["/register", undefined, ""],
  ])("of %s, in a browser that remembers %s, counts as %s", async (address, former, sent) => {
    expect((await register(address, former)).aff_code ?? "").toBe(sent);
  });

  it("is remembered when the person looks around before registering", async () => {
    const { router } = await openConsole("/register?aff=friend", {}, 0);
    await router.navigate({ to: "/about" });
    expect(readStored("aff")).toBe("friend");
  });
});
