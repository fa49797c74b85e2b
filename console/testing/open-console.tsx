import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import userEvent, { type UserEvent } from "@testing-library/user-event";
import { onTestFinished, vi } from "vitest";
import { createConsoleRouter } from "../app/router";
import { startUp } from "../app/start-up";
import { startLanguage } from "../lib/i18n";
import { type Notice, notify } from "../lib/notify";
import { createQueryClient } from "../lib/query-client";
import { cleanup, fireEvent, render, screen, waitFor, within } from "./draw";

/** What a call is answered with: the envelope's data, a whole response, or what makes one of them of the body, in time. */
export type Answer = unknown | ((body: unknown, call: string) => unknown);

/** A console in a document without a browser, in front of answers written down. */
export interface OpenConsole {
  person: UserEvent;
  router: ReturnType<typeof createConsoleRouter>;
  /** The calls so far ("PUT /api/token/?status_only=true") with their bodies. */
  calls: { call: string; body: unknown }[];
  /** The toasts so far: what was said, not how it is drawn. */
  notices: Notice[];
  /** The newest body of a call; undefined before it was made. */
  bodyOf: (call: string) => unknown;
  /** The rows of the table that is shown, one text per cell. */
  cells: () => string[][];
  /** Clicks the head of this name. */
  sortBy: (column: string) => void;
  /** What can be done within the row that shows this text. */
  row: (text: string) => ReturnType<typeof within>;
  /** An action of the row that shows this text; its menu is opened where it is not in the row itself. */
  action: (text: string, label: string) => Promise<HTMLElement>;
  /** Does it. */
  act: (text: string, label: string) => Promise<void>;
}

/** Texts that a page has loaded stay loaded: the language starts once for a file of tests. */
let language: Promise<void> | undefined;

/**
 * Opens an address of the console as main.tsx does.
 * @param answers by call, with its query or without; anything else is answered by "*", or by an empty list.
 * @param role of who is signed in; 0 for a guest.
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
    // No server answers before the page has drawn that it waits.
    await new Promise((resolve) => setTimeout(resolve, 5));
    // What is asked for late is not answered: what would follow belongs to no test, and the next one would meet it.
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
  // A router listens to its window until it is told not to: the next test's addresses are none of its business.
  leave = () => router.history.destroy();
  const queryClient = createQueryClient();
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
  // There are no styles here that could take an element from under the pointer.
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
    // A reason why it cannot be chosen stands in it as well.
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
