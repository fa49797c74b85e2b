// @vitest-environment happy-dom

import type { PriceRow } from "@tollgate/contract/management/price-sync";
import { describe, expect, it } from "vitest";
import { fireEvent, screen, waitFor, within } from "../../testing/draw";
import { openConsole } from "../../testing/open-console";

const row = (model: string, more: Partial<PriceRow> = {}): PriceRow => ({
  model,
  state: "changed",
  is_locked: false,
  is_offered: true,
  seller: "openai",
  old: { input: 1, output: 4 },
  next: { input: 2, output: 4 },
  price: { input: 2, output: 4 },
  differences: [{ part: "input", above_tokens: 0, old: 1, next: 2, percent: 100 }],
  ...more,
});

const { price: _price, ...refused } = row("broken", { state: "refused", fault: "zero", differences: [] });

const ROWS: PriceRow[] = [
  row("cheap", { context: 128_000, output_limit: 8192 }),
  row("fresh", { state: "new", differences: [{ part: "output", above_tokens: 200_000, next: 8 }] }),
  row("kept", { is_locked: true }),
  refused,
  row("as-is", { state: "same", differences: [] }),
];

const open = (answers: Record<string, unknown> = {}) =>
  openConsole("/setting/prices", {
    "POST /api/prices/preview": { price_version: 7, rows: ROWS },
    "POST /api/prices/accept": { accepted: 1, price_version: 8 },
    ...answers,
  });

const compare = async () => {
  fireEvent.click(await screen.findByRole("button", { name: "开始对照" }));
  await screen.findByText("cheap");
};

describe("prices beside a list", () => {
  it("are compared on request, with the models that channels offer, and nothing is written", async () => {
    const stage = await open();
    expect(await screen.findByText("还没有对照")).toBeTruthy();
    await compare();
    expect(stage.calls.filter(({ call }) => call.startsWith("POST"))).toEqual([
      { call: "POST /api/prices/preview", body: { source: "models.dev", only_offered: true } },
    ]);
    const cells = stage.cells();
    expect(cells.map(([, model]) => model)).toEqual([
      "cheap上下文 128.0k · 输出 8192",
      "fresh",
      "kept",
      "broken",
    ]);
    expect(cells[0]?.slice(2, 4)).toEqual(["有变化", "输入$1.00 → $2.00+100.0%"]);
    expect(cells[1]?.[3]).toBe("输出 超过 200.0k 个 token– → $8.00");
    expect(cells[2]?.[2]).toContain("已锁定");
    expect(cells[3]?.[2]).toBe("已拒绝价格表中的价格为 0");
  });

  it("begin a draft as chosen, which opens to be rehearsed, and nothing is accepted", async () => {
    const made = {
      ...{
        id: 9,
        name: "models.dev",
        author: "root",
        created_at: 1,
        changed_at: 1,
        revision: 1,
        state: "draft",
      },
      ...{
        holds_from: 0,
        fault: "",
        base: {},
        conflicts: [],
        changes: { ModelPrice: { fresh: { input: 2 } } },
      },
    };
    const stage = await open({
      "POST /api/price-drafts": made,
      "GET /api/price-drafts/9": made,
      "GET /api/price-drafts/9/rehearsal": null,
      "GET /api/price-drafts/current": { price_version: 1, options: {} },
    });
    await compare();
    fireEvent.click(screen.getByRole("checkbox", { name: "选择 fresh" }));
    fireEvent.click(screen.getByRole("button", { name: "预演所选（1）" }));
    await waitFor(() => expect(stage.router.state.location.href).toBe("/pricing/rehearsal?draft=9"));
    expect(stage.bodyOf("POST /api/price-drafts")).toEqual({
      name: expect.stringMatching(/^models\.dev \d{4}-\d\d-\d\d \d\d:\d\d$/),
      changes: { ModelPrice: { fresh: { input: 2, output: 4 } } },
    });
    expect(stage.bodyOf("POST /api/prices/accept")).toBeUndefined();
    expect(await screen.findByRole("group", { name: /模型价格（美元） · fresh$/ })).toBeTruthy();
  });

  it("are accepted as chosen, with the version that was seen, and hold from then on", async () => {
    const stage = await open();
    await compare();
    expect(screen.queryByRole("checkbox", { name: "选择 kept" })).toBeNull();
    expect(screen.queryByRole("checkbox", { name: "选择 broken" })).toBeNull();
    fireEvent.click(screen.getByRole("checkbox", { name: "选择 fresh" }));
    fireEvent.click(screen.getByRole("button", { name: "采用所选（1）" }));
    await waitFor(() => expect(stage.cells().map(([, model]) => model)).not.toContain("fresh"));
    const body = { source: "models.dev", price_version: 7, prices: { fresh: { input: 2, output: 4 } } };
    expect(stage.calls).toContainEqual({ call: "POST /api/prices/accept", body });
    // The next acceptance sends the resulting version.
    fireEvent.click(
      within(screen.getByRole("row", { name: /cheap/ })).getByRole("button", { name: /^采用：/ }),
    );
    await waitFor(() =>
      expect(stage.calls).toContainEqual({
        call: "POST /api/prices/accept",
        body: { ...body, price_version: 8, prices: { cheap: { input: 2, output: 4 } } },
      }),
    );
  });

  it("are accepted all at once only after a question, and without locked ones", async () => {
    const stage = await open();
    await compare();
    fireEvent.click(screen.getByRole("button", { name: "全部采用（2）" }));
    const dialog = within(await screen.findByRole("alertdialog"));
    expect(stage.calls.some(({ call }) => call === "POST /api/prices/accept")).toBe(false);
    fireEvent.click(dialog.getByRole("button", { name: "全部采用（2）" }));
    await waitFor(() => {
      const sent = stage.calls.find(({ call }) => call === "POST /api/prices/accept")?.body;
      expect(Object.keys(Object(sent).prices)).toEqual(["cheap", "fresh"]);
    });
  });

  it("stay as they are where a row is locked", async () => {
    const stage = await open({ "PUT /api/prices/lock": null });
    await compare();
    fireEvent.click(
      within(screen.getByRole("row", { name: /cheap/ })).getByRole("button", { name: /^锁定：/ }),
    );
    await waitFor(() => expect(screen.queryByRole("checkbox", { name: "选择 cheap" })).toBeNull());
    expect(stage.calls).toContainEqual({
      call: "PUT /api/prices/lock",
      body: { model: "cheap", is_locked: true },
    });
  });

  it("need an address or a file where these are the source", async () => {
    const stage = await open();
    await stage.person.click(await screen.findByRole("combobox", { name: "价格表" }));
    await stage.person.click(await screen.findByRole("option", { name: "地址" }));
    fireEvent.click(screen.getByRole("button", { name: "开始对照" }));
    expect(stage.calls.some(({ call }) => call.startsWith("POST"))).toBe(false);
    fireEvent.change(await screen.findByRole("textbox", { name: /地址/ }), {
      target: { value: "https://other.example.com " },
    });
    fireEvent.click(screen.getByRole("button", { name: "开始对照" }));
    await waitFor(() =>
      expect(stage.calls).toContainEqual({
        call: "POST /api/prices/preview",
        body: { source: "url", only_offered: true, url: "https://other.example.com" },
      }),
    );
  });
});

describe("offered models without a price", () => {
  it("are told with the reason and their channels, and take the catalogue's price with one click", async () => {
    const stage = await openConsole("/setting/prices?tab=missing", {
      "GET /api/prices/missing": {
        price_version: 3,
        models: [
          {
            model: "gpt-4o",
            reason: "left-out",
            channels: [{ id: 5, name: "first", models: ["gpt-4o"] }],
            price: { input: 2.5, output: 10 },
          },
          { model: "mine", reason: "unknown", channels: [{ id: 6, name: "second", models: ["mine"] }] },
        ],
      },
      "POST /api/prices/accept": { accepted: 1, price_version: 4 },
    });
    await screen.findByText("gpt-4o");
    expect(stage.cells().map((cells) => cells.slice(0, 4))).toEqual([
      ["gpt-4o", "保存的模型倍率中没有它", "first", "每百万 token $2.50 / $10.00"],
      ["mine", "没有任何地方给出它的价格", "second", "无"],
    ]);
    expect(screen.getByRole("link", { name: "first" }).getAttribute("href")).toBe("/channel/edit/5");
    fireEvent.click(screen.getByRole("button", { name: /^采用目录价格：/ }));
    await waitFor(() =>
      expect(stage.calls).toContainEqual({
        call: "POST /api/prices/accept",
        body: { source: "catalogue", price_version: 3, prices: { "gpt-4o": { input: 2.5, output: 10 } } },
      }),
    );
  });

  it("say how many more channels and models there are", async () => {
    const stage = await openConsole("/setting/prices?tab=missing", {
      "GET /api/prices/missing": {
        price_version: 3,
        models: [
          {
            model: "mine",
            reason: "unknown",
            channels: [{ id: 6, name: "second", models: ["mine"] }],
            more_channels: 9999,
          },
        ],
        more_models: 17,
      },
    });
    await screen.findByText("还有 17 个模型没有价格，为以上模型设置价格后才会列出。");
    expect(stage.cells()[0]?.[2]).toBe("second还有 9999 个");
  });

  it("are none where every one has a price", async () => {
    await openConsole("/setting/prices?tab=missing", {
      "GET /api/prices/missing": { price_version: 3, models: [] },
    });
    expect(await screen.findByText("每个已提供的模型都有价格")).toBeTruthy();
  });
});

it("who is no administrator is told so, and nothing is asked", async () => {
  const stage = await openConsole("/setting/prices", {}, 1);
  expect(await screen.findByText("只有管理员可以对照价格")).toBeTruthy();
  expect(stage.calls.some(({ call }) => call.includes("/api/prices"))).toBe(false);
});
