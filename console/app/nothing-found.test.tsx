// @vitest-environment happy-dom

import { describe, expect, it } from "vitest";
import { fireEvent, waitFor } from "../testing/draw";
import { settle } from "../testing/fill-form";
import { openConsole } from "../testing/open-console";
import { playServer } from "../testing/play-server";
import { createConsoleRouter } from "./router";

/* Every list, before a server that finds nothing: the page says which search or filter found nothing, and removes it. */

const ADDRESSES = Object.keys(createConsoleRouter().routesByPath)
  .filter((path) => !/\$|^\/(login|register|reset|setup|user\/reset)/.test(path))
  .sort();

const tried: string[] = [];

/** The double's answers, but nothing where a person looks for "zzz". */
const playEmpty = () => {
  const { answer } = playServer();
  return (body: unknown, call: string) => (call.includes("zzz") ? [] : answer(body, call));
};

const buttons = (name: string): HTMLElement[] =>
  [...document.querySelectorAll("button")].filter(
    (button) => button.textContent === name && !button.closest("form"),
  );

/** Whether the double does not serve what the page is about. */
const isMissing = (): boolean => /加载失败|不提供/.test(document.querySelector("main")?.textContent ?? "");

const typeInto = (field: HTMLInputElement): void => {
  fireEvent.input(field, { target: { value: "zzz" } });
  fireEvent.change(field, { target: { value: "zzz" } });
};

describe("a list in which nothing is found", () => {
  it.each(ADDRESSES)("suggests a change on %s", async (address) => {
    await openConsole(address, { "*": playEmpty() });
    const box = document.querySelector<HTMLInputElement>("main input[name=keyword]");
    if (box && !isMissing()) {
      typeInto(box);
      box.form?.requestSubmit();
      await settle();
      await waitFor(() => expect(document.querySelector("main")?.textContent).toContain("zzz"));
      expect(buttons("清除搜索")).toHaveLength(1);
      tried.push(address);
      return;
    }
    const filter = [...document.querySelectorAll<HTMLFormElement>("main form")].find((form) =>
      form.textContent?.includes("查询"),
    );
    const text = filter?.querySelector<HTMLInputElement>("input:not([type=radio])");
    if (!filter || !text) return;
    typeInto(text);
    filter.requestSubmit();
    await settle();
    await waitFor(() => expect(buttons("清除筛选")).toHaveLength(1));
    tried.push(address);
  });

  it("is tried on the pages with a search or filters", () => {
    expect(tried).toEqual(["/audit", "/channel", "/ledger", "/log", "/redemption", "/token", "/user"]);
  });
});
