// @vitest-environment happy-dom
import { expect, it } from "vitest";
import { screen } from "../testing/draw";
import { openConsole } from "../testing/open-console";

it.each(["/oauth/wechat", "/oauth/state", "/oauth/constructor"])(
  "%s is no page: no sign-in method sends people there",
  async (path) => {
    await openConsole(path, {}, 0);
    expect(await screen.findByRole("heading", { name: "页面不存在" })).toBeTruthy();
  },
);
