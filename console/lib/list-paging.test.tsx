// @vitest-environment happy-dom

import { expect, it } from "vitest";
import { screen, waitFor } from "../testing/draw";
import { openConsole } from "../testing/open-console";

/** More rows than a page holds, with the fields of all lists. */
const ROWS = Array.from({ length: 25 }, (_, index) => ({
  id: 25 - index,
  name: `row ${index}`,
  username: `row ${index}`,
  key: `key${index}`,
  status: 1,
  type: 1,
  created_at: 1_700_000_000 - index,
}));

const answer = (_body: unknown, call: string) => {
  if (/^GET \/api\/(user|token|channel|redemption|log)\/(self\/)?(search)?\?/.test(call))
    return /[?&]p=[1-9]/.test(call) ? [] : ROWS;
  return [];
};

/** Lists at addresses that use every list parameter. */
const LISTS = [
  "/user?q=row&sort=-id",
  "/token?q=row&sort=name",
  "/channel?q=row&sort=-id",
  "/redemption?q=row&sort=-name",
  "/log?token=t&model=m&type=2&user=u&channel=3&start=1600000000&end=1800000000",
];

it.each(LISTS)("%s keeps its search, its filters and its order from page to page", async (address) => {
  const stage = await openConsole(address, { "*": answer });
  const searchNow = () => stage.router.state.location.search as Record<string, unknown>;
  const { page: _page, ...before } = searchNow();
  const next = () => screen.findByRole("button", { name: "下一页" });
  const [first] = stage.cells();
  await stage.person.click(await next());
  await waitFor(() => expect(stage.cells()[0]).not.toEqual(first));
  expect(searchNow()).toMatchObject({ ...before, page: expect.anything() });
  await stage.person.click(await next());
  await waitFor(() => expect(String(searchNow().page)).toBe("3"));
  expect(searchNow()).toMatchObject(before);
  await waitFor(() => expect(stage.cells()).toHaveLength(5));
  await stage.person.click(screen.getByRole("button", { name: "上一页" }));
  await waitFor(() => expect(stage.cells()).toHaveLength(10));
  expect(searchNow()).toMatchObject(before);
});

it("keeps a keyword that may be a key from page to page, although no address names it", async () => {
  const stage = await openConsole("/token", { "*": answer });
  await stage.person.type(screen.getByRole("searchbox"), "sk-0123456789abcdef0123456789abcdef{Enter}");
  await waitFor(() => expect(stage.calls.some(({ call }) => call.includes("search?keyword=sk-"))).toBe(true));
  const [first] = stage.cells();
  await stage.person.click(await screen.findByRole("button", { name: "下一页" }));
  await waitFor(() => expect(stage.cells()[0]).not.toEqual(first));
  expect(screen.getByRole<HTMLInputElement>("searchbox").value).toContain("sk-");
  expect(window.location.href).not.toContain("sk-");
});
