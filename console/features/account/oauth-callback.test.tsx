// @vitest-environment happy-dom
import { QueryClientProvider } from "@tanstack/react-query";
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from "@tanstack/react-router";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { loadTexts, startLanguage } from "../../lib/i18n";
import { connectToaster, type Notice } from "../../lib/notify";
import { createQueryClient } from "../../lib/query-client";
import { act, cleanup, render, screen } from "../../testing/draw";
import { OauthCallbackPage } from "./oauth-callback-page";

const REFUSED = { success: false, message: "无法连接至 GitHub 服务器，请稍后重试！" };
const LOGGED_IN = { success: true, message: "", data: { id: 3, username: "alice", role: 1, status: 1 } };

let shown: Notice[] = [];
let disconnect: () => void;
let calls: { address: string; at: number }[] = [];

beforeAll(async () => {
  await startLanguage();
  await loadTexts(["account"]);
});
beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("scrollTo", () => undefined);
  localStorage.clear();
  calls = [];
  disconnect = connectToaster((notice) => shown.push(notice));
  // Clears messages that were queued for a toaster by earlier tests.
  shown = [];
});
afterEach(() => {
  disconnect();
  cleanup();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** Opens the page on a server with these answers, one per call, repeating the last. */
const open = async (answers: readonly object[]) => {
  vi.stubGlobal("fetch", async (address: string) => {
    const answer = answers[Math.min(calls.length, answers.length - 1)];
    calls.push({ address, at: Date.now() });
    return Response.json(answer);
  });
  const root = createRootRoute();
  const at = { getParentRoute: () => root };
  const router = createRouter({
    routeTree: root.addChildren([
      createRoute({ ...at, path: "/", component: () => "home" }),
      createRoute({ ...at, path: "/setting", component: () => "settings" }),
      createRoute({
        ...at,
        path: "/oauth/$method",
        validateSearch: (search: Record<string, unknown>) => ({ ...search }),
        component: OauthCallbackPage,
      }),
    ]),
    history: createMemoryHistory({ initialEntries: ["/oauth/github?code=c&state=s"] }),
  });
  render(
    <QueryClientProvider client={createQueryClient()}>
      {/* The test's own small route tree, not the registered one. */}
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
  );
  await pass(50);
  return router;
};

const pass = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds));

it("waits 2, 4 and 6 s between tries, saying so, and then goes to the settings with the message", async () => {
  const router = await open([REFUSED]);
  expect(screen.getByText("出现错误，第 1 次重试中...")).toBeTruthy();
  await pass(2000);
  expect(screen.getByText("出现错误，第 2 次重试中...")).toBeTruthy();
  await pass(20_000);
  expect(calls.slice(1).map(({ at }, index) => at - (calls[index]?.at ?? 0))).toEqual([2000, 4000, 6000]);
  expect(router.state.location.pathname).toBe("/setting");
  expect(shown).toMatchObject([{ kind: "error", text: REFUSED.message }]);
});

it("stores the user and goes home once a try succeeds", async () => {
  const router = await open([REFUSED, LOGGED_IN]);
  await pass(2100);
  expect(router.state.location.pathname).toBe("/");
  expect(JSON.parse(localStorage.getItem("user") ?? "{}")).toMatchObject({ username: "alice" });
  expect(shown).toMatchObject([{ kind: "success", text: "登录成功!" }]);
  expect(calls).toHaveLength(2);
});

it("opens the settings after binding an account, and stores no user", async () => {
  const router = await open([{ success: true, message: "bind" }]);
  await pass(50);
  expect(router.state.location.pathname).toBe("/setting");
  expect(localStorage.getItem("user")).toBeNull();
});
