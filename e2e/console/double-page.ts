import { type Double, type DoubleOptions, startDouble } from "@tollgate/testkit/contract-double/double";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";

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
 * @param username somebody of the double's world
 */
export const openDoublePage = async (
  browser: Browser,
  username: string,
  options: DoubleOptions = {},
  contextOptions: BrowserContextOptions = {},
): Promise<DoublePage> => {
  const double = await startDouble({ files: "dist/console", ...options });
  const user = double.world.users.find((each) => each.username === username);
  if (!user) throw new Error(`nobody is called ${username}`);
  const { hostname } = new URL(double.url);
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    locale: "zh-CN",
    storageState: {
      cookies: [
        {
          name: "session",
          value: String(user.id),
          domain: hostname,
          path: "/",
          expires: -1,
          httpOnly: true,
          secure: false,
          sameSite: "Lax",
        },
      ],
      origins: [
        {
          origin: double.url,
          localStorage: [{ name: "user", value: JSON.stringify({ ...user, password: "" }) }],
        },
      ],
    },
    ...contextOptions,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(10_000);
  return {
    page,
    double,
    go: async (path) => {
      await page.goto(double.url + path);
    },
    forgetCalls: () => {
      double.calls.length = 0;
      double.bodies.length = 0;
    },
    callsOf: (start) => double.calls.filter((call) => call.startsWith(start)),
    bodiesOf: (start) => double.bodies.filter(({ call }) => call.startsWith(start)).map(({ body }) => body),
    toast: (text) =>
      page.getByRole("region", { name: "通知" }).getByText(text, { exact: true }).first().waitFor(),
    close: async () => {
      await context.close();
      await double.close();
    },
  };
};
