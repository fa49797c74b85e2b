import { createHash } from "node:crypto";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { launchBrowser } from "@tollgate/testkit/browser";
import { type Double, startDouble } from "@tollgate/testkit/contract-double/double";
import { type ServerProcess, startServer } from "@tollgate/testkit/server-process";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { closeConnect, newVisit, submitLogin } from "./visitor";

const BUILD = "dist/console";

/** A port that no process uses at this moment: two servers that name each other must know it before they start. */
const findFreePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });

/** A copy of the built files with its own config.json, as an operator would put it on any web server. */
const copyBuild = (apiBaseUrl: string): string => {
  const folder = mkdtempSync(join(tmpdir(), "tollgate-console-"));
  cpSync(BUILD, folder, { recursive: true });
  writeFileSync(join(folder, "config.json"), JSON.stringify({ apiBaseUrl }));
  return folder;
};

const hashScripts = (folder: string): string => {
  const hash = createHash("sha256");
  for (const name of readdirSync(join(folder, "assets")).sort())
    hash.update(readFileSync(join(folder, "assets", name)));
  return hash.update(readFileSync(join(folder, "index.html"))).digest("hex");
};

let browser: Browser;
let gateway: ServerProcess;
let host: ServerProcess;
let folder: string;
let webServer: Double;

beforeAll(async () => {
  const [hostPort, gatewayPort, webPort] = await Promise.all([
    findFreePort(),
    findFreePort(),
    findFreePort(),
  ]);
  const gatewayUrl = `http://127.0.0.1:${gatewayPort}`;
  folder = copyBuild(`${gatewayUrl}/`);
  [browser, gateway, host, webServer] = await Promise.all([
    launchBrowser(),
    startServer({
      env: {
        PORT: String(gatewayPort),
        ALLOWED_ORIGINS: `http://127.0.0.1:${hostPort},http://localhost:${hostPort},http://127.0.0.1:${webPort}`,
      },
    }),
    startServer({ env: { PORT: String(hostPort), CONSOLE_API_BASE_URL: gatewayUrl } }),
    startDouble({ files: folder }, webPort),
  ]);
});

afterAll(async () => {
  await browser?.close();
  await Promise.all([gateway?.stop(), host?.stop(), webServer?.close()]);
  if (folder) rmSync(folder, { recursive: true, force: true });
});

/** Where the page's calls of /api went. */
const watchCalls = (page: Page): Set<string> => {
  const origins = new Set<string>();
  page.on("request", (request) => {
    const url = new URL(request.url());
    if (url.pathname.startsWith("/api/")) origins.add(url.origin);
  });
  return origins;
};

const signIn = async (page: Page): Promise<void> => {
  await submitLogin(page, "root", "123456");
  await page.waitForURL("**/user/edit**");
};

/** Signs in, makes a key, loads the page again, and signs out. */
const useConsole = async (page: Page, url: string, tokenName: string): Promise<void> => {
  await page.goto(`${url}/login`);
  await signIn(page);
  await page.goto(`${url}/token/add`);
  await page.getByRole("textbox", { name: "名称", exact: true }).fill(tokenName);
  await page.getByRole("button", { name: "提交" }).click();
  await page.waitForURL("**/token");
  await closeConnect(page);
  await page.reload();
  await page.getByRole("link", { name: tokenName, exact: true }).waitFor();
  await page.getByRole("banner").locator("button[aria-haspopup=menu]").click();
  await page.getByRole("menuitem", { name: "退出登录" }).click();
  await page.waitForURL("**/login");
};

describe("one build", () => {
  it("runs on the gateway that serves it, which it need not be told", async () => {
    const page = await newVisit(browser);
    const origins = watchCalls(page);
    const asked: string[] = [];
    page.on("request", (request) => asked.push(new URL(request.url()).pathname));
    await useConsole(page, gateway.url, "own");
    expect([...origins]).toEqual([gateway.url]);
    expect(asked).not.toContain("/config.json");
    await page.context().close();
  });

  it("runs on another gateway than the one that serves it, with cookies and preflights", async () => {
    const page = await newVisit(browser);
    const origins = watchCalls(page);
    await useConsole(page, host.url, "other");
    expect([...origins]).toEqual([gateway.url]);
    await page.context().close();
  });

  it("runs on a gateway of another site, with a cookie that reaches across", async () => {
    const page = await newVisit(browser);
    const origins = watchCalls(page);
    const url = host.url.replace("127.0.0.1", "localhost");
    await page.goto(`${url}/login`);
    await signIn(page);
    const [cookie] = await page.context().cookies(gateway.url);
    expect(cookie).toMatchObject({ name: "session", sameSite: "None", secure: true, httpOnly: true });
    await page.goto(`${url}/token`);
    await page.getByRole("link", { name: "other", exact: true }).waitFor();
    expect([...origins]).toEqual([gateway.url]);
    await page.context().close();
  });

  it("runs from any web server, told by a config.json beside it", async () => {
    expect(hashScripts(folder)).toBe(hashScripts(BUILD));
    const page = await newVisit(browser);
    const origins = watchCalls(page);
    await useConsole(page, webServer.url, "static");
    expect([...origins]).toEqual([gateway.url]);
    expect(webServer.calls).toEqual([]);
    await page.context().close();
  });

  it("runs on a server that is not ours at all", async () => {
    const other = await startDouble({ files: BUILD });
    const page = await newVisit(browser);
    const origins = watchCalls(page);
    await useConsole(page, other.url, "double");
    expect([...origins]).toEqual([other.url]);
    await page.context().close();
    await other.close();
  });
});

describe("a gateway that does not know the console's origin", () => {
  it("is not reached, and the console says so", async () => {
    const page = await newVisit(browser);
    // Served by the web server, but under a name that the gateway was not told.
    await page.goto(webServer.url.replace("127.0.0.1", "localhost"));
    await page.getByText("无法正常连接至服务器！").waitFor();
    await page.context().close();
  });
});
