import { readFileSync } from "node:fs";
import { addApiKey, addChannel } from "@tollgate/demo/build-world";
import { launchBrowser } from "@tollgate/testkit/browser";
import { type ServerProcess, startServer } from "@tollgate/testkit/server-process";
import type { Browser, BrowserContext, Locator, Page, Request, Response } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { actOnRow, enter, newVisit } from "./visitor";

/** What the build weighed against console/weight-budget.json. */
interface Weighed {
  page: string;
  files: string[];
  bytes: number;
  maxBytes: number;
}

const WEIGHED = JSON.parse(readFileSync("dist/console/.vite/first-load.json", "utf8")) as Weighed[];

interface Loaded {
  file: string;
  bytes: number;
  encoding: string | undefined;
  cacheControl: string | undefined;
}

let server: ServerProcess;
let browser: Browser;
/** A person's session, which no shared cache keeps. */
let session: Awaited<ReturnType<BrowserContext["storageState"]>>;

beforeAll(async () => {
  [server, browser] = await Promise.all([startServer(), launchBrowser()]);
  const root = await server.signIn();
  await addChannel(root, { base_url: "http://127.0.0.1:9" });
  await addApiKey(root);
  const page = await newVisit(browser);
  await enter(page, server.url);
  session = await page.context().storageState();
  await page.context().close();
});

afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

const isCode = (response: Response): boolean => /[.](js|css)$/.test(new URL(response.url()).pathname);

interface Opened {
  page: Page;
  loads: () => Promise<Loaded[]>;
  /** Everything that the browser has fetched: pictures and answers as well. */
  fetched: readonly Request[];
}

/** Opens a page in a browser that has nothing of it yet. */
const openAnew = async (path: string): Promise<Opened> => {
  const context = await browser.newContext({
    locale: "zh-CN",
    viewport: { width: 1440, height: 900 },
    storageState: path === "/login" ? undefined : session,
  });
  const page = await context.newPage();
  const responses: Response[] = [];
  const fetched: Request[] = [];
  page.on("requestfinished", (request) => fetched.push(request));
  page.on("response", (response) => {
    if (isCode(response)) responses.push(response);
  });
  await page.goto(server.url + path);
  // On a busy machine the network also rests while the page is made.
  await page.locator("h1").first().waitFor();
  await page.waitForLoadState("networkidle");
  return {
    page,
    fetched,
    loads: () =>
      Promise.all(
        responses.map(async (response) => ({
          file: new URL(response.url()).pathname.slice(1),
          bytes: (await response.request().sizes()).responseBodySize,
          encoding: response.headers()["content-encoding"],
          cacheControl: response.headers()["cache-control"],
        })),
      ),
  };
};

/** The names of chunks, without their hashes. */
const namesOf = (loaded: readonly Loaded[]): string[] =>
  loaded.map(({ file }) => file.replace(/^assets\//, "").replace(/-[\w-]{8}[.]/, ".")).sort();

describe("the first load", () => {
  it.each(WEIGHED)(
    "of $page has the size that the build weighed, and is below its limit",
    async ({ page: path, files, bytes, maxBytes }) => {
      const { page, loads } = await openAnew(path);
      const loaded = await loads();
      expect(loaded.map(({ file }) => file).sort()).toEqual(files);
      expect(loaded.reduce((sum, { bytes: each }) => sum + each, 0)).toBe(bytes);
      expect(bytes).toBeLessThanOrEqual(maxBytes);
      await page.context().close();
    },
  );

  it("of /channel/add takes at most 25 requests and 230 KiB, with pictures, answers and headers", async () => {
    const { page, fetched } = await openAnew("/channel/add");
    const sizes = await Promise.all(fetched.map((request) => request.sizes()));
    const bytes = sizes.reduce((sum, size) => sum + size.responseHeadersSize + size.responseBodySize, 0);
    expect(fetched.some((request) => request.url().endsWith("/api/channel/models"))).toBe(true);
    expect(fetched.length).toBeLessThanOrEqual(25);
    expect(bytes / 1024).toBeLessThanOrEqual(230);
    await page.context().close();
  });

  it("comes as brotli, and for ever where the name has a hash", async () => {
    const { page, loads } = await openAnew("/token");
    const loaded = await loads();
    for (const { file, bytes, encoding, cacheControl } of loaded) {
      // Below a kilobyte a compressed copy saves no packet.
      if (bytes >= 1024) expect([file, encoding]).toEqual([file, "br"]);
      expect([file, cacheControl]).toEqual([
        file,
        file.startsWith("assets/") ? "public, max-age=31536000, immutable" : "no-cache",
      ]);
    }
    expect(loaded.filter(({ encoding }) => encoding === "br").length).toBeGreaterThan(4);
    await page.context().close();
  });
});

describe("heavy parts load on demand:", () => {
  it("the calendar with the first click on it", async () => {
    const { page, loads } = await openAnew("/log");
    expect(namesOf(await loads())).not.toContain("date-time-popup.js");
    await page.getByRole("button", { name: "选择起始时间" }).click();
    await page.getByRole("grid").waitFor();
    expect(namesOf(await loads())).toContain("date-time-popup.js");
    await page.context().close();
  });

  it("the cleaning of an administrator's HTML with the first HTML", async () => {
    const { page, loads } = await openAnew("/about");
    expect(namesOf(await loads())).not.toContain("sanitise.js");
    const root = await server.signIn();
    await root.api("PUT", "/api/option/", { key: "About", value: "**about us**" });
    await page.reload();
    await page.getByText("about us").waitFor();
    expect(namesOf(await loads())).toContain("sanitise.js");
    await page.context().close();
  });

  it("a question with the first question, forms with the first form, site settings with their tab", async () => {
    const { page, loads } = await openAnew("/token");
    expect(namesOf(await loads())).not.toContain("confirm-dialog.js");
    await actOnRow(page.getByRole("row").nth(1), "删除");
    await page.getByRole("alertdialog").waitFor();
    expect(namesOf(await loads())).toContain("confirm-dialog.js");
    await page.getByRole("button", { name: "取消" }).click();
    expect(namesOf(await loads())).not.toContain("api-key-form-page.js");
    await page.getByRole("link", { name: "添加新的令牌" }).click();
    await page.getByRole("textbox", { name: "过期时间" }).waitFor();
    expect(namesOf(await loads())).toContain("api-key-form-page.js");
    await page.goto(`${server.url}/setting`, { waitUntil: "networkidle" });
    expect(namesOf(await loads())).not.toContain("site-settings.js");
    await page.getByRole("tab", { name: "运营设置" }).click();
    await page.getByRole("region", { name: "通用设置" }).waitFor();
    expect(namesOf(await loads())).toContain("site-settings.js");
    await page.context().close();
  });
});

describe("a popup whose code comes later than the first key", () => {
  /** Opens a page, and holds up all further code. */
  const openHeldUp = async (path: string): Promise<{ page: Page; release: () => void }> => {
    const { page } = await openAnew(path);
    let release = (): void => undefined;
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route("**/assets/*.js", async (route) => {
      await gate;
      await route.continue();
    });
    return { page, release: () => release() };
  };
  const focusIsOn = (control: Locator): Promise<void> =>
    control.and(control.page().locator(":focus")).waitFor();

  it.each(["Enter", "Space", "ArrowDown", "o"])("opens the list of a select for %s", async (key) => {
    const { page, release } = await openHeldUp("/channel/add");
    const select = page.getByRole("combobox", { name: "类型" });
    const place = await select.boundingBox();
    await select.press(key);
    await focusIsOn(select);
    release();
    await page.getByRole("listbox").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("listbox").waitFor({ state: "detached" });
    await focusIsOn(select);
    expect(await select.boundingBox()).toEqual(place);
    await page.context().close();
  });

  it("takes no focus from where the person has gone", async () => {
    const { page, release } = await openHeldUp("/channel/add");
    await page.getByRole("combobox", { name: "类型" }).press("Enter");
    await page.keyboard.press("Tab");
    const name = page.getByRole("textbox", { name: "名称" });
    await focusIsOn(name);
    const code = page.waitForResponse(/select-list.*[.]js$/);
    release();
    await (await code).finished();
    await page.waitForLoadState("networkidle");
    await focusIsOn(name);
    expect(await page.getByRole("listbox").count()).toBe(0);
    await page.context().close();
  });

  it("keeps text typed into a field of several choices", async () => {
    const { page, release } = await openHeldUp("/channel/add");
    const field = page.getByRole("combobox", { name: "分组" });
    await field.pressSequentially("de");
    release();
    await page.getByRole("listbox").waitFor();
    await focusIsOn(field);
    await page.keyboard.type("fa");
    expect(await field.inputValue()).toBe("defa");
    expect(await page.getByRole("option").allTextContents()).toEqual(["default"]);
    await page.context().close();
  });

  it("opens the calendar, and gives the focus back", async () => {
    const { page, release } = await openHeldUp("/token/add");
    const button = page.getByRole("button", { name: "选择过期时间" });
    await button.press("Enter");
    release();
    await page.getByRole("grid").waitFor();
    await page.keyboard.press("Escape");
    await focusIsOn(button);
    await page.context().close();
  });
});
