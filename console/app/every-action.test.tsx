// @vitest-environment happy-dom

import { describe, expect, it, vi } from "vitest";
import { cleanup, waitFor } from "../testing/draw";
import { fillForm, settle } from "../testing/fill-form";
import { type OpenConsole, openConsole } from "../testing/open-console";
import { playServer } from "../testing/play-server";
import { createConsoleRouter } from "./router";

/*
 * Every page at its address, with all its buttons and forms, in front of the contract's double. Two events in one task
 * arrive before the page is rendered again: their call must be sent once.
 */

/** The addresses of all pages, with ids of records that the double has. */
const ADDRESSES = Object.keys(createConsoleRouter().routesByPath)
  // The page itself retries the other site's answer, without success: no event is needed there.
  .filter((path) => !path.includes("$method"))
  .map((path) => path.replace("$id", "2").replace("$requestId", "r1"))
  .sort();

/** Calls that only read, or that two events may legitimately repeat. */
const isRead = (call: string): boolean =>
  /^GET (?!\/api\/(channel\/(test|update_balance)|user\/(token|aff)))/.test(call);

/** The calls since `from` that were sent more than once. */
const repeated = ({ calls }: OpenConsole, from: number): string[] => {
  const sent = calls
    .slice(from)
    .filter(({ call }) => !isRead(call))
    .map(({ call, body }) => `${call} ${JSON.stringify(body)}`);
  return sent.filter((each, index) => sent.indexOf(each) !== index);
};

const open = async (address: string) => {
  cleanup();
  vi.spyOn(window, "open").mockReturnValue(null);
  const { answer } = playServer();
  return openConsole(address, { "*": answer });
};

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

describe("two events in one task", () => {
  it.each(ADDRESSES)("send the requests of a form of %s once", async (address) => {
    const stage = await open(address);
    for (const form of document.querySelectorAll("form")) {
      fillForm(form);
      await settle();
      const from = stage.calls.length;
      form.requestSubmit();
      form.requestSubmit();
      await settle();
      expect(repeated(stage, from)).toEqual([]);
    }
  });

  it.each(ADDRESSES)("send the requests of a button of %s once", async (address) => {
    let stage = await open(address);
    const buttons = () => [
      ...document.querySelectorAll<HTMLButtonElement>("main button[type=button]:enabled"),
    ];
    for (const name of [...new Set(buttons().map(nameOf))].slice(0, 40)) {
      const button = buttons().find((each) => nameOf(each) === name);
      const from = stage.calls.length;
      await pressTwice(button);
      expect(repeated(stage, from), name).toEqual([]);
      if (stage.router.state.location.pathname !== address) stage = await open(address);
    }
  });
});

describe("the sources of the console", () => {
  const sources = Object.entries(
    import.meta.glob<string>(["../**/*.{ts,tsx}", "!../**/*.test.*", "!../testing/**"], {
      query: "?raw",
      import: "default",
      eager: true,
    }),
  );
  const having = (pattern: RegExp) =>
    sources
      .filter(([, text]) => pattern.test(text))
      .map(([path]) => path.replace("../", ""))
      .sort();

  it("change something on the server by the guarded useMutation alone", () => {
    expect(having(/\buseMutation\b[^;]*from "@tanstack/)).toEqual(["lib/use-mutation.ts"]);
    const writing = having(/callApi\(\s*("(POST|PUT|DELETE)"|"id" in)/);
    const unguarded = writing.filter((path) => !having(/useMutation\(/).includes(path));
    expect(unguarded).toEqual([]);
    const changing = Object.values(
      import.meta.glob<object>(["../../contract/api/*.ts", "!**/*.test.ts"], { eager: true }),
    )
      .flatMap((module) => Object.entries(module))
      .filter(([, value]) => Object(value).guard !== undefined && Object(value).method !== "GET")
      .map(([name]) => name);
    expect(changing).toContain("createApiKey");
    const called = having(new RegExp(`callEndpoint\\(\\s*(${changing.join("|")})\\b`));
    expect(called.filter((path) => !having(/useMutation\(/).includes(path))).toEqual([]);
  });

  it("read an address by its reader alone", () => {
    expect(having(/\buseSearch\(/)).toEqual(["lib/use-address.ts"]);
  });

  it("change cached rows in one file, and other data only where a pending read starts again", () => {
    const byHand = having(/set(Query|Queries)Data\b/).filter(
      (path) => !having(/restartRead\(/).includes(path),
    );
    // A bulk run keeps its progress there; no read returns it.
    expect(byHand).toEqual(["features/channels/use-bulk-run.ts", "lib/growing-list.ts"]);
  });
});
