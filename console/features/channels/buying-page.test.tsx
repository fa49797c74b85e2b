// @vitest-environment happy-dom

import { describe, expect, it } from "vitest";
import { fireEvent, screen, waitFor } from "../../testing/draw";
import { openConsole } from "../../testing/open-console";

const CHANNEL = {
  id: 7,
  name: "reseller",
  models: "gpt-4o,unknown",
  group: "default",
  buying_prices: '{"default":{"of":"list","factor":0.8},"rules":[]}',
};

const PREVIEW = {
  rows: [
    {
      model: "gpt-4o",
      rule: "",
      list: { input: 2.5, output: 10 },
      buys: { input: 2, output: 8 },
      sells: [{ group: "default", price: { input: 1.5, output: 10 }, margin: -0.333 }],
    },
    { model: "unknown", sells: [{ group: "default" }] },
  ],
};

const open = () =>
  openConsole("/channel/buying/7", {
    "GET /api/channel/7": CHANNEL,
    "POST /api/channel/buying_prices/preview": PREVIEW,
    "PUT /api/channel/": {},
    "POST /api/channel/upstream_prices": {
      groups: [{ name: "vip", ratio: 0.5 }],
      models: 3,
      refused: 1,
    },
  });

describe("the buying prices of a channel", () => {
  it("stand beside the list and the prices of groups, with a warning of losses; unknown prices are marked", async () => {
    const stage = await open();
    await screen.findByText("unknown");
    expect(stage.cells()).toEqual([
      ["gpt-4o", "默认", "$2.50 / $10.00", "$2.00 / $8.00", "default$1.50 / $10.00−33.3%", "−33.3%"],
      ["unknown", "无", "未知", "未知", "default未知–", "–"],
    ]);
    expect(screen.getByText("亏本出售的模型：1 个").getAttribute("role")).toBe("alert");
  });

  it("are saved as the channel's field alone, and looked through before", async () => {
    const stage = await open();
    fireEvent.click(await screen.findByRole("button", { name: "添加规则" }));
    const submit = screen.getByRole("button", { name: "提交" });
    fireEvent.click(submit);
    expect(stage.bodyOf("PUT /api/channel/")).toBeUndefined();
    const model = screen.getByPlaceholderText("gpt-*");
    expect(await screen.findByText("请填写模型名称，各规则的名称不能重复")).toBeTruthy();
    expect(model.getAttribute("aria-invalid")).toBe("true");
    await waitFor(() => expect(document.activeElement).toBe(model));
    fireEvent.change(screen.getByPlaceholderText("gpt-*"), { target: { value: "gpt-*" } });
    fireEvent.click(submit);
    await waitFor(() =>
      expect(stage.bodyOf("PUT /api/channel/")).toEqual({
        id: 7,
        buying_prices:
          '{"default":{"of":"list","factor":0.8},"rules":[{"model":"gpt-*","of":"list","factor":1}]}',
      }),
    );
  });

  it("are not saved over those that another administrator has saved meanwhile", async () => {
    const channel = { ...CHANNEL };
    const stage = await openConsole("/channel/buying/7", {
      "GET /api/channel/7": () => ({ ...channel }),
      "POST /api/channel/buying_prices/preview": PREVIEW,
      "PUT /api/channel/": ({ buying_prices }: { buying_prices: string }) => {
        channel.buying_prices = buying_prices;
        return channel;
      },
    });
    const factor = await screen.findByLabelText<HTMLInputElement>("系数");
    const submit = () => fireEvent.click(screen.getByRole("button", { name: "提交" }));
    for (const [typed, saved] of [
      ["0.7", 1],
      ["0.6", 2],
    ] as const) {
      fireEvent.change(factor, { target: { value: typed } });
      submit();
      // The button is free again after the answer.
      await waitFor(() => expect(stage.notices).toHaveLength(saved));
      expect(channel.buying_prices).toContain(`"factor":${typed}`);
    }
    channel.buying_prices = CHANNEL.buying_prices;
    fireEvent.change(factor, { target: { value: "0.5" } });
    submit();
    const refusal = "进价已被其他人修改，你的修改未保存。请重新加载页面，在当前的进价上修改。";
    await waitFor(() => expect(stage.notices.at(-1)).toEqual({ kind: "error", text: refusal }));
    expect(screen.getByText(refusal)).toBeTruthy();
    expect(factor.value).toBe("0.5");
    expect(channel.buying_prices).toBe(CHANNEL.buying_prices);
  });

  it("show the rules that are left when the first is removed", async () => {
    await open();
    const add = await screen.findByRole("button", { name: "添加规则" });
    fireEvent.click(add);
    fireEvent.click(add);
    const fields = () => screen.getAllByPlaceholderText<HTMLInputElement>("gpt-*");
    for (const [at, field] of fields().entries())
      fireEvent.change(field, { target: { value: `model-${at}` } });
    fireEvent.click(screen.getByRole("button", { name: "删除规则 model-0" }));
    expect(fields().map(({ value }) => value)).toEqual(["model-1"]);
  });

  it("follow the upstream's own list for the group that is chosen", async () => {
    const stage = await open();
    fireEvent.click(await screen.findByRole("button", { name: "询问上游" }));
    fireEvent.click(await screen.findByRole("button", { name: "采用其价目" }));
    await waitFor(() =>
      expect(stage.bodyOf("POST /api/channel/upstream_prices")).toEqual({ id: 7, group: "vip" }),
    );
  });
});
