import { type Double, type DoubleOptions, startDouble } from "@tollgate/testkit/contract-double/double";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { enter, newVisit } from "./visitor";

/** A page of the built console, over a server that remembers every call. */
export interface DoublePage {
  page: Page;
  double: Double;
  /** Goes to an address of the console. */
  go(path: string): Promise<void>;
  /** Forgets the calls that were made so far. */
  forgetCalls(): void;
  /** The calls whose "METHOD path?query" begins so, in order. */
  callsOf(start: string): string[];
  /** What was sent with the calls that begin so, in order. */
  bodiesOf(start: string): unknown[];
  /** Waits for a message in the corner. */
  toast(text: string): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens the console on a server of its own, signed in without the login page.
 * @param username a person of the double's world
 */
export const openDoublePage = async (
  browser: Browser,
  username: string,
  options: DoubleOptions = {},
  contextOptions: BrowserContextOptions = {},
): Promise<DoublePage> => {
  const double = await startDouble({ files: "dist/console", ...options });
  const page = await newVisit(browser, { viewport: { width: 1440, height: 900 }, ...contextOptions });
  const user = double.world.users.find((each) => each.username === username);
  await enter(page, double.url, username, user?.password);
  const forgetCalls = (): void => {
    double.calls.length = 0;
    double.bodies.length = 0;
  };
  forgetCalls();
  return {
    page,
    double,
    go: async (path) => {
      await page.goto(double.url + path);
    },
    forgetCalls,
    callsOf: (start) => double.calls.filter((call) => call.startsWith(start)),
    bodiesOf: (start) => double.bodies.filter(({ call }) => call.startsWith(start)).map(({ body }) => body),
    toast: (text) =>
      page.getByRole("region", { name: "通知" }).getByText(text, { exact: true }).first().waitFor(),
    close: async () => {
      await page.context().close();
      await double.close();
    },
  };
};
