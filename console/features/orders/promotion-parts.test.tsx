// @vitest-environment happy-dom

import { describe, expect, it } from "vitest";
import { screen, waitFor, within } from "../../testing/draw";
import { openConsole } from "../../testing/open-console";

const quote = (more: object) => ({
  ...{ usd: "2", amount: 1460, currency: "CNY", quota: 1000, bonus: 0, factor: "1" },
  ...{ discount: 0, promotions: [], is_code_unused: false },
  ...more,
});
const BONUS = { id: 7, name: "春季", code: "SPRING", effect: "bonus", quota: 100, amount: 0 };
const DISCOUNT = { ...BONUS, effect: "discount", quota: 0, amount: 460 };
const ACTIVITY = {
  ...{ id: 8, name: "双十一", effect: "bonus", unit: "percent", steps: [{ from: 0, value: 1000 }] },
  ...{ max_effect: 0, products: "top-up", is_first_only: false, ends_at: 0 },
};
const TERMS = {
  ...{ currency: "CNY", unit_price: "7.3", minimum: "1", packages: [quote({})], discounts: [] },
  ...{ activities: [ACTIVITY], providers: [{ name: "wechat-pay", title: "WeChat Pay", methods: [""] }] },
};
const SHOP = {
  "GET /api/status": { payments: true },
  "GET /api/user/self": { id: 1, username: "me", quota: 500 },
  "GET /api/order/terms": TERMS,
  "GET /api/plan/offered": [
    { id: 7, title: "Pro", price: 1000, duration_unit: "month", duration_count: 1, quota: 5 },
  ],
};

const PRODUCTS = [
  {
    product: "a top-up",
    path: "/topup",
    plain: "GET /api/order/quote?usd=2",
    bought: { usd: "2" },
    promoted: quote({ quota: 1100, promotions: [BONUS] }),
    shown: "+100",
    total: "¥14.60",
  },
  {
    product: "a plan",
    path: "/topup?plan=7",
    plain: "GET /api/order/quote?plan_id=7",
    bought: { plan_id: 7 },
    promoted: quote({ amount: 1000, discount: 460, promotions: [DISCOUNT] }),
    shown: "−¥4.60",
    total: "¥10.00",
  },
];

const codeField = () => screen.findByLabelText<HTMLInputElement>("优惠码（选填）");
const press = (name: string) => screen.findByRole("button", { name });

describe.each(PRODUCTS)(
  "the promotion code of $product",
  ({ path, plain, bought, promoted, shown, total }) => {
    const refuse = (field: string, status = 200) => {
      const answer = { success: false, message: "优惠码无效", field };
      return () => Response.json(answer, { status });
    };
    const open = async (withCode: unknown, more: object = {}) => {
      const answers = { ...SHOP, [plain]: quote({}), [`${plain}&code=spring`]: withCode, ...more };
      const stage = await openConsole(path, answers, 1);
      await stage.person.type(await codeField(), "spring");
      return stage;
    };

    it("is checked before it is paid, and its effect is shown and ordered", async () => {
      const refused = Response.json({ success: false, message: "stop" });
      const stage = await open(promoted, { "POST /api/order": () => refused.clone() });
      // Leaving the field puts the code into the price; only the next press orders at that price.
      await stage.person.keyboard("{Enter}");
      await screen.findByText("春季 (SPRING)");
      screen.getByText(shown);
      expect(screen.getAllByText(total).length).toBeGreaterThan(0);
      expect(stage.bodyOf("POST /api/order")).toBeUndefined();
      await stage.person.click(await press("支付"));
      await waitFor(() =>
        expect(stage.bodyOf("POST /api/order")).toMatchObject({
          ...bought,
          ...{ code: "spring", expected_amount: promoted.amount, expected_quota: promoted.quota },
        }),
      );
    });

    it.each([
      ["a wrong code", refuse("code")],
      ["too many wrong codes", refuse("", 429)],
    ])("is refused at its field: %s", async (_, answer) => {
      const stage = await open(answer);
      await stage.person.tab();
      await screen.findByText("优惠码无效");
      expect((await codeField()).getAttribute("aria-invalid")).toBe("true");
      expect(screen.queryByText("春季 (SPRING)")).toBeNull();
      await stage.person.click(await press("支付"));
      expect(stage.bodyOf("POST /api/order")).toBeUndefined();
    });

    it("stays unused where an activity gives more, and the hint reports it", async () => {
      const stage = await open(quote({ is_code_unused: true }));
      await stage.person.tab();
      await waitFor(async () => {
        const hint = (await codeField()).getAttribute("aria-describedby") ?? "";
        expect(
          hint
            .split(" ")
            .map((id) => document.getElementById(id)?.textContent)
            .join(),
        ).toMatch(/活动/);
      });
    });
  },
);

describe("an activity", () => {
  it("is shown where it applies, with its steps", async () => {
    await openConsole("/topup", { ...SHOP, "GET /api/order/quote": quote({}) }, 1);
    const part = within(await screen.findByRole("region", { name: "充值活动" }));
    part.getByText("双十一");
    part.getByText(/10/);
  });

  it("of top-ups is not shown at a plan", async () => {
    await openConsole("/topup?plan=7", { ...SHOP, "GET /api/order/quote": quote({}) }, 1);
    await codeField();
    expect(screen.queryByText("双十一")).toBeNull();
  });
});
