import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import userEvent, { type UserEvent } from "@testing-library/user-event";
import { onTestFinished, vi } from "vitest";
import { followUser } from "../app/follow-user";
import { createConsoleRouter } from "../app/router";
import { startUp } from "../app/start-up";
import { startLanguage } from "../lib/i18n";
import { type Notice, notify } from "../lib/notify";
import { createQueryClient } from "../lib/query-client";
import { cleanup, fireEvent, render, screen, waitFor, within } from "./draw";

/** Answer to a call: the envelope's data, a whole response, or a function of the body returning one, maybe later. */
export type Answer = unknown | ((body: unknown, call: string) => unknown);

/** A console in a document without a browser, with prepared answers. */
export interface OpenConsole {
  person: UserEvent;
  router: ReturnType<typeof createConsoleRouter>;
  /** The calls so far ("PUT /api/token/?status_only=true") with their bodies. */
  calls: { call: string; body: unknown }[];
  /** The toasts so far, as data. */
  notices: Notice[];
  /** The newest body of a call; undefined before the call. */
  bodyOf: (call: string) => unknown;
  /** The rows of the shown table, one text per cell. */
  cells: () => string[][];
  /** Clicks the header with this name. */
  sortBy: (column: string) => void;
  /** Queries within the row with this text. */
  row: (text: string) => ReturnType<typeof within>;
  /** An action of the row with this text; its menu is opened if the row has no button for it. */
  action: (text: string, label: string) => Promise<HTMLElement>;
  /** Performs it. */
  act: (text: string, label: string) => Promise<void>;
}

/** Loaded texts stay loaded: the language starts once per test file. */
let language: Promise<void> | undefined;

/**
 * Opens an address of the console as main.tsx does.
 * @param answers by call, with or without its query; other calls get the answer of "*", or an empty list.
 * @param role of the signed-in user; 0 for a guest.
 */
export const openConsole = async (
  path: string,
  answers: Record<string, Answer> = {},
  role = 100,
): Promise<OpenConsole> => {
  let isOver = false;
  let leave = (): void => undefined;
  onTestFinished(async () => {
    isOver = true;
    cleanup();
    leave();
    // Code that arrives after the last test of a file fails, and stays failed for the next file in this process.
    await vi.dynamicImportSettled();
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
    localStorage.clear();
  });
  if (role > 0) {
    localStorage.setItem("user", JSON.stringify({ id: 1, username: "me", role, status: 1 }));
  }
  const calls: OpenConsole["calls"] = [];
  vi.stubGlobal("scrollTo", () => undefined);
  vi.stubGlobal("fetch", async (address: string, { method = "GET", body }: RequestInit = {}) => {
    const call = `${method} ${address}`;
    const sent: unknown = typeof body === "string" ? JSON.parse(body) : undefined;
    calls.push({ call, body: sent });
    const [plain = call] = call.split("?");
    // A real server never answers before the page has rendered its loading state.
    await new Promise((resolve) => setTimeout(resolve, 5));
    // Late calls stay unanswered: their effects would reach the next test.
    if (isOver) return new Promise(() => undefined);
    const rest = answers["*"] ?? [];
    const answer =
      answers[call] ?? (/[?&]p=[1-9]/.test(call) && plain in answers ? [] : (answers[plain] ?? rest));
    const data: unknown = await (typeof answer === "function" ? answer(sent, call) : answer);
    return data instanceof Response ? data : Response.json({ success: true, message: "", data });
  });
  const notices: Notice[] = [];
  for (const kind of ["success", "info", "error", "warning", "notice", "undoable"] as const) {
    vi.spyOn(notify, kind).mockImplementation((text: string) => notices.push({ kind, text }));
  }
  language ??= startLanguage();
  await language;
  window.history.replaceState(null, "", path);
  const router = createConsoleRouter();
  // Otherwise the router would go on listening to the window, and follow the next test's addresses.
  const queryClient = createQueryClient();
  const stopFollowing = followUser(queryClient, router);
  leave = () => {
    stopFollowing();
    router.history.destroy();
  };
  if ("GET /api/status" in answers) await startUp(queryClient);
  const { container } = render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
  await waitFor(() => {
    if (router.state.status !== "idle" || container.querySelector("h1") === null) throw new Error("not open");
  });
  await waitFor(() => {
    if (container.querySelector("[aria-busy=true], .skeleton") !== null) throw new Error("still loading");
  });
  const rows = () => [...container.querySelectorAll<HTMLElement>("tbody tr")];
  // Without styles, no element can be covered.
  const person = userEvent.setup({ delay: null, pointerEventsCheck: 0 });
  const rowOf = (text: string): HTMLElement => {
    const row = rows().find((each) => each.textContent?.includes(text));
    if (row === undefined) throw new Error(`no row with "${text}"`);
    return row;
  };
  const action: OpenConsole["action"] = async (text, label) => {
    const row = rowOf(text);
    const inline = [...row.querySelectorAll<HTMLElement>("button, a")].find(
      (each) => each.textContent === label,
    );
    if (inline) return inline;
    await person.click(within(row).getByRole("button", { name: /^更多操作/ }));
    // The item's name may continue with the reason that it is disabled.
    return screen.findByRole("menuitem", { name: (name) => name.startsWith(label) });
  };
  return {
    person,
    router,
    calls,
    notices,
    bodyOf: (call) => calls.findLast((each) => each.call === call)?.body,
    cells: () => rows().map((row) => [...row.querySelectorAll("td")].map((cell) => cell.textContent ?? "")),
    sortBy: (column) => {
      const head = [...container.querySelectorAll<HTMLElement>("thead button")].find(
        (button) => button.textContent === column,
      );
      if (head === undefined) throw new Error(`no head "${column}" to click`);
      fireEvent.click(head);
    },
    row: (text) => within(rowOf(text)),
    action,
    act: async (text, label) => person.click(await action(text, label)),
  };
};
