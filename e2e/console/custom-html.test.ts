import { launchBrowser } from "@tollgate/testkit/browser";
import { type ServerProcess, startServer } from "@tollgate/testkit/server-process";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

/** Each would leave a mark if it ran. */
const HOSTILE = [
  "<script>window.hit = 1</script>",
  '<img src="/no-such-picture" onerror="window.hit = 1">',
  "<svg onload='window.hit = 1'></svg>",
  '<a id="trap" href="javascript:window.hit = 1">trap</a>',
  '<form action="https://evil.example"><input name="password"></form>',
  "**harmless**",
].join("\n\n");

let server: ServerProcess;
let browser: Browser;

beforeAll(async () => {
  [server, browser] = await Promise.all([startServer(), launchBrowser()]);
  const root = await server.signIn();
  for (const key of ["Notice", "HomePageContent", "About", "Footer"]) {
    await root.api("PUT", "/api/option/", { key, value: HOSTILE });
  }
});

afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

describe("an administrator's HTML", () => {
  it.each(["/", "/about"])(
    "shows on %s and runs nothing, even without the content security policy",
    async (path) => {
      const context = await browser.newContext({ locale: "zh-CN", bypassCSP: true });
      const page = await context.newPage();
      await page.goto(server.url + path);
      await page.getByText("harmless").first().waitFor();
      await page.waitForTimeout(300);
      for (const link of await page.getByText("trap").all())
        await link.click({ force: true, noWaitAfter: true });
      expect(await page.evaluate("window.hit")).toBeUndefined();
      expect(await page.locator("form, input[name=password], [onerror], [onload]").count()).toBe(0);
      await context.close();
    },
  );
});
