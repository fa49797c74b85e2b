// @vitest-environment happy-dom

import type { Node } from "@tollgate/contract/api/nodes";
import { describe, expect, it } from "vitest";
import { screen, waitFor, within } from "../../testing/draw";
import { openConsole } from "../../testing/open-console";

const ALONE: Node = {
  name: "box:3000",
  address: "127.0.0.1:3000",
  version: "0.1.0",
  state: "live",
  is_this: true,
  started_at: 1_800_000_000,
  heard_at: 1_800_007_200,
  silent_ms: 0,
  recent_requests: 124,
  recent_ms: 10_000,
  active_requests: 3,
  event_loop_delay_ms: 12,
  memory_bytes: 200 * 1024 ** 2,
};

const shared = (id: number, more: Partial<Node> = {}): Node => ({
  ...ALONE,
  id,
  name: `node-${id}`,
  is_this: id === 1,
  database_connections: 9,
  database_waiting: 0,
  redis_connections: 1,
  feed_lag_ms: 15,
  leased_users: 3,
  leased_keys: 2,
  leased_quota: 40_000,
  ...more,
});

const heads = () => screen.getAllByRole("columnheader").map(({ textContent }) => textContent);
const totals = () =>
  [...document.querySelectorAll("main dl[aria-label] > div")].map((each) =>
    [...each.querySelectorAll("dt, dd")].map(({ textContent }) => textContent),
  );

describe("the nodes", () => {
  it("have one row each with their work, and a line for all together", async () => {
    const stage = await openConsole("/node", {
      "GET /api/node": [
        shared(1),
        shared(2, { state: "leaving", recent_requests: 6, active_requests: 1, silent_ms: 2100 }),
        shared(3, {
          state: "silent",
          recent_requests: 900,
          leased_quota: 500,
          redis_connections: 0,
          database_waiting: 2,
        }),
      ],
    });
    const [first, second, third] = stage.cells();
    expect(first?.slice(0, 2)).toEqual(["node-1当前节点127.0.0.1:3000", "运行中心跳：现在"]);
    expect(first?.slice(3)).toEqual([
      expect.stringMatching(/^2027-01-1\d \d\d:00:002小时前$/),
      "12.4/s进行中 3",
      "40.0k3 个用户 · 2 个令牌",
      "15 ms",
      "9",
      "1",
      "12 ms",
      "200 MiB",
    ]);
    expect(second?.slice(0, 2)).toEqual(["node-2127.0.0.1:3000", "正在退出心跳：2秒前"]);
    expect(third?.[1]).toContain("无心跳");
    expect(third?.slice(7, 9)).toEqual(["92 个等待连接", "未连接"]);
    // A silent node's figures are outdated; its leases remain.
    expect(totals()).toEqual([
      ["节点", "3", "1 个运行中 · 1 个无心跳 · 1 个正在退出"],
      ["请求", "13.0/s", "进行中 4"],
      ["租用额度", "80.5k", "15 份租约"],
      ["数据库连接", "18", "0 个等待连接"],
      ["内存", "400 MiB"],
    ]);
    expect(screen.getByText(/租用额度是只有该节点可以花费的用户余额/)).toBeTruthy();
    expect(screen.queryByText(/several-nodes/)).toBeNull();
  });

  it("show a dash for missing figures, and no column without any", async () => {
    const stage = await openConsole("/node", {
      "GET /api/node": [
        { id: 1, state: "live", is_this: true },
        { ...ALONE, id: 2, version: 7 },
      ],
    });
    expect(heads()).toEqual(["节点", "状态", "版本", "启动时间", "请求", "事件循环延迟", "内存"]);
    expect(stage.cells()[0]).toEqual(["–当前节点", "运行中", "–", "–", "–", "–", "–"]);
    expect(stage.cells()[1]?.[2]).toBe("–");
    expect(totals()[2]).toEqual(["租用额度", "–", "0 份租约"]);
  });

  it("are sorted by the address, missing figures first", async () => {
    const stage = await openConsole("/node?sort=-memory", {
      "GET /api/node": [shared(1), shared(2, { memory_bytes: undefined }), shared(3, { memory_bytes: 2e9 })],
    });
    const names = () => stage.cells().map(([name]) => name?.slice(0, 6));
    expect(names()).toEqual(["node-3", "node-1", "node-2"]);
    stage.sortBy("内存");
    await waitFor(() => expect(names()).toEqual(["node-1", "node-2", "node-3"]));
    expect(stage.router.state.location.searchStr).toBe("");
  });
});

describe("a node alone", () => {
  it("with SQLite says how it becomes several, and adds nothing up", async () => {
    const stage = await openConsole("/node", { "GET /api/node": [ALONE] });
    expect(stage.cells()).toHaveLength(1);
    expect(totals()).toEqual([]);
    expect(screen.getByText(/SQLite .*DATABASE_URL.*docs\/guides\/several-nodes\.md/)).toBeTruthy();
  });

  it("with a database says how another one joins it", async () => {
    await openConsole("/node", { "GET /api/node": [shared(1)] });
    expect(screen.getByText(/目前只有一个节点.*docs\/guides\/several-nodes\.md/)).toBeTruthy();
    expect(screen.queryByText(/SQLite/)).toBeNull();
  });
});

describe("a failure of the nodes' list", () => {
  it("at first says so, and can be tried again", async () => {
    let isThere = false;
    const stage = await openConsole("/node", {
      "GET /api/node": () => (isThere ? [ALONE] : Response.json({ success: false, message: "role too low" })),
    });
    expect(screen.getByText("role too low")).toBeTruthy();
    isThere = true;
    await stage.person.click(screen.getByRole("button", { name: "重试" }));
    await waitFor(() => expect(stage.cells()).toHaveLength(1));
    expect(stage.notices).toEqual([]);
  });

  it("later keeps the known figures with their time, and ends with the next answer", async () => {
    let isThere = true;
    const stage = await openConsole("/node", {
      "GET /api/node": () => (isThere ? [ALONE] : new Response("", { status: 502 })),
    });
    isThere = false;
    await stage.person.click(screen.getByRole("button", { name: "刷新" }));
    const notice = await screen.findByText(/^无法更新，显示的是 \d{4}-.*：服务器返回了 HTTP 状态 502$/);
    expect(stage.cells()).toHaveLength(1);
    expect(stage.notices).toEqual([]);
    isThere = true;
    await stage.person.click(screen.getByRole("button", { name: "刷新" }));
    await waitFor(() => expect(notice.isConnected).toBe(false));
  });

  it("because the session is over leads to the login", async () => {
    const stage = await openConsole("/node", { "GET /api/node": () => new Response("", { status: 401 }) });
    await waitFor(() => expect(localStorage.getItem("user")).toBeNull());
    expect(stage.notices).toEqual([]);
  });

  it("because another server has no such call is explained", async () => {
    const stage = await openConsole("/node", { "GET /api/node": () => new Response("", { status: 404 }) });
    const page = within(document.querySelector("main") as HTMLElement);
    expect(page.getByText("这个服务器不提供节点信息")).toBeTruthy();
    expect(page.queryByRole("table")).toBeNull();
    expect(stage.notices).toEqual([]);
  });
});
