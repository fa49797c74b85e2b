// @vitest-environment happy-dom

import { describe, expect, it } from "vitest";
import { fillForm, settle } from "../testing/fill-form";
import { openConsole } from "../testing/open-console";
import { playServer } from "../testing/play-server";
import { createConsoleRouter } from "./router";

/*
 * Every form of every page, before a server that refuses what it sends: what was typed must stay, and a refusal that
 * names a field must stand at that field.
 */

const ADDRESSES = Object.keys(createConsoleRouter().routesByPath)
  .filter((path) => !path.includes("$method"))
  .map((path) => path.replace("$id", "2").replace("$requestId", "r1"))
  .sort();

const isRefused = (call: string): boolean =>
  !call.startsWith("GET ") || /^GET \/api\/(oauth|verification|reset_password)/.test(call);

const forms = (): HTMLFormElement[] => [...document.querySelectorAll("form")];

/**
 * What forms send without a text beside it, by the address: ids, stored values that are sent back, switches, and fields
 * that this server does not ask for. The sign-in names no field, so that it tells no user names.
 */
const FIELDLESS: Readonly<Record<string, readonly string[]>> = {
  "/channel/buying/2": ["id"],
  "/login": ["username", "password"],
  "/permission/add": ["permissions"],
  "/plan/manage/add": ["is_enabled"],
  "/promotion/add": ["is_enabled", "is_first_only", "is_combinable"],
  "/redemption/edit/2": ["id"],
  "/register": ["email", "verification_code", "aff_code", "password2"],
  "/setting/announcements/add": ["is_public", "is_pinned"],
  "/setting/prices": ["source", "only_offered"],
  "/token/add": ["unlimited_quota"],
  "/token/edit/2": ["id", "unlimited_quota", "original_remain_quota"],
  "/user/edit/2": ["id", "email", "original_quota", "github_id", "wechat_id"],
};

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

/** The texts at the fields that are marked as mistaken. */
const mistakesOf = (form: HTMLFormElement | undefined): string[] =>
  [...(form?.querySelectorAll("[aria-invalid=true], [data-invalid]") ?? [])].flatMap((field) =>
    [field, ...field.querySelectorAll("[aria-describedby]")].flatMap((each) =>
      (each.getAttribute("aria-describedby") ?? "")
        .split(" ")
        .map((id) => document.getElementById(id)?.textContent ?? ""),
    ),
  );

describe("a field that the server refuses", () => {
  it.each(ADDRESSES)("has the message beside it on %s", async (address) => {
    const { answer } = playServer();
    let field: string | undefined;
    const refuse = () => Response.json({ success: false, message: `refused ${field}`, field });
    const stage = await openConsole(address, {
      "*": (body: unknown, call: string) => (isRefused(call) ? refuse() : answer(body, call)),
    });
    const send = async (index: number) => {
      const from = stage.calls.length;
      forms()[index]?.requestSubmit();
      await settle();
      return stage.calls.slice(from).find(({ call }) => isRefused(call));
    };
    const silent: string[] = [];
    for (const [index, form] of forms().entries()) {
      fillForm(form);
      await settle();
      field = undefined;
      const sent = await send(index);
      for (const name of Object.keys(Object(sent?.body))) {
        field = name;
        await send(index);
        if (!mistakesOf(forms()[index]).some((text) => text.includes(`refused ${name}`))) silent.push(name);
      }
    }
    expect(silent).toEqual(FIELDLESS[address] ?? []);
  });
});
