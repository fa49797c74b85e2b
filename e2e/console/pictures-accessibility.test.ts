import { launchBrowser } from "@tollgate/testkit/browser";
import { type Double, startDouble } from "@tollgate/testkit/contract-double/double";
import { addRecentUse } from "@tollgate/testkit/contract-double/recent-use";
import { TRIES_ALL } from "@tollgate/testkit/seeds";
import axe from "axe-core";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { enter, newVisit } from "./visitor";

/** Pages with pictures or many figures, and what is there once they are drawn. */
const PAGES = [
  ["/dashboard?range=30d", "canvas"],
  ["/dashboard?metric=duration&by=token", "canvas"],
  ["/dashboard?range=own&from=2001-01-01&to=2001-01-02", "pre"],
  ["/cockpit", "main tbody a"],
  ["/log", "canvas"],
  ["/log/receipt/request-60", "svg rect"],
  ["/log/receipt/request-failed", "svg rect"],
  ["/log/receipt/nothing", "form"],
  ["/node", "main dl"],
  [`/order/${"1".padStart(32, "0")}`, "main dl"],
  [`/order/${"2".padStart(32, "0")}`, "main dl"],
] as const;

let browser: Browser;
let double: Double;

beforeAll(async () => {
  [browser, double] = await Promise.all([launchBrowser(), startDouble({ files: "dist/console" })]);
  addRecentUse(double.world, Math.floor(Date.now() / 1000), 400, 60);
});

afterAll(async () => {
  await browser?.close();
  await double?.close();
});

/** Each theme and each width; every night in all combinations. */
const LOOKS: readonly (readonly [theme: "light" | "dark", width: number])[] = [
  ["light", 1440],
  ["dark", 390],
  ...(TRIES_ALL
    ? ([
        ["dark", 1440],
        ["light", 390],
      ] as const)
    : []),
];

it.each(LOOKS)(
  "no picture breaks a rule of accessibility in the %s theme at %i px",
  async (theme, width) => {
    const page = await newVisit(browser, {
      viewport: { width, height: 900 },
      colorScheme: theme,
      bypassCSP: true,
    });
    await enter(page, double.url);
    await page.evaluate(
      `localStorage.setItem("log-trend", "requests"); localStorage.setItem("language", "en")`,
    );
    const found: string[] = [];
    for (const [path, drawn] of PAGES) {
      await page.goto(double.url + path);
      await page.locator(drawn).first().waitFor();
      await page.locator("main .skeleton").first().waitFor({ state: "detached" });
      const isWider = await page.evaluate("document.documentElement.scrollWidth > innerWidth");
      if (isWider) found.push(`${path}: wider than the screen`);
      await page.evaluate(axe.source);
      const findings = (await page.evaluate("axe.run().then((result) => result.violations)")) as {
        id: string;
        nodes: { html: string }[];
      }[];
      for (const { id, nodes } of findings) found.push(`${path}: ${id} ${nodes[0]?.html}`);
    }
    await page.context().close();
    expect(found).toEqual([]);
  },
  120_000,
);
