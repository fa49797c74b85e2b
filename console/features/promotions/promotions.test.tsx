// @vitest-environment happy-dom

import { describe, expect, it } from "vitest";
import { screen, waitFor } from "../../testing/draw";
import { openConsole } from "../../testing/open-console";

const PROMOTION = {
  ...{
    id: 3,
    kind: "activity",
    code: "",
    name: "Autumn",
    is_enabled: true,
    effect: "bonus",
    unit: "percent",
  },
  ...{ max_effect: 0, products: "top-up", groups: "", is_first_only: false, is_combinable: false },
  ...{ starts_at: 0, ends_at: 0, max_uses: 0, max_uses_per_user: 1, max_total: 0 },
  ...{ used_count: 0, used_total: 0, author: "root", created_time: 1, updated_time: 1 },
  steps: [
    { from: 0, value: 500 },
    { from: 10_000_000, value: 1000 },
  ],
};

const sectionOf = async (title: string) => (await screen.findByText(title)).closest("details");

describe("promotions", () => {
  it("folds the customers and limits that a promotion leaves open", async () => {
    await openConsole("/promotion/edit/3", { "GET /api/promotion/3": { ...PROMOTION, groups: "vip" } });
    expect((await sectionOf("适用用户与叠加"))?.open).toBe(true);
    expect((await sectionOf("期限与上限"))?.open).toBe(false);
  });

  it("unfolds a limit that the server refuses", async () => {
    const stage = await openConsole("/promotion/add", {
      "POST /api/promotion/": () =>
        Response.json({ success: false, message: "too much", field: "max_total" }),
    });
    const section = await sectionOf("期限与上限");
    expect(section?.open).toBe(false);
    await stage.person.type(screen.getByLabelText(/^名称/), "Winter");
    await stage.person.type(screen.getByLabelText("百分比"), "10");
    await stage.person.click(screen.getByRole("button", { name: "提交" }));
    await waitFor(() => expect(section?.open).toBe(true));
    const field = await screen.findByLabelText("总额上限");
    await waitFor(() => expect(document.activeElement).toBe(field));
    expect(field.getAttribute("aria-invalid")).toBe("true");
  });

  it("names the purchase of a step only where one is needed", async () => {
    await openConsole("/promotion", { "GET /api/promotion/": [PROMOTION] });
    expect(await screen.findByText("5%")).toBeTruthy();
    expect(screen.getAllByText(/^满/).map((step) => step.textContent)).toEqual([
      expect.stringMatching(/^满 .*：10%$/),
    ]);
  });
});
