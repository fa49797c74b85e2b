// @vitest-environment happy-dom

import { describe, expect, it } from "vitest";
import { fillForm, settle } from "../testing/fill-form";
import { openConsole } from "../testing/open-console";
import { playServer } from "../testing/play-server";
import { createConsoleRouter } from "./router";

/* Every form of every page, before a server that refuses what it sends: what was typed must stay. */

const ADDRESSES = Object.keys(createConsoleRouter().routesByPath)
  .filter((path) => !path.includes("$method"))
  .map((path) => path.replace("$id", "2").replace("$requestId", "r1"))
  .sort();

const isRefused = (call: string): boolean =>
  !call.startsWith("GET ") || /^GET \/api\/(oauth|verification|reset_password)/.test(call);

const forms = (): HTMLFormElement[] => [...document.querySelectorAll("form")];

/** The fields by their names, with what they hold. */
const valuesOf = (form: HTMLFormElement | undefined): string[] =>
  [...(form?.querySelectorAll<HTMLInputElement>("input, textarea, select") ?? [])].map((field) => {
    const name = field.getAttribute("aria-label") ?? field.labels?.[0]?.textContent ?? field.name;
    const isChosen = field.type === "checkbox" || field.type === "radio";
    return `${name}: ${isChosen ? field.checked : field.value}`;
  });

describe("a form that the server refuses", () => {
  it.each(ADDRESSES)("keeps the typed text on %s", async (address) => {
    const { answer } = playServer();
    const refuse = () => Response.json({ success: false, message: "refused" });
    const stage = await openConsole(address, {
      "*": (body: unknown, call: string) => (isRefused(call) ? refuse() : answer(body, call)),
    });
    for (const [index, form] of forms().entries()) {
      fillForm(form);
      await settle();
      const typed = valuesOf(form);
      const from = stage.calls.length;
      form.requestSubmit();
      await settle();
      const refused = stage.calls.slice(from).filter(({ call }) => isRefused(call));
      // The answer may ask for more, as for the present password.
      if (refused.length > 0)
        expect(valuesOf(forms()[index]), refused[0]?.call).toEqual(expect.arrayContaining(typed));
    }
  });
});
