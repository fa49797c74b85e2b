import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createConsoleFiles } from "./console-files";

let folder: string;
let server: Server;
let url: string;

const start = async (apiBaseUrl = "", isHttps = false): Promise<void> => {
  server = createServer(
    createConsoleFiles(
      folder,
      apiBaseUrl,
      () => false,
      () => isHttps,
    ),
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tollgate-console-"));
});

afterEach(() => {
  server.close();
  rmSync(folder, { recursive: true, force: true });
});

const build = (): void => {
  mkdirSync(join(folder, "assets"));
  writeFileSync(join(folder, "index.html"), "<title>page</title>");
  writeFileSync(join(folder, "assets/app-1a2b.js"), "script()");
  writeFileSync(join(folder, "assets/app-1a2b.js.br"), brotliCompressSync("script()"));
};

describe("the console's files", () => {
  it("come compressed and for ever when their name has a hash", async () => {
    build();
    await start();
    const script = await fetch(`${url}/assets/app-1a2b.js`, { headers: { "accept-encoding": "br" } });
    expect(await script.text()).toBe("script()");
    expect(script.headers.get("content-encoding")).toBe("br");
    expect(script.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
    expect(script.headers.get("cache-control")).toContain("immutable");
    const plain = await fetch(`${url}/assets/app-1a2b.js`, { headers: { "accept-encoding": "identity" } });
    expect(plain.headers.get("content-encoding")).toBeNull();
    expect(await plain.text()).toBe("script()");
  });

  it.each([false, true])(
    "T7: may show unencrypted pictures where they came so themselves (HTTPS: %s)",
    async (isHttps) => {
      build();
      await start("", isHttps);
      const policy = (await fetch(url)).headers.get("content-security-policy") ?? "";
      const images = policy.split("; ").find((part) => part.startsWith("img-src"));
      expect(images).toBe(isHttps ? "img-src 'self' data: https:" : "img-src 'self' data: https: http:");
    },
  );

  it("are the page itself for every other path, revalidated each time", async () => {
    build();
    await start();
    for (const path of ["/", "/token", "/channel/edit/3?x=1", "/../../etc/passwd"]) {
      const page = await fetch(url + path);
      expect(await page.text()).toBe("<title>page</title>");
      expect(page.headers.get("cache-control")).toBe("no-cache");
    }
    const { headers } = await fetch(url);
    const again = await fetch(url, { headers: { "if-none-match": headers.get("etag") ?? "" } });
    expect(again.status).toBe(304);
  });

  it("are not found when a script is missing or something is sent", async () => {
    build();
    await start();
    expect((await fetch(`${url}/assets/old-9f9f.js`)).status).toBe(404);
    expect((await fetch(url, { method: "POST" })).status).toBe(404);
  });

  it("name the gateway that the console calls, in the page and in config.json, and let it be called", async () => {
    build();
    writeFileSync(join(folder, "index.html"), '<meta name="api-base-url" content="config.json" />');
    await start("https://api.example.com/gateway");
    const page = await fetch(url, { headers: { "accept-encoding": "br" } });
    expect(page.headers.get("content-encoding")).toBe("br");
    expect(await page.text()).toBe('<meta name="api-base-url" content="https://api.example.com/gateway" />');
    expect(page.headers.get("content-security-policy")).toMatch(
      /connect-src 'self' \S+ https:\/\/api\.example\.com;/,
    );
    expect(await (await fetch(`${url}/config.json`)).json()).toEqual({
      apiBaseUrl: "https://api.example.com/gateway",
    });
  });

  it("say that it is this one unless told otherwise", async () => {
    build();
    writeFileSync(join(folder, "index.html"), '<meta name="api-base-url" content="config.json" />');
    await start();
    expect(await (await fetch(url)).text()).toBe('<meta name="api-base-url" content="" />');
    expect(await (await fetch(`${url}/config.json`)).json()).toEqual({ apiBaseUrl: "" });
  });

  it("name the scripts that a page needs at once, each page its own", async () => {
    build();
    writeFileSync(
      join(folder, "index.html"),
      '<head><script src="/first-paint.js"></script><script src="/entry.js"></script></head>',
    );
    writeFileSync(
      join(folder, "preloads.json"),
      JSON.stringify([
        { path: "/", code: ["assets/home.js"], texts: {} },
        { path: "/user/$id", code: ["assets/user.js"], texts: {} },
        {
          path: "/user/edit",
          code: ["assets/edit.js", "assets/form.js"],
          texts: { "zh-CN": ["assets/zh.js"], en: ["assets/en.js"] },
        },
      ]),
    );
    await start();
    const linksOf = async (path: string) =>
      [
        ...(await (await fetch(url + path)).text()).matchAll(
          /rel="modulepreload" crossorigin href="([^"]+)"/g,
        ),
      ].map(([, file]) => file);
    expect(await linksOf("/")).toEqual(["/assets/home.js"]);
    expect(await linksOf("/user/edit?x=/user/3")).toEqual(["/assets/edit.js", "/assets/form.js"]);
    expect(await linksOf("/user/edit/")).toEqual(["/assets/edit.js", "/assets/form.js"]);
    expect(await linksOf("/user/%2F$&")).toEqual(["/assets/user.js"]);
    expect(await linksOf("/user/3/keys")).toEqual([]);
    const page = await fetch(`${url}/user/edit`);
    expect(await page.text()).toContain(
      '<link data-language="zh-CN" crossorigin href="/assets/zh.js">' +
        '<link data-language="en" crossorigin href="/assets/en.js"><script src="/first-paint.js">',
    );
    // Each page has the entity tag of its content.
    const etag = page.headers.get("etag") ?? "";
    expect((await fetch(`${url}/user/edit`, { headers: { "if-none-match": etag } })).status).toBe(304);
    expect((await fetch(`${url}/user/3`, { headers: { "if-none-match": etag } })).status).toBe(200);
  });

  it("outlive a new build", async () => {
    build();
    await start();
    rmSync(join(folder, "assets"), { recursive: true });
    expect(await (await fetch(`${url}/assets/app-1a2b.js`)).text()).toBe("script()");
  });

  it("say so when they have not been built", async () => {
    await start();
    const answer = await fetch(`${url}/token`);
    expect([answer.status, await answer.text()]).toEqual([503, expect.stringContaining("npm start")]);
  });
});
