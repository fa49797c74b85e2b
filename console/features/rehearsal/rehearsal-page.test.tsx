// @vitest-environment happy-dom

import { describe, expect, it } from "vitest";
import { fireEvent, screen, waitFor } from "../../testing/draw";
import { openConsole } from "../../testing/open-console";

const DESCRIPTION = {
  id: 4,
  name: "spring",
  author: "root",
  created_at: 1_767_225_600,
  changed_at: 1_767_225_600,
  revision: 3,
  state: "draft",
  holds_from: 0,
  fault: "",
};

const DRAFT = {
  ...DESCRIPTION,
  changes: { ModelRatio: { "gpt-4o": 2.5 } },
  base: { ModelRatio: { "gpt-4o": 1.25 } },
  conflicts: [],
};

const LISTED = { ...DESCRIPTION, change_count: 1200, conflict_count: 0 };

const sum = (charged: number, rehearsed: number, more: object = {}) => ({
  ...{ lines: 10, charged, rehearsed, cost_thousandths: 50_000 },
  ...{ costed_lines: 10, costed_charged: charged, costed_rehearsed: rehearsed },
  ...more,
});
const KEPT = { lines: 0, quota: 0 };

const REHEARSAL = {
  ...{ state: "done", from: 1, to: 2, lines: 20, total: 20, started_at: 1, seen_at: 2 },
  result: {
    ...{ from: 1_767_225_600, to: 1_767_312_000, price_version: 1, revision: 3, ms: 1700, finished_at: 2 },
    total: sum(300, 400, { lines: 20 }),
    models: [
      { name: "gpt-4o", ...sum(100, 200) },
      { name: "<script>", ...sum(200, 200) },
    ],
    groups: [{ name: "default", ...sum(300, 400) }],
    users: [{ id: 7, name: "payer", ...sum(300, 250) }],
    other_users: { count: 0, ...sum(0, 0, { lines: 0 }) },
    kept: { unrecorded: { lines: 3, quota: 30 }, "not-repriceable": KEPT, shortfall: KEPT, "no-price": KEPT },
    is_overflowing: false,
  },
};

const open = (address: string, answers: Record<string, unknown> = {}, role = 10) =>
  openConsole(
    `/pricing/rehearsal${address}`,
    {
      "GET /api/price-drafts": [LISTED],
      "GET /api/price-drafts/4": DRAFT,
      "GET /api/price-drafts/4/rehearsal": REHEARSAL,
      "GET /api/price-drafts/current": {
        price_version: 1,
        options: { ModelRatio: '{"gpt-4o":1.25,"other":2}' },
      },
      ...answers,
    },
    role,
  );

describe("rehearsals of prices", () => {
  it("are for administrators", async () => {
    await open("", {}, 1);
    expect(await screen.findByText("只有管理员可以预演价格")).toBeTruthy();
  });

  it("begin from a list of drafts, which is not there at first", async () => {
    await open("", { "GET /api/price-drafts": [] });
    await screen.findByText("还没有草稿");
    fireEvent.click(screen.getByRole("button", { name: "新建草稿" }));
    expect(await screen.findByText(/还没有改动/)).toBeTruthy();
  });

  it("are listed without their changes: the number of entries, and whether others have changed them meanwhile", async () => {
    const stage = await open("", {
      "GET /api/price-drafts": [LISTED, { ...LISTED, id: 5, name: "late", conflict_count: 2 }],
    });
    await screen.findByText("late");
    expect(stage.cells().map((row) => row.slice(0, 3))).toEqual([
      ["spring", "草稿", "1200"],
      ["late", "价格已另有改动", "1200"],
    ]);
  });

  it("show which customers would pay more or less, the previous charge, and lines that cannot be repriced", async () => {
    const stage = await open("?draft=4");
    await screen.findByText("<script>");
    expect(stage.cells().filter((row) => row.length > 5)).toEqual([
      ["gpt-4o", "10", "100", "200", "+100", "+100.0%", "+50 → +150"],
      ["<script>", "10", "200", "200", "0", "–", "+150 → +150"],
    ]);
    expect(screen.getByText(/3 次调用（30）早于记录开始/)).toBeTruthy();
    fireEvent.click(screen.getByRole("radio", { name: "客户" }));
    await waitFor(() => expect(stage.cells().some((row) => row[0] === "payer")).toBe(true));
    fireEvent.change(screen.getByRole("searchbox"), { target: { value: "nobody" } });
    expect(await screen.findByText("没有找到")).toBeTruthy();
  });

  it("can look all prices up at one moment, and say so", async () => {
    const result = { ...REHEARSAL.result, as_of: 1_767_225_600 };
    const stage = await open("?draft=4", { "GET /api/price-drafts/4/rehearsal": { ...REHEARSAL, result } });
    await screen.findByText(/按 20\d\d-\d\d-\d\d .* 的价格计算。/);
    const moment = screen.getByLabelText("取价时刻");
    fireEvent.change(moment, { target: { value: "soon" } });
    fireEvent.click(screen.getByRole("button", { name: "开始预演" }));
    expect(await screen.findByText("请填写时间，或留空")).toBeTruthy();
    expect(stage.bodyOf("POST /api/price-drafts/4/rehearsal")).toBeUndefined();
    fireEvent.change(moment, { target: { value: "2026-05-01 00:00:00" } });
    fireEvent.click(screen.getByRole("button", { name: "开始预演" }));
    await waitFor(() =>
      expect(stage.bodyOf("POST /api/price-drafts/4/rehearsal")).toMatchObject({
        as_of: new Date(2026, 4, 1).getTime() / 1000,
      }),
    );
  });

  it("take typed prices for a draft, and reject text that is no price", async () => {
    const stage = await open("?draft=4", { "PUT /api/price-drafts/4": { ...DRAFT, revision: 4 } });
    const field = await screen.findByRole("textbox", { name: /模型倍率 · gpt-4o/ });
    fireEvent.change(field, { target: { value: "dear" } });
    const save = screen.getByRole<HTMLButtonElement>("button", { name: "保存草稿" });
    fireEvent.click(save);
    expect(field.getAttribute("aria-invalid")).toBe("true");
    expect(document.activeElement).toBe(field);
    expect(stage.calls.some(({ call }) => call.startsWith("PUT"))).toBe(false);
    fireEvent.change(field, { target: { value: "3" } });
    fireEvent.click(save);
    await waitFor(() => expect(stage.calls.some(({ call }) => call.startsWith("PUT"))).toBe(true));
    expect(stage.calls.find(({ call }) => call.startsWith("PUT"))?.body).toMatchObject({
      revision: 3,
      changes: { ModelRatio: { "gpt-4o": 3 } },
    });
  });

  it("show the changes that are left when the first is left out", async () => {
    const changes = { ModelRatio: { "gpt-4o": 2.5, other: 3 } };
    await open("?draft=4", { "GET /api/price-drafts/4": { ...DRAFT, changes } });
    fireEvent.click(await screen.findByRole("button", { name: /^不改动 .*gpt-4o$/ }));
    expect(screen.queryByRole("textbox", { name: /模型倍率 · gpt-4o/ })).toBeNull();
    expect(screen.getByRole<HTMLInputElement>("textbox", { name: /模型倍率 · other/ }).value).toBe("3");
  });

  it("report a conflict with another administrator's change, and then block publishing", async () => {
    const conflicts = [{ option: "ModelRatio", name: "gpt-4o" }];
    await open("?draft=4", { "GET /api/price-drafts/4": { ...DRAFT, conflicts } }, 100);
    expect(await screen.findByText("期间有改动")).toBeTruthy();
    expect(screen.getByRole<HTMLButtonElement>("button", { name: "立即发布" }).disabled).toBe(true);
    expect(screen.getByRole("button", { name: "以当前价格为基准" })).toBeTruthy();
  });

  it("are published and scheduled by root alone (M14)", async () => {
    const isLocked = (name: string) => screen.getByRole<HTMLButtonElement>("button", { name }).disabled;
    await open("?draft=4");
    expect(await screen.findByText("只有超级管理员可以发布和定时价格。")).toBeTruthy();
    expect([isLocked("立即发布"), isLocked("排定")]).toEqual([true, true]);
  });

  it("can be published by root, who may change every option (M14)", async () => {
    await open("?draft=4", {}, 100);
    const publish = await screen.findByRole<HTMLButtonElement>("button", { name: "立即发布" });
    expect(publish.disabled).toBe(false);
    expect(screen.queryByText("只有超级管理员可以发布和定时价格。")).toBeNull();
  });
});
