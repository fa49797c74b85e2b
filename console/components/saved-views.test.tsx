// @vitest-environment happy-dom

import { expect, it } from "vitest";
import { parseViews } from "../lib/saved-views";
import { fireEvent, screen, waitFor, within } from "../testing/draw";
import { openConsole } from "../testing/open-console";

const openWindow = async (person: Awaited<ReturnType<typeof openConsole>>["person"]) => {
  await person.click(await screen.findByRole("button", { name: "视图" }));
  await person.click(await screen.findByRole("menuitem", { name: "保存与管理视图…" }));
  return within(await screen.findByRole("dialog", { name: "视图" }));
};

it("saves filters, order and page size of a list under a name, picks, renames and deletes them", async () => {
  const { person, router, notices } = await openConsole(
    "/log?model=gpt-4&sort=-quota&size=50&page=3",
    {},
    10,
  );
  const saving = await openWindow(person);
  await person.click(saving.getByRole("button", { name: "保存" }));
  expect(saving.getByText("请输入视图名称！")).toBeTruthy();
  await person.type(saving.getByLabelText("视图名称"), "  贵的请求 {Enter}");
  await waitFor(() => expect(notices.at(-1)?.text).toBe("已保存视图“贵的请求”"));
  expect(JSON.parse(localStorage.getItem("views_1") ?? "")).toEqual([
    { name: "贵的请求", path: "/log", search: "?model=gpt-4&sort=-quota&size=50" },
  ]);

  await router.navigate({ href: "/log" });
  await person.click(await screen.findByRole("button", { name: "视图" }));
  await person.click(await screen.findByRole("menuitem", { name: "贵的请求" }));
  await waitFor(() => expect(router.state.location.href).toBe("/log?model=gpt-4&sort=-quota&size=50"));

  const changing = await openWindow(person);
  const name = changing.getByLabelText("重命名视图：贵的请求");
  await person.clear(name);
  await person.type(name, "最贵{Enter}");
  await person.click(await changing.findByRole("button", { name: "删除视图：最贵" }));
  await waitFor(() => expect(localStorage.getItem("views_1")).toBeNull());
});

it("keeps twenty views of a list, and says so", async () => {
  const { person } = await openConsole("/log", {}, 10);
  const views = Array.from({ length: 20 }, (_, at) => ({ name: `v${at}`, path: "/log", search: "" }));
  localStorage.setItem("views_1", JSON.stringify(views));
  const window = await openWindow(person);
  await person.type(window.getByLabelText("视图名称"), "one more{Enter}");
  expect(await window.findByText("每个列表最多保存 20 个视图，请先删除一个。")).toBeTruthy();
});

it("takes nothing from storage that leads elsewhere", async () => {
  const paths = ["//evil.example", "https://evil.example", "javascript:alert(1)"];
  for (const path of paths)
    expect(parseViews(JSON.stringify([{ name: "bad", path, search: "" }]))).toEqual([]);
  expect(parseViews(JSON.stringify([{ name: "good", path: "/log", search: "?type=5" }]))).toHaveLength(1);
  localStorage.setItem("views_1", "{");
  const { person } = await openConsole("/log", {}, 10);
  fireEvent.keyDown(document, { key: "k", ctrlKey: true });
  const menu = await screen.findByRole("combobox");
  await person.type(menu, "bad");
  expect(await screen.findByText(/没有/)).toBeTruthy();
});

it("finds a view in the command menu", async () => {
  localStorage.setItem("views_1", JSON.stringify([{ name: "夜间失败", path: "/log", search: "?type=5" }]));
  const { person, router } = await openConsole("/token", {}, 10);
  fireEvent.keyDown(document, { key: "k", ctrlKey: true });
  await person.type(await screen.findByRole("combobox"), "夜间");
  await person.click(await screen.findByRole("option", { name: /夜间失败/ }));
  await waitFor(() => expect(router.state.location.href).toBe("/log?type=5"));
});
