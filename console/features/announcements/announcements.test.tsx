// @vitest-environment happy-dom

import { describe, expect, it } from "vitest";
import { screen, waitFor, within } from "../../testing/draw";
import { openConsole } from "../../testing/open-console";

const NEWS = {
  id: 7,
  title: "Maintenance",
  body: "tonight",
  level: "warning",
  is_pinned: false,
  starts_at: 1_700_000_000,
  ends_at: 0,
};
const OLD = { ...NEWS, id: 5, title: "Welcome", body: "hello", level: "info", ends_at: 1_700_000_100 };
const OWN = { ...NEWS, groups: "vip", is_public: false, author: "root", created_time: 1, updated_time: 1 };

const home = (more: object = {}) => ({
  "GET /api/home_page_content": "our page",
  "GET /api/notice": "",
  "GET /api/announcement/live": [NEWS, OLD],
  ...more,
});

const news = () => within(screen.getByRole("region", { name: "公告" }));

describe("announcements on the home page", () => {
  it("are unread until they are opened, for this person alone", async () => {
    const stage = await openConsole("/", home(), 1);
    await waitFor(() => expect(news().getAllByRole("img", { name: "未读" })).toHaveLength(2));
    const row = news().getByRole("button", { name: /Maintenance/ });
    expect(row.textContent).toContain("2023-11-1");
    await stage.person.click(row);
    expect(row.getAttribute("aria-expanded")).toBe("true");
    expect(news().getAllByRole("img", { name: "未读" })).toHaveLength(1);
    expect(localStorage.getItem("announcements_read_1")).toBe("7");
  });

  it("open by themselves where one is pinned and unread", async () => {
    localStorage.setItem("announcements_read_1", "5");
    const pinned = [NEWS, OLD].map((each) => ({ ...each, is_pinned: true }));
    await openConsole("/", home({ "GET /api/announcement/live": pinned }), 1);
    await waitFor(() =>
      expect(
        news()
          .getByRole("button", { name: /Maintenance/ })
          .getAttribute("aria-expanded"),
      ).toBe("true"),
    );
    expect(
      news()
        .getByRole("button", { name: /Welcome/ })
        .getAttribute("aria-expanded"),
    ).toBe("false");
  });

  it("leave the home page as it was on a server that does not know them", async () => {
    const stage = await openConsole(
      "/",
      home({ "GET /api/announcement/live": () => new Response("", { status: 404 }) }),
      1,
    );
    await screen.findByText("our page");
    expect(screen.queryByRole("region", { name: "公告" })).toBeNull();
    expect(stage.notices).toEqual([]);
  });
});

describe("the page of all announcements", () => {
  it("names those that have ended, and marks all as read", async () => {
    const stage = await openConsole("/announcement", { "GET /api/announcement/history": [NEWS, OLD] }, 1);
    const ended = await screen.findByRole("button", { name: /Welcome/ });
    expect(ended.textContent).toContain("已结束");
    expect(screen.getByRole("button", { name: /Maintenance/ }).textContent).not.toContain("已结束");
    await stage.person.click(screen.getByRole("button", { name: "全部标为已读" }));
    expect(screen.queryByRole("img", { name: "未读" })).toBeNull();
    expect(screen.queryByRole("button", { name: "全部标为已读" })).toBeNull();
  });

  it("says that there are none", async () => {
    await openConsole("/announcement", {}, 1);
    expect(await screen.findByText("还没有公告")).toBeTruthy();
  });
});

describe("the announcements of an administrator", () => {
  it("are listed with state, groups and times, pinned and deleted from their rows", async () => {
    const stage = await openConsole("/setting/announcements", {
      "GET /api/announcement/": [
        OWN,
        { ...OWN, id: 5, title: "Welcome", groups: "", is_public: true, ends_at: 5 },
      ],
      "PUT /api/announcement/7": (body: object) => ({ ...OWN, ...body }),
      "DELETE /api/announcement/7": undefined,
    });
    const row = stage.row("Maintenance");
    for (const text of ["展示中", "vip", "重要", "长期有效", "root"])
      expect(row.getByText(text)).toBeTruthy();
    expect(stage.row("Welcome").getByText("所有用户与访客")).toBeTruthy();
    expect(stage.row("Welcome").getByText("已结束")).toBeTruthy();
    await stage.person.click(row.getByRole("button", { name: /^置顶/ }));
    await row.findByRole("button", { name: /^取消置顶/ });
    expect(stage.bodyOf("PUT /api/announcement/7")).toEqual({ is_pinned: true });
    await stage.person.click(row.getByRole("button", { name: "更多操作：Maintenance" }));
    await stage.person.click(await screen.findByRole("menuitem", { name: "删除" }));
    const question = within(await screen.findByRole("alertdialog"));
    await stage.person.click(question.getByRole("button", { name: "删除" }));
    await waitFor(() => expect(screen.queryByText("Maintenance")).toBeNull());
  });

  it("are written in a form that names faults at its fields, and shows the text as readers see it", async () => {
    const stage = await openConsole("/setting/announcements/add", {
      "GET /api/group/": ["default", "vip"],
      "POST /api/announcement/": OWN,
    });
    await stage.person.click(screen.getByRole("button", { name: "提交" }));
    expect(await screen.findByText("此项不能为空")).toBeTruthy();
    await stage.person.type(screen.getByLabelText(/^标题/), " Maintenance ");
    await stage.person.type(screen.getByLabelText("内容"), "**tonight**");
    await stage.person.click(screen.getByLabelText("预览"));
    expect((await screen.findByText("tonight")).tagName).toBe("STRONG");
    await stage.person.type(screen.getByLabelText("开始时间"), "2030-01-02 03:04:05");
    await stage.person.type(screen.getByLabelText("结束时间"), "2030-01-02 03:04:05");
    await stage.person.click(screen.getByRole("switch", { name: "访客可见" }));
    await stage.person.click(screen.getByRole("button", { name: "提交" }));
    expect(await screen.findByText("结束时间必须晚于开始时间")).toBeTruthy();
    expect(stage.bodyOf("POST /api/announcement/")).toBeUndefined();
    await stage.person.clear(screen.getByLabelText("结束时间"));
    await stage.person.click(screen.getByRole("button", { name: "提交" }));
    await waitFor(() =>
      expect(stage.bodyOf("POST /api/announcement/")).toEqual({
        title: "Maintenance",
        body: "**tonight**",
        level: "info",
        groups: "",
        is_public: true,
        is_pinned: false,
        starts_at: new Date(2030, 0, 2, 3, 4, 5).getTime() / 1000,
        ends_at: 0,
      }),
    );
    await waitFor(() => expect(stage.router.state.location.pathname).toBe("/setting/announcements"));
  });

  it("keep their start where its field is emptied", async () => {
    const stage = await openConsole("/setting/announcements/edit/7", {
      "GET /api/announcement/7": OWN,
      "GET /api/group/": ["default", "vip"],
      "PUT /api/announcement/7": OWN,
    });
    await stage.person.clear(await screen.findByLabelText("开始时间"));
    await stage.person.click(screen.getByRole("button", { name: "提交" }));
    await waitFor(() =>
      expect(stage.bodyOf("PUT /api/announcement/7")).toMatchObject({ groups: "vip", is_public: false }),
    );
    expect(stage.bodyOf("PUT /api/announcement/7")).not.toHaveProperty("starts_at");
  });
});
