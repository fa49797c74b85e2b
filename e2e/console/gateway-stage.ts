import { addApiKey, addChannel, addUser, demand } from "@tollgate/demo/build-world";
import { launchBrowser } from "@tollgate/testkit/browser";
import { type FakeUpstream, startFakeUpstream } from "@tollgate/testkit/fake-upstream/fake-upstream";
import { type ServerProcess, type SignedIn, startServer } from "@tollgate/testkit/server-process";
import type { Locator, Page } from "playwright-core";
import { enter, newVisit } from "./visitor";

export type Person = SignedIn & { id: number; username: string };

/** One request of a client, answered. */
export interface Asked {
  status: number;
  headers: Headers;
  text: string;
  /** By which its receipt is found. */
  requestId: string;
}

/** The product with an upstream and a browser, in which root works and a customer looks. */
export interface GatewayStage {
  server: ServerProcess;
  upstream: FakeUpstream;
  root: SignedIn;
  /** An ordinary user with 10 USD. */
  carol: Person;
  /** Root's window. */
  page: Page;
  /** The customer's window. */
  customer: Page;
  /** A window without a session. */
  visit(): Promise<Page>;
  /** Opens an address in a window and waits for its heading. */
  open(path: string, page?: Page): Promise<void>;
  press(name: string, page?: Page): Promise<void>;
  /** Waits until a page says that something was done. */
  seeDone(page?: Page, text?: string | RegExp): Promise<void>;
  /** Chooses of a list that opens, by the field's label. */
  choose(field: string, option: string | RegExp, page?: Page): Promise<void>;
  /** Adds chips to a field for several. */
  pick(field: Locator, ...options: string[]): Promise<void>;
  /** Unfolds a part of a form. */
  unfold(title: string): Promise<void>;
  /** The table row that shows this text. */
  row(text: string | RegExp, page?: Page): Locator;
  setOption(key: string, value: string): Promise<void>;
  /** Adds a channel of the upstream. */
  addChannel(channel: Record<string, unknown>): Promise<number>;
  /** Makes an unlimited key, of the customer's unless told otherwise. */
  addKey(more?: Record<string, unknown>, owner?: Person): Promise<string>;
  /** Sends a chat. */
  ask(key: string, body?: Record<string, unknown> | string, headers?: Record<string, string>): Promise<Asked>;
  /** Opens the receipt of a request, as soon as there is one. */
  openReceipt(asked: Asked, page?: Page): Promise<void>;
  close(): Promise<void>;
}

/** Starts all of it. */
export const startGatewayStage = async (): Promise<GatewayStage> => {
  const [server, upstream, browser] = await Promise.all([
    startServer({ env: { LOG_LEVEL: "error" } }),
    startFakeUpstream(),
    launchBrowser(),
  ]);
  const root = await server.signIn();
  const carol = await addUser(root, server.signIn, "carol", { quota: 5_000_000 });
  const visit = () => newVisit(browser);
  const [page, customer] = await Promise.all([visit(), visit()]);
  await enter(page, server.url);
  await enter(customer, server.url, "carol", "password-1");

  const open: GatewayStage["open"] = async (path, at = page) => {
    await at.goto(server.url + path);
    await at.locator("h1").first().waitFor();
  };

  return {
    server,
    upstream,
    root,
    carol,
    page,
    customer,
    visit,
    open,
    press: (name, at = page) => at.getByRole("button", { name, exact: true }).click(),
    seeDone: async (at = page, text = "操作成功完成!") => {
      await at.getByText(text).first().waitFor();
    },
    choose: async (field, option, at = page) => {
      await at.getByRole("combobox", { name: field, exact: true }).click();
      await at.getByRole("option", { name: option }).click();
    },
    pick: async (field, ...options) => {
      for (const option of options) {
        await field.fill(option);
        await field.page().getByRole("option", { name: option }).first().click();
      }
      await field.press("Escape");
    },
    unfold: (title) => page.locator("summary", { hasText: title }).click(),
    row: (text, at = page) => at.getByRole("row").filter({ hasText: text }),
    setOption: async (key, value) => {
      await demand(root.api("PUT", "/api/option/", { key, value }));
    },
    addChannel: (channel) => addChannel(root, { base_url: upstream.url, ...channel }),
    addKey: async (more = {}, owner = carol) =>
      (await addApiKey(owner, { remain_quota: 0, unlimited_quota: true, ...more })).key,
    ask: async (key, body = {}, headers = {}) => {
      const response = await fetch(`${server.url}/v1/chat/completions`, {
        method: "POST",
        headers: { authorization: `Bearer sk-${key}`, "content-type": "application/json", ...headers },
        body:
          typeof body === "string"
            ? body
            : JSON.stringify({
                model: "gpt-3.5-turbo",
                messages: [{ role: "user", content: "hi" }],
                ...body,
              }),
      });
      return {
        status: response.status,
        headers: response.headers,
        text: await response.text(),
        requestId: response.headers.get("x-oneapi-request-id") ?? "",
      };
    },
    openReceipt: async ({ requestId }, at = page) => {
      await at.goto(`${server.url}/log/receipt/${requestId}`);
      await at.getByRole("heading", { name: "这个请求去了哪里" }).waitFor();
    },
    close: async () => {
      await browser.close();
      await server.stop();
      await upstream.close();
    },
  };
};
