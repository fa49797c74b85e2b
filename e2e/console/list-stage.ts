import { launchBrowser } from "@tollgate/testkit/browser";
import { type Double, type DoubleOptions, startDouble } from "@tollgate/testkit/contract-double/double";
import type { Browser, BrowserContextOptions, Locator, Page } from "playwright-core";
import { enter, newVisit } from "./visitor";

/** A browser in front of a server of the contract, signed in as root. */
export interface ListStage {
  double: Double;
  browser: Browser;
  page: Page;
  /** Opens an address of the console and waits until it shows what it asks the server for. */
  open: (path: string) => Promise<void>;
  /** The table row that shows this text. */
  row: (text: string) => Locator;
  /** A message of the toaster. */
  toast: (text: string | RegExp) => Locator;
  /** Calls that have arrived since the last look, without what pages ask for by themselves and signing in. */
  calls: () => string[];
  /** Waits until the list has looked past its first page, as it does by itself. */
  lookedAhead: () => Promise<void>;
  /** The newest body that arrived with this call. */
  body: (call: string) => unknown;
  /** Another window on the same server, signed in as well. */
  another: (options?: BrowserContextOptions) => Promise<Page>;
  close: () => Promise<void>;
}

/** Starts a contract double that serves the built console, and a browser on it. */
export const startListStage = async (options: DoubleOptions = {}): Promise<ListStage> => {
  const [double, browser] = await Promise.all([
    startDouble({ files: "dist/console", ...options }),
    launchBrowser(),
  ]);
  const another = async (more: BrowserContextOptions = {}): Promise<Page> => {
    const page = await newVisit(browser, {
      viewport: { width: 1440, height: 900 },
      permissions: ["clipboard-read", "clipboard-write"],
      ...more,
    });
    await enter(page, double.url);
    return page;
  };
  const page = await another();
  let seen = 0;
  return {
    double,
    browser,
    page,
    open: async (path) => {
      await page.goto(double.url + path);
      await page.locator("h1").first().waitFor();
      await page.locator("[aria-busy=true], .skeleton").first().waitFor({ state: "detached" });
    },
    row: (text) => page.getByRole("row").filter({ hasText: text }),
    toast: (text) => page.getByRole("region", { name: "通知" }).getByText(text),
    calls: () => {
      const fresh = double.calls
        .slice(seen)
        .filter((call) => !/\/api\/(status|notice|user\/login|group\/|channel\/(tags|models))$/.test(call));
      seen = double.calls.length;
      return fresh;
    },
    lookedAhead: () => page.getByRole("button", { name: "第 2 页" }).waitFor(),
    body: (call) => double.bodies.findLast((each) => each.call === call)?.body,
    another,
    close: async () => {
      await browser.close();
      await double.close();
    },
  };
};
