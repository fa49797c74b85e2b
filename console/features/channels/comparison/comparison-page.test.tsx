// @vitest-environment happy-dom

import { describe, expect, it } from "vitest";
import { screen, waitFor, within } from "../../../testing/draw";
import { openConsole } from "../../../testing/open-console";

const channel = (id: number, models: string, more = {}) => ({
  ...{ id, type: 1, name: `c${id}`, status: 1, models, group: "default", key: "", weight: 0, priority: 0 },
  ...{ created_time: 5, test_time: 0, response_time: 0, base_url: "", other: "", balance: 0 },
  ...{ balance_updated_time: 0, used_quota: 0, model_mapping: "", key_count: 1, used_requests: 0, ...more },
});

const CHANNELS = [
  channel(1, "a,b"),
  channel(2, "a", { model_mapping: '{"a":"upstream-a"}' }),
  channel(3, "x"),
  channel(4, "y", { status: 2 }),
];

/** What the upstreams offer, by the number of the channel. */
const OFFERED: Record<number, string[]> = { 1: ["a", "new-1", "new-2"], 2: ["upstream-a"] };

const open = async (role = 100) => {
  const stage = await openConsole(
    "/channel/comparison",
    {
      "GET /api/channel/": (_body: unknown, call: string) => (call.includes("p=0") ? CHANNELS : []),
      "POST /api/channel/fetch_models": (body: unknown) => {
        const models = OFFERED[(body as { id: number }).id];
        return models ? { models } : Response.json({ success: false, message: "无法连接上游" });
      },
      "POST /api/channel/batch": (body: unknown) =>
        (body as { ids: number[] }).ids[0] === 1 ? { done: 1, failed: [] } : { done: 0, failed: [] },
    },
    role,
  );
  const bodies = () =>
    stage.calls.filter(({ call }) => call === "POST /api/channel/batch").map(({ body }) => body);
  return { ...stage, bodies };
};

const rowOf = (name: string) => screen.getByRole("link", { name }).closest("li") as HTMLElement;

describe("the comparison of upstream models", () => {
  it("queries no upstream before it is asked to, and names all enabled channels", async () => {
    const stage = await open();
    await screen.findByRole("button", { name: "查询 3 个渠道" }, { timeout: 10_000 });
    expect(stage.calls.some(({ call }) => call.includes("fetch_models"))).toBe(false);
    expect(screen.queryByRole("link", { name: "c4" })).toBeNull();
  });

  it("shows the differences by channel, after the model mapping, and why a query failed", async () => {
    const stage = await open();
    await stage.person.click(
      await screen.findByRole("button", { name: "查询 3 个渠道" }, { timeout: 10_000 }),
    );
    await waitFor(() => expect(rowOf("c1").textContent).toContain("新增 2 个，已下架 1 个"));
    await waitFor(() => expect(rowOf("c2").textContent).toContain("与上游一致（1 个模型）"));
    await waitFor(() => expect(rowOf("c3").textContent).toContain("无法连接上游"));
    await stage.person.click(screen.getByRole("radio", { name: "失败 1" }));
    expect(screen.queryByRole("link", { name: "c1" })).toBeNull();
    expect(rowOf("c3")).toBeTruthy();
  });

  it("applies what is picked, and nothing else, after a question", async () => {
    const stage = await open();
    await stage.person.click(
      await screen.findByRole("button", { name: "查询 3 个渠道" }, { timeout: 10_000 }),
    );
    await screen.findByRole("button", { name: "重新查询" });
    const apply = await screen.findByRole("button", { name: "应用到 0 个渠道" });
    expect((apply as HTMLButtonElement).disabled).toBe(true);
    await stage.person.click(await within(rowOf("c1")).findByRole("checkbox", { name: "new-2" }));
    await stage.person.click(screen.getByRole("button", { name: "勾选全部已下架" }));
    await stage.person.click(screen.getByRole("button", { name: "应用到 1 个渠道" }));
    const dialog = await screen.findByRole("alertdialog");
    expect(dialog.textContent).toContain("将新增 1 个、移除 1 个模型");
    expect(stage.bodies()).toEqual([]);
    await stage.person.click(within(dialog).getByRole("button", { name: "应用到 1 个渠道" }));
    await waitFor(() => expect(rowOf("c1").textContent).toContain("已应用：新增 1 个，移除 1 个"));
    expect(stage.bodies()).toEqual([
      { ids: [1], action: "edit", change: { add_models: "new-2", remove_models: "b" } },
    ]);
  });

  it("is not for users", async () => {
    const stage = await open(1);
    await screen.findByText("仅管理员可以对比上游模型", {}, { timeout: 10_000 });
    expect(stage.calls.some(({ call }) => call.includes("/api/channel/"))).toBe(false);
  });
});
