import { request } from "node:http";
import { cookiesOf } from "@tollgate/demo/api-client";
import { createDataDir, databaseOf, type ServerProcess, startServer } from "@tollgate/testkit/server-process";
import { afterEach, describe, expect, it } from "vitest";
import { callApi, signIn, succeed } from "./client";
import { changeStoredData, openStoredData } from "./database";

const PASSWORD = "roots-own-password";
const LINK = /http:\/\/[^\s#]+\/setup#([A-Za-z0-9]+)/;

const servers: ServerProcess[] = [];

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop()));
});

/** As the README starts it, unless `env` says otherwise: nothing is allowed that is not set. */
const start = async (env: Record<string, string> = {}, dataDir = createDataDir()): Promise<ServerProcess> => {
  const server = await startServer({
    dataDir,
    env: { LOG_LEVEL: "error", ALLOW_DEFAULT_PASSWORD: "", ...env },
  });
  servers.push(server);
  return server;
};

const codeOf = ({ stdout }: ServerProcess): string => {
  const code = LINK.exec(stdout)?.[1];
  if (code === undefined) throw new Error(`no set-up link was printed: ${stdout}`);
  return code;
};

const login = (server: ServerProcess, password: string, headers: Record<string, string> = {}) =>
  callApi(server.url, "POST", "/api/user/login", { username: "root", password }, {}, headers);

const check = async (server: ServerProcess, code: string): Promise<unknown> =>
  (await callApi(server.url, "POST", "/api/setup/check", { code })).body.data;

const setUp = (server: ServerProcess, code: string, password = PASSWORD) =>
  callApi(server.url, "POST", "/api/setup", { code, password });

const isPending = async (server: ServerProcess): Promise<boolean> => {
  const status = await succeed<Record<string, unknown>>(callApi(server.url, "GET", "/api/status"));
  return status.setup_pending === true;
};

describe("S4: the first start", () => {
  it("prints a link, with which root's password is set once", async () => {
    const server = await start();
    expect(server.stdout).toContain(`${server.url}/setup#`);
    expect(server.stdout).toContain("root has no password yet");
    expect(await isPending(server)).toBe(true);
    const code = codeOf(server);

    for (const password of ["123456", "", "root", code]) {
      expect((await login(server, password)).body.success, password).toBe(false);
    }
    expect(await check(server, "wrong")).toEqual({ state: "code-wrong", username: "" });
    expect((await setUp(server, "wrong")).body).toMatchObject({ success: false });
    expect(await check(server, code)).toEqual({ state: "open", username: "root" });
    // Too short: the code stays good.
    expect((await setUp(server, code, "1234567")).body.message).toContain("密码长度");

    const done = await setUp(server, code);
    expect(done.body).toMatchObject({ success: true, data: { username: "root", role: 100 } });
    const cookie = cookiesOf(done);
    expect((await callApi(server.url, "GET", "/api/user/self", undefined, { cookie })).status).toBe(200);
    expect(await isPending(server)).toBe(false);
    expect(await check(server, code)).toEqual({ state: "done", username: "" });
    expect((await setUp(server, code, "another-password")).body.message).toContain("已经设置");
    await signIn(server.url, "root", PASSWORD);
    expect((await login(server, "another-password")).body.success).toBe(false);

    // The next start has nothing to say.
    await server.stop();
    const second = await start({}, server.dataDir);
    expect(second.stdout).not.toContain("/setup#");
    expect(await isPending(second)).toBe(false);
    expect((await setUp(second, code)).body.success).toBe(false);
    await signIn(second.url, "root", PASSWORD);
  });

  it("that is left alone gives the next one a link; the old one is void, but in a database, where it may be another node's", async () => {
    const first = await start();
    await first.stop();
    const second = await start({}, first.dataDir);
    if (databaseOf(first.dataDir) === undefined) {
      expect(codeOf(second)).not.toBe(codeOf(first));
      expect((await setUp(second, codeOf(first))).body.message).toContain("链接不正确");
    } else expect(await check(second, codeOf(first))).toEqual({ state: "open", username: "root" });
    expect((await setUp(second, codeOf(second))).body.success).toBe(true);
    expect(await check(second, codeOf(first))).toMatchObject({ username: "" });
  });

  it("keeps the code out of the data folder and out of the log", async () => {
    const server = await start({ LOG_LEVEL: "trace" });
    const code = codeOf(server);
    await setUp(server, code);
    const stored = openStoredData(server.dataDir);
    expect(JSON.stringify(stored.snapshot())).not.toContain(code);
    stored.close();
    expect(server.stderr).not.toContain(code);
    expect(server.stderr).not.toContain(PASSWORD);
  });

  it("with INITIAL_ROOT_PASSWORD needs no link, also when an earlier one printed one", async () => {
    const first = await start();
    await first.stop();
    for (const dataDir of [undefined, first.dataDir]) {
      const server = await start({ INITIAL_ROOT_PASSWORD: PASSWORD }, dataDir);
      expect(server.stdout).not.toContain("/setup#");
      await signIn(server.url, "root", PASSWORD);
      expect((await setUp(server, codeOf(first))).body.message).toContain("已经设置");
    }
  });

  it("with another INITIAL_ROOT_PASSWORD leaves the password that root has", async () => {
    const first = await start({ INITIAL_ROOT_PASSWORD: PASSWORD });
    const root = await signIn(first.url, "root", PASSWORD);
    await first.stop();
    const later = await start({ INITIAL_ROOT_PASSWORD: "another-password" }, first.dataDir);
    expect((await login(later, "another-password")).body.success).toBe(false);
    await signIn(later.url, "root", PASSWORD);
    const kept = await callApi(later.url, "GET", "/api/user/self", undefined, { cookie: root.cookie });
    expect(kept.body.success).toBe(true);
  });

  it("counts its calls as critical ones", async () => {
    const server = await start({ CRITICAL_RATE_LIMIT: "3" });
    await check(server, "a");
    await setUp(server, "b");
    await check(server, "c");
    expect((await setUp(server, codeOf(server))).status).toBe(429);
  });

  it("refuses codes of any length and type without harm", async () => {
    const server = await start();
    for (const code of ["", "x".repeat(201), 7, null, ["x"], { length: 32 }]) {
      const answer = await callApi(server.url, "POST", "/api/setup", { code, password: PASSWORD });
      expect(answer.body.success, String(code)).toBe(false);
    }
    expect(await isPending(server)).toBe(true);
  });
});

describe("S4: a data folder whose root has the default password", () => {
  it("counts as never set up: sessions, tokens and identities from before end", async () => {
    const before = await start({ ALLOW_DEFAULT_PASSWORD: "1" });
    const old = await signIn(before.url, "root", "123456");
    const accessToken = await succeed<string>(old.api("GET", "/api/user/token"));
    await before.stop();
    changeStoredData(before.dataDir, "UPDATE users SET email = 'stranger@example.com' WHERE id = 1");
    changeStoredData(
      before.dataDir,
      "INSERT INTO identities VALUES (1, 'github', '77'), (1, 'wechat', 'w'), (1, 'of-another-version', 'x')",
    );

    const server = await start({}, before.dataDir);
    const self = async (credentials: { cookie?: string; token?: string }) =>
      (await callApi(server.url, "GET", "/api/user/self", undefined, credentials)).body.success;
    const code = codeOf(server);
    expect((await login(server, "123456")).body.success).toBe(false);
    expect(await self({ cookie: old.cookie })).toBe(false);
    expect(await self({ token: accessToken })).toBe(false);

    await succeed(setUp(server, code));
    const root = await signIn(server.url, "root", PASSWORD);
    expect(await succeed(root.api("GET", "/api/user/self"))).toMatchObject({
      username: "root",
      email: "",
      github_id: "",
      wechat_id: "",
    });
  });
});

describe("S4, S17: the default password", () => {
  it("works with ALLOW_DEFAULT_PASSWORD from this machine alone, and a refusal tells nothing", async () => {
    const server = await start({ ALLOW_DEFAULT_PASSWORD: "1" });
    expect(server.stdout).not.toContain("/setup#");
    expect(await isPending(server)).toBe(false);
    expect((await login(server, "123456")).body.success).toBe(true);
    const wrong = await login(server, "wrong-password", { via: "1.1 proxy" });
    const foreign: Record<string, string>[] = [
      { "x-forwarded-for": "203.0.113.9" },
      { "x-real-ip": "203.0.113.9" },
      { forwarded: "for=203.0.113.9" },
      { via: "1.1 proxy" },
      { "x-forwarded-host": "gateway.example.com" },
      { "cf-connecting-ip": "203.0.113.9" },
    ];
    for (const headers of foreign) {
      const answer = await login(server, "123456", headers);
      expect(answer.text, JSON.stringify(headers)).toBe(wrong.text);
      expect(answer.headers.getSetCookie()).toEqual([]);
    }
  });

  it("does not work for a page whose name was made to resolve to this machine", async () => {
    const server = await start({ ALLOW_DEFAULT_PASSWORD: "1" });
    const { hostname, port } = new URL(server.url);
    const answer = await new Promise<string>((resolve, reject) => {
      const call = request(
        {
          hostname,
          port,
          method: "POST",
          path: "/api/user/login",
          headers: { host: `evil.example:${port}` },
        },
        (response) => {
          let text = "";
          response.on("data", (chunk: Buffer) => {
            text += chunk.toString();
          });
          response.on("end", () => resolve(text));
        },
      );
      call.on("error", reject);
      call.end(JSON.stringify({ username: "root", password: "123456" }));
    });
    expect(JSON.parse(answer)).toMatchObject({ success: false, message: "用户名或密码错误，或用户已被封禁" });
  });

  it.each([
    ["INITIAL_ROOT_PASSWORD", "1234567"],
    ["ALLOW_DEFAULT_PASSWORD", "yes"],
  ])("a setting that cannot be used stops the start: %s=%s", async (name, value) => {
    await expect(start({ [name]: value })).rejects.toThrow(name);
  });
});
