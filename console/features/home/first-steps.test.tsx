// @vitest-environment happy-dom

import { expect, it } from "vitest";
import { waitFor } from "../../testing/draw";
import { openConsole } from "../../testing/open-console";

const priced = (model_name: string, ...enable_groups: string[]) => ({
  ...{ model_name, enable_groups, quota_type: 0, model_ratio: 1, model_price: 0 },
  ...{ supported_endpoint_types: [], price: { input: 2, output: 8 } },
});

const PRICING = {
  data: [
    priced("only-for-vip", "vip"),
    priced("text-embedding-3-small", "default"),
    priced("claude-sonnet-4-5", "default", "vip"),
  ],
  ...{ vendors: [], group_ratio: {}, usable_group: {}, auto_groups: [], pricing_version: "1" },
  groups: [
    { name: "vip", description: "", ratio: "1", is_own: false },
    { name: "default", description: "", ratio: "1", is_own: true },
  ],
};

/** Opens the default home page as a guest. @returns the example, and the number of calls for prices. */
const openHome = async (pricePage: string | undefined) => {
  const { calls } = await openConsole(
    "/",
    {
      "GET /api/status": pricePage === undefined ? {} : { price_page: pricePage },
      "GET /api/home_page_content": "",
      "GET /api/pricing": () => Response.json({ success: true, message: "", ...PRICING }),
    },
    0,
  );
  const example = () => [...document.querySelectorAll("pre")].at(-1)?.textContent ?? "";
  return { example, asked: () => calls.filter(({ call }) => call.includes("/api/pricing")).length };
};

it("the example for a guest names a chat model of the public prices, of the group of new users", async () => {
  const { example } = await openHome("public");
  await waitFor(() => expect(example()).toContain('"model": "claude-sonnet-4-5"'));
});

it.each(["signed-in", "off", undefined])(
  "the example for a guest names no model when the prices are %s",
  async (pricePage) => {
    const { example, asked } = await openHome(pricePage);
    await waitFor(() => expect(example()).toContain('"model": "模型名称"'));
    expect(asked()).toBe(0);
  },
);
