// @vitest-environment happy-dom

import { afterEach, expect, it, vi } from "vitest";
import { screen, waitFor } from "../testing/draw";
import { openConsole } from "../testing/open-console";

afterEach(() => vi.restoreAllMocks());

const watchSaved = (): string[] => {
  const saved: string[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
    saved.push(this.getAttribute("href") ?? "");
  });
  return saved;
};

it.each([
  { page: "/log?token=t&type=2", role: 10, path: "/api/log/export", has: { token_name: "t", type: "2" } },
  { page: "/log?model=m", role: 1, path: "/api/log/self/export", has: { model_name: "m" } },
  { page: "/user?q=ann", role: 10, path: "/api/user/export", has: { keyword: "ann" } },
  { page: "/channel?q=east", role: 10, path: "/api/channel/export", has: { keyword: "east" } },
  { page: "/redemption?q=gift", role: 10, path: "/api/redemption/export", has: { keyword: "gift" } },
  {
    page: "/dashboard?by=model&model=m",
    role: 10,
    path: "/api/usage/export",
    has: { by: "model", model_name: "m" },
  },
])(
  "exports the rows of $page for role $role, by this clock and in its language",
  async ({ page, role, path, has }) => {
    const saved = watchSaved();
    const { person, calls } = await openConsole(page, {}, role);
    await person.click(await screen.findByRole("button", { name: "导出" }));
    await person.click(await screen.findByRole("menuitem", { name: "JSON Lines" }));
    await waitFor(() => expect(saved).toHaveLength(1));
    // A first call, so that a rejection can be reported here.
    expect(calls.filter(({ call }) => call.includes("/export"))).toMatchObject([
      { call: `GET ${saved[0]}&check=true` },
    ]);
    const [address = "", query] = saved[0]?.split("?") ?? [];
    expect(address).toBe(path);
    expect(Object.fromEntries(new URLSearchParams(query))).toMatchObject({
      ...has,
      format: "jsonl",
      language: "zh-CN",
      offset_minutes: String(-new Date().getTimezoneOffset()),
    });
    expect(query).not.toContain("top=");
  },
);

it.each([
  { status: 429, message: "正在进行的导出已达上限", text: "正在进行的导出已达上限" },
  { status: 200, message: "没有这种格式", text: "没有这种格式" },
])("says why the server makes no file ($status), and saves nothing", async ({ status, message, text }) => {
  const saved = watchSaved();
  const { person, notices } = await openConsole("/log", {
    "GET /api/log/export": () => Response.json({ success: false, message }, { status }),
  });
  const button = () => screen.findByRole("button", { name: "导出" });
  await person.click(await button());
  await person.click(await screen.findByRole("menuitem", { name: /CSV/ }));
  await waitFor(() => expect(notices).toMatchObject([{ kind: "error", text }]));
  await waitFor(async () => expect((await button()).getAttribute("aria-busy")).toBeNull());
  expect(saved).toEqual([]);
});
