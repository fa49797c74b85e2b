// @vitest-environment happy-dom

import { describe, expect, it } from "vitest";
import { screen, waitFor, within } from "../../testing/draw";
import { openConsole } from "../../testing/open-console";

const OPTIONS = [
  { key: "SMTPServer", value: "" },
  { key: "QuotaForNewUser", value: "5" },
  { key: "GitHubOAuthEnabled", value: "false" },
];

const open = (role: number) => openConsole("/setting?tab=operation", { "GET /api/option/": OPTIONS }, role);

describe("the search of settings", () => {
  it("finds an option of another tab by its name, and leads to its field", async () => {
    const { person, router } = await open(100);
    await person.type(screen.getByRole("searchbox", { name: "搜索设置" }), "smtp 服务器");
    const found = await screen.findByRole("region", { name: "找到的设置" });
    await person.click(within(found).getAllByRole("link")[0] as HTMLElement);
    await waitFor(() => expect(router.state.location.href).toBe("/setting?tab=system&option=SMTPServer"));
    await waitFor(() => expect(document.activeElement?.getAttribute("name")).toBe("SMTPServer"));
    expect(screen.queryByRole("region", { name: "找到的设置" })).toBeNull();
  });

  it("finds options by the names that scripts know", async () => {
    const { person } = await open(100);
    await person.type(screen.getByRole("searchbox", { name: "搜索设置" }), "quotafornew");
    const found = await screen.findByRole("region", { name: "找到的设置" });
    expect(within(found).getAllByRole("link")).toHaveLength(1);
  });

  it("suggests a next step when it finds nothing, and keeps typed text on the tab", async () => {
    const { person } = await open(100);
    const field = document.querySelector<HTMLInputElement>("[name=QuotaForNewUser]");
    await person.clear(field as HTMLElement);
    await person.type(field as HTMLElement, "77");
    const search = screen.getByRole("searchbox", { name: "搜索设置" });
    await person.type(search, "zzz");
    await screen.findByText("没有与“zzz”匹配的设置");
    await person.clear(search);
    expect(document.querySelector<HTMLInputElement>("[name=QuotaForNewUser]")?.value).toBe("77");
  });

  it("is for administrators alone", async () => {
    await open(1);
    expect(screen.queryByRole("searchbox", { name: "搜索设置" })).toBeNull();
  });
});
