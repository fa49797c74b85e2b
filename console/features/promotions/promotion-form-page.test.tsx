// @vitest-environment happy-dom

import { CONTRACT_VERSION } from "@tollgate/contract/version";
import { describe, expect, it, vi } from "vitest";
import { fireEvent, screen, waitFor, within } from "../../testing/draw";
import { openConsole } from "../../testing/open-console";

const STATUS = { version: CONTRACT_VERSION, list_queries: true, list_extras: "searches" };
const PROMOTION = {
  ...{
    id: 7,
    kind: "code",
    code: "SPRING",
    name: "春季",
    is_enabled: true,
    effect: "bonus",
    unit: "percent",
  },
  ...{
    steps: [{ from: 0, value: 1050 }],
    max_effect: 0,
    products: "top-up",
    groups: "",
    is_first_only: false,
  },
  ...{ is_combinable: false, starts_at: 0, ends_at: 0, max_uses: 5, max_uses_per_user: 1, max_total: 0 },
  ...{ used_count: 2, used_total: 300, author: "root", created_time: 1, updated_time: 1 },
};
const CREATE = "POST /api/promotion/";
const ANSWERS = {
  "GET /api/status": STATUS,
  "GET /api/group/": ["default", "vip"],
  "GET /api/promotion/": [PROMOTION],
  "GET /api/promotion/7": PROMOTION,
  "GET /api/promotion/7/uses": [],
  [CREATE]: [PROMOTION],
  "PUT /api/promotion/7": PROMOTION,
};

const field = (label: string | RegExp) => screen.getByLabelText<HTMLInputElement>(label);

const open = async (path: string, answers: object = {}, role = 100) => {
  const stage = await openConsole(path, { ...ANSWERS, ...answers }, role);
  const { person } = stage;
  return {
    ...stage,
    unfoldLimits: () => {
      const section = screen.getByText("期限与上限").closest("details");
      if (section) fireEvent(section, new Event("toggle"));
    },
    submit: () => person.click(screen.getByRole("button", { name: "提交" })),
    retype: async (label: string | RegExp, text: string) => {
      await person.clear(field(label));
      if (text !== "") await person.type(field(label), text);
    },
    choose: async (label: string, option: string) => {
      await person.click(screen.getByRole("combobox", { name: label }));
      await person.click(await screen.findByRole("option", { name: option }));
    },
  };
};

/** The form of a new promotion, with its one necessary value. */
const openFilled = async (answers: object = {}) => {
  const stage = await open("/promotion/add", answers);
  await stage.person.type(field("百分比"), "10");
  return stage;
};

describe("the form of promotions", () => {
  it("gives nothing away untouched", async () => {
    const stage = await open("/promotion/add");
    await stage.submit();
    await screen.findByText(/^每档数值须大于 0/);
    expect(stage.bodyOf(CREATE)).toBeUndefined();
  });

  it("saves several codes and says so on any page if the form is left before the answer", async () => {
    let answer = (_data: unknown) => {};
    const stage = await openFilled({ [CREATE]: () => new Promise((resolve) => (answer = resolve)) });
    const clicked: string[] = [];
    vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
      clicked.push(this.download);
    });
    await stage.retype("创建数量", "2");
    await stage.submit();
    await waitFor(() => expect(stage.bodyOf(CREATE)).toBeDefined());
    await stage.router.navigate({ to: "/token" });
    await waitFor(() => expect(screen.queryByLabelText("创建数量")).toBeNull());
    answer([PROMOTION, { ...PROMOTION, id: 8, code: "SPRING2" }]);
    await waitFor(() => expect(clicked).toEqual(["codes.txt"]));
    expect(stage.notices).toEqual([{ kind: "info", text: "优惠码已下载为 codes.txt" }]);
  });

  it("sends percentages in hundredths, and bounds as numbers", async () => {
    const stage = await open("/promotion/add");
    await stage.person.type(field("优惠码"), "spring");
    await stage.retype("百分比", "10.5");
    stage.unfoldLimits();
    await stage.retype("总次数", "5");
    await stage.submit();
    await waitFor(() =>
      expect(stage.bodyOf(CREATE)).toMatchObject({
        ...{ kind: "code", code: "spring", count: 1, effect: "bonus", unit: "percent", products: "top-up" },
        ...{ steps: [{ from: 0, value: 1050 }], max_uses: 5, max_uses_per_user: 1, starts_at: 0, ends_at: 0 },
      }),
    );
  });

  it.each<[string, string | RegExp, string, string]>([
    ["a percentage of nothing", "百分比", "0", "每档数值须大于 0"],
    ["an empty bound", "总次数", "", "请填写整数，0 表示不限"],
    ["a number of codes above the limit", "创建数量", "1001", "请填写 1 至 1000 的整数"],
    ["an invalid time", "开始时间", "soon", "时间格式无效"],
  ])("shows %s at its field, and sends nothing", async (_, label, text, mistake) => {
    const stage = await openFilled();
    stage.unfoldLimits();
    await stage.retype(label, text);
    await stage.submit();
    await screen.findByText(new RegExp(`^${mistake}`));
    expect(stage.bodyOf(CREATE)).toBeUndefined();
  });

  it("shows an end before the start at the end", async () => {
    const stage = await openFilled();
    stage.unfoldLimits();
    await stage.retype("开始时间", "2030-01-02 00:00:00");
    await stage.retype("结束时间", "2030-01-01 00:00:00");
    await stage.submit();
    await waitFor(() => expect(field("结束时间").getAttribute("aria-invalid")).toBe("true"));
    screen.getByText("结束时间须晚于开始时间");
    expect(field("开始时间").getAttribute("aria-invalid")).not.toBe("true");
  });

  it.each([
    ["code", "优惠码已存在", "优惠码"],
    ["ends_at", "结束时间已过", "结束时间"],
    ["max_uses", "次数过大", "总次数"],
  ])("shows the server's refusal of %s at its field", async (wire, message, label) => {
    const refused = () => Response.json({ success: false, message, field: wire });
    const stage = await openFilled({ [CREATE]: refused });
    await stage.submit();
    await screen.findByText(message);
    expect(field(label).getAttribute("aria-invalid")).toBe("true");
    expect(stage.router.state.location.pathname).toBe("/promotion/add");
  });

  it("shows the server's refusal of products beside the switches", async () => {
    const refused = () => Response.json({ success: false, message: "套餐仅支持折扣", field: "products" });
    const stage = await openFilled({ [CREATE]: refused });
    await stage.person.click(screen.getByRole("switch", { name: "套餐" }));
    await stage.submit();
    await screen.findByText("套餐仅支持折扣");
    expect(stage.bodyOf(CREATE)).toMatchObject({ products: "top-up,plan" });
  });

  it("needs a name for an activity, and ignores the hidden fields of codes", async () => {
    const stage = await openFilled();
    await stage.retype("创建数量", "0");
    await stage.choose("类型", "活动");
    await stage.submit();
    await waitFor(() => expect(field("名称").getAttribute("aria-invalid")).toBe("true"));
    await stage.person.type(field("名称"), "双十一");
    await stage.submit();
    await waitFor(() => expect(stage.bodyOf(CREATE)).toMatchObject({ kind: "activity", name: "双十一" }));
    expect(stage.bodyOf(CREATE)).not.toHaveProperty("count");
  });

  it("offers activities to root alone", async () => {
    const stage = await open("/promotion/add", {}, 10);
    await stage.person.click(screen.getByRole("combobox", { name: "类型" }));
    await screen.findByRole("option", { name: "优惠码" });
    expect(screen.queryByRole("option", { name: "活动" })).toBeNull();
  });

  it("shows a stored promotion, and sends back what it read", async () => {
    const stage = await open("/promotion/edit/7");
    expect(field("百分比").value).toBe("10.5");
    expect(screen.queryByLabelText("优惠码")).toBeNull();
    await stage.retype("名称", "夏季");
    await stage.submit();
    await waitFor(() =>
      expect(stage.bodyOf("PUT /api/promotion/7")).toMatchObject({ name: "夏季", steps: PROMOTION.steps }),
    );
  });
});

describe("the list of promotions", () => {
  it("is searched by the server, together with its filters", async () => {
    const stage = await open("/promotion?kind=code");
    await stage.person.type(screen.getByRole("searchbox", { name: "搜索" }), "spr{Enter}");
    await waitFor(() => expect(stage.router.state.location.search).toMatchObject({ q: "spr" }));
    await waitFor(() =>
      expect(
        stage.calls.some(
          ({ call }) =>
            call.startsWith("GET /api/promotion/?") && /kind=code/.test(call) && /keyword=spr/.test(call),
        ),
      ).toBe(true),
    );
    within(screen.getByRole("table")).getByText("SPRING");
  });
});
