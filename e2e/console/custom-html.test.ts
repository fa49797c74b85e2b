import { launchBrowser } from "@tollgate/testkit/browser";
import { type ServerProcess, startServer } from "@tollgate/testkit/server-process";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

/** Each would leave a mark if it ran, or lie over the page. */
const HOSTILE = [
  "[by Markdown](javascript:window.hit=1)",
  "[in other letters](JaVaScRiPt:window.hit=1)",
  "[by data](data:text/html,<script>parent.window.hit=1</script>)",
  "![a picture](javascript:window.hit=1)",
  '<a href="java&#10;script:window.hit=1">in two lines</a>',
  '<a href="&#1;javascript:window.hit=1">behind a control character</a>',
  '<a class="fixed inset-0 z-50" id="cover" href="https://evil.example">cover</a>',
  '<math><mtext><table><mglyph><style><img src=x onerror="window.hit=1"></style></mglyph></table></mtext></math>',
  '<noscript><p title="</noscript><img src=x onerror=window.hit=1>"></noscript>',
  "<svg><style><img src=x onerror=window.hit=1></style></svg>",
  '<svg><a xlink:href="javascript:window.hit=1"><text>svg link</text></a></svg>',
  '<iframe srcdoc="<script>parent.window.hit=1</script>"></iframe>',
  '<object data="data:text/html,<script>parent.window.hit=1</script>"></object><embed src="javascript:window.hit=1">',
  '<base href="https://evil.example/"><meta http-equiv="refresh" content="0;url=https://evil.example">',
  '<link rel="stylesheet" href="https://evil.example/x.css"><style>body{display:none}</style>',
  '<details open ontoggle="window.hit=1"><summary>more</summary></details>',
  '<video><source onerror="window.hit=1"></video><audio src=x onerror="window.hit=1"></audio>',
  "<img src=\"data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' onload='window.hit=1'/>\">",
  '<template><script>window.hit=1</script></template><button formaction="javascript:window.hit=1">press</button>',
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
      for (const link of await page.locator(".prose a").all())
        await link.click({ force: true, noWaitAfter: true, timeout: 2_000 }).catch(() => undefined);
      expect(await page.evaluate("window.hit")).toBeUndefined();
      expect(new URL(page.url()).origin).toBe(server.url);
      const foreign =
        "form, input[name=password], [onerror], [onload], [ontoggle], .prose :is(iframe, object, embed, base, meta, link, style, svg, math, button)";
      expect(await page.locator(foreign).evaluateAll((found) => found.map((one) => one.outerHTML))).toEqual(
        [],
      );
      expect(await page.locator(".prose [class], .prose [id], .prose [style]").count()).toBe(0);
      const addresses = await page
        .locator(".prose a[href]")
        .evaluateAll((links) => links.map((link) => link.getAttribute("href") ?? ""));
      expect(addresses.filter((address) => !address.startsWith("https://"))).toEqual([]);
      await context.close();
    },
  );
});
