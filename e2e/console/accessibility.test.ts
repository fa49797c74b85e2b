import { launchBrowser } from "@tollgate/testkit/browser";
import { addChannel, addToken } from "@tollgate/testkit/seed";
import { type ServerProcess, startServer } from "@tollgate/testkit/server-process";
import axe from "axe-core";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const ROUTES = [
  "/",
  "/login",
  "/channel",
  "/channel/add",
  "/channel/edit/1",
  "/token",
  "/token/add",
  "/log",
  "/topup",
  "/redemption",
  "/redemption/add",
  "/user",
  "/user/add",
  "/user/edit",
  "/setting",
  "/register",
  "/reset",
  "/about",
  "/no-such-page",
];
const WIDTHS = [1440, 390];

interface Finding {
  id: string;
  impact: string | null;
  nodes: { html: string }[];
}

let server: ServerProcess;
let browser: Browser;

beforeAll(async () => {
  [server, browser] = await Promise.all([startServer(), launchBrowser()]);
  const root = await server.signIn();
  await addChannel(root, { base_url: "http://127.0.0.1:9" });
  await addToken(root);
});

afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

describe.each(["light", "dark"] as const)("in the %s theme", (colorScheme) => {
  it.each(WIDTHS)(
    "no page breaks a serious rule of accessibility at %i px",
    async (width) => {
      const context = await browser.newContext({
        viewport: { width, height: 900 },
        colorScheme,
        locale: "zh-CN",
        // Only the checker itself is let in.
        bypassCSP: true,
      });
      const page = await context.newPage();
      await page.goto(`${server.url}/login`);
      const found: string[] = [];
      const check = async (route: string): Promise<void> => {
        await page.goto(server.url + route);
        await page.locator("h1").first().waitFor();
        await page.evaluate(axe.source);
        const findings = (await page.evaluate("axe.run().then((result) => result.violations)")) as Finding[];
        for (const { id, impact, nodes } of findings) {
          if (impact === "serious" || impact === "critical")
            found.push(`${route}: ${id} ${nodes[0]?.html ?? ""}`);
        }
      };
      await check("/login");
      await page.getByLabel("用户名").fill("root");
      await page.getByLabel("密码", { exact: true }).fill("123456");
      await page.getByRole("button", { name: "登录", exact: true }).click();
      await page.waitForURL("**/user/edit**");
      for (const route of ROUTES) await check(route);
      await context.close();
      expect(found).toEqual([]);
    },
    60_000,
  );
});
