// @vitest-environment happy-dom

import { describe, expect, it, vi } from "vitest";
import { cleanup, fireEvent, screen, waitFor } from "../testing/draw";
import { type OpenConsole, openConsole } from "../testing/open-console";
import { playServer } from "../testing/play-server";

/*
 * Every action of a row, while an older read of its list is pending. The contract's double carries out a call when it
 * arrives and answers when the test says so.
 */

/** Calls that only read, or that two events may legitimately repeat. */
const isRead = (call: string): boolean =>
  /^GET (?!\/api\/(channel\/(test|update_balance)|user\/(token|aff)))/.test(call);

const settle = async () => {
  for (let turns = 0; turns < 12; turns += 1) await new Promise((resolve) => setTimeout(resolve, 5));
};

/** The calls since `from` that were sent more than once. */
const repeated = ({ calls }: OpenConsole, from: number): string[] => {
  const sent = calls
    .slice(from)
    .filter(({ call }) => !isRead(call))
    .map(({ call, body }) => `${call} ${JSON.stringify(body)}`);
  return sent.filter((each, index) => sent.indexOf(each) !== index);
};

/** Lists whose rows have actions. */
const LISTS = ["/channel", "/redemption", "/token", "/user"];

const nameOf = (button: HTMLElement): string => button.getAttribute("aria-label") ?? button.textContent ?? "";

/** Presses a button twice in one task, and then the button that confirms. */
const pressTwice = async (button: HTMLElement | undefined) => {
  button?.click();
  button?.click();
  await settle();
  const isAsked = button?.getAttribute("aria-haspopup") === "dialog";
  if (isAsked)
    await waitFor(() => expect(document.querySelector("[role=alertdialog], [role=dialog]")).toBeTruthy());
  const confirm = [...document.querySelectorAll<HTMLElement>("[role=alertdialog] button")].at(-1);
  confirm?.click();
  confirm?.click();
  await settle();
};

describe("a row action while the next page of its list is read", () => {
  /** Opens a list and reads it again; the server reads the second page immediately and answers on `release`. */
  const openHeld = async (address: string) => {
    cleanup();
    const { answer } = playServer();
    let isHolding = false;
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const stage = await openConsole(address, {
      "*": async (body: unknown, call: string) => {
        const response = answer(body, call);
        if (isHolding && /^GET .*[?&]p=1\b/.test(call)) await held;
        return response;
      },
    });
    isHolding = true;
    fireEvent.click(screen.getByRole("button", { name: "刷新" }));
    await settle();
    return { stage, release };
  };
  /** The buttons of a row and the entries of its menu, which it opens. */
  const actionsOf = async ({ person }: OpenConsole, row: Element | null): Promise<HTMLElement[]> => {
    const more = row?.querySelector<HTMLElement>("[aria-haspopup=menu][aria-label^=更多操作]");
    if (more) await person.click(more);
    await screen.findAllByRole("menuitem");
    return [
      ...(row?.querySelectorAll<HTMLElement>("td:last-child button:not([aria-haspopup=menu])") ?? []),
      ...document.querySelectorAll<HTMLElement>("[role=menuitem]:not([aria-disabled=true], a)"),
    ];
  };
  /** The row's text without the test's duration: the double stores a different one than it answers. */
  const textOf = (mark: string) =>
    [...document.querySelectorAll("tbody tr")]
      .find((row) => row.textContent?.includes(mark))
      ?.textContent?.replace(/[0-9.]+ 秒/, "");

  it.each(LISTS)(
    "of %s leaves the row as the server has stored it",
    async (address) => {
      vi.spyOn(window, "open").mockReturnValue(null);
      const { stage: first } = await openHeld(address);
      const count = (await actionsOf(first, document.querySelector("tbody tr:nth-child(3)"))).length;
      expect(count).toBeGreaterThan(2);
      for (let index = 0; index < count; index += 1) {
        const { stage, release } = await openHeld(address);
        const row = document.querySelector("tbody tr:nth-child(3)");
        const mark = [...(row?.querySelectorAll("td") ?? [])][1]?.textContent ?? "";
        const action = (await actionsOf(stage, row))[index];
        const name = nameOf(action as HTMLElement);
        const from = stage.calls.length;
        await pressTwice(action);
        expect(repeated(stage, from), name).toEqual([]);
        const changed = textOf(mark);
        release();
        await settle();
        if (stage.router.state.location.pathname !== address) continue;
        // Escape closes a window over the list first.
        if (document.querySelector("[role=dialog]")) await stage.person.keyboard("{Escape}");
        expect(textOf(mark), `${name}: once the older page has come`).toBe(changed);
        await stage.person.click(screen.getByRole("button", { name: "刷新" }));
        await settle();
        expect(textOf(mark), `${name}: once the list was read again`).toBe(changed);
      }
    },
    600_000,
  );
});
