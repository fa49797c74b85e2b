import type { Browser, BrowserContextOptions, Locator, Page } from "playwright-core";

/** How long a page may take to do what a test waits for. */
const TIMEOUT_MS = 30_000;

/** A fresh visit: nothing stored, Chinese, a wide window unless told otherwise. Close it with `page.context().close()`. */
export const newVisit = async (browser: Browser, options: BrowserContextOptions = {}): Promise<Page> => {
  const context = await browser.newContext({
    locale: "zh-CN",
    viewport: { width: 1280, height: 900 },
    reducedMotion: "reduce",
    ...options,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(TIMEOUT_MS);
  return page;
};

/** Signs in behind the page's back: the session cookie and the stored user, as the login page leaves them. */
export const enter = async (
  page: Page,
  url: string,
  username = "root",
  password = "123456",
): Promise<void> => {
  const answer = await page.request.post(`${url}/api/user/login`, { data: { username, password } });
  const { success, data } = (await answer.json()) as { success: boolean; data: unknown };
  if (!success) throw new Error(`${username} may not sign in: ${await answer.text()}`);
  await page.goto(`${url}/logo.svg`);
  await page.evaluate(`localStorage.setItem("user", ${JSON.stringify(JSON.stringify(data))})`);
};

/** Opens all cards of a tab of the site's settings. */
export const unfoldSettings = (page: Page): Promise<void> =>
  page.getByRole("button", { name: "展开全部", exact: true }).click();

/** Opens a setting of JSON in the editor and gives its field. */
export const jsonFieldOf = async (page: Page, label: string): Promise<Locator> => {
  await page
    .getByRole("group", { name: `${label}的显示方式` })
    .getByText("编辑为 JSON")
    .click();
  // The plain field until the editor has come has the same name.
  await page
    .locator(".cm-content")
    .and(page.getByLabel(label, { exact: true }))
    .waitFor();
  return page.getByRole("textbox", { name: label, exact: true });
};

/** A form field by its label; the star of a required one is no part of it. */
export const fieldOf = (page: Page, label: string): Locator => page.getByLabel(new RegExp(`^${label}\\*?$`));

/**
 * Fills the login page's form and sends it. The address changes before the page does, and the registration that leads
 * here has fields of the same names: so the page's own button is waited for first.
 */
export const submitLogin = async (page: Page, username: string, password: string): Promise<void> => {
  const submit = page.getByRole("button", { name: "登录", exact: true });
  await submit.waitFor();
  await page.getByLabel("用户名").fill(username);
  await page.getByLabel("密码", { exact: true }).fill(password);
  await submit.click();
};

/** An action of a table's row; its menu is opened where it is not in the row itself. */
export const rowAction = async (row: Locator, label: string): Promise<Locator> => {
  const name = new RegExp(`^${label}：`);
  const inline = row.getByRole("button", { name }).or(row.getByRole("link", { name }));
  const more = row.getByRole("button", { name: /^更多操作/ });
  await inline.or(more).first().waitFor();
  if ((await inline.count()) > 0) return inline;
  // A click on the button of an open menu would close it.
  if ((await more.getAttribute("aria-expanded")) !== "true") await more.click();
  // A reason why it cannot be chosen stands in it as well.
  return row.page().getByRole("menuitem", { name: new RegExp(`^${label}`) });
};

/** Does it. */
export const actOnRow = async (row: Locator, label: string): Promise<void> =>
  (await rowAction(row, label)).click();

/** What local storage holds under a key; null where there is nothing. */
export const readStorage = (page: Page, key: string): Promise<string | null> =>
  page.evaluate(`localStorage.getItem(${JSON.stringify(key)})`);

/** Every call of /api that the page makes from now on, as "METHOD path?query". */
export const watchCalls = (page: Page): string[] => {
  const calls: string[] = [];
  page.on("request", (request) => {
    const { pathname, search } = new URL(request.url());
    if (pathname.startsWith("/api/")) calls.push(`${request.method()} ${pathname}${search}`);
  });
  return calls;
};

/** Closes the window that shows how a key that was just made is used. */
export const closeConnect = async (page: Page): Promise<void> => {
  const window = page.getByRole("dialog", { name: /^接入令牌/ });
  await window.waitFor();
  await window.getByRole("button", { name: "关闭" }).click();
  await window.waitFor({ state: "detached" });
};
