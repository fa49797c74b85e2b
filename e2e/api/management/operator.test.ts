import { spawn } from "node:child_process";
import { copyFileSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createDataDir, type ServerProcess, startServer } from "@tollgate/testkit/server-process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { appCode } from "../../authenticator";

/*
 * The command `tollgate` as the local operator: of a gateway that runs, and of a data folder that no process uses.
 */

const TOLLGATE = fileURLToPath(new URL("../../../dist/server/tollgate.js", import.meta.url));

let dataDir: string;
let server: ServerProcess;

beforeAll(async () => {
  dataDir = createDataDir();
  server = await startServer({ dataDir });
});

afterAll(async () => {
  await server?.stop();
});

interface Ended {
  status: number | null;
  json: unknown;
  error: string;
}

const tollgate = (words: readonly string[], input = "", folder = dataDir): Promise<Ended> =>
  new Promise((done) => {
    const child = spawn(process.execPath, [TOLLGATE, "--json", ...words], {
      env: { PATH: process.env.PATH, DATA_DIR: folder },
    });
    let [out, error] = ["", ""];
    child.stdout.on("data", (chunk: Buffer) => {
      out += chunk.toString();
    });
    child.stderr.on("data", (chunk: Buffer) => {
      error += chunk.toString();
    });
    child.stdin.end(input);
    child.on("close", (status) => done({ status, json: out === "" ? undefined : JSON.parse(out), error }));
  });

const call = async (path: string, init: RequestInit = {}): Promise<{ success: boolean; data?: unknown }> =>
  (await fetch(`${server.url}${path}`, init)).json() as Promise<{ success: boolean; data?: unknown }>;

const signIn = async (username: string, password: string): Promise<boolean> =>
  (await call("/api/user/login", { method: "POST", body: JSON.stringify({ username, password }) })).success;

describe("the command, beside a gateway that runs", () => {
  it("is served on a socket that only the folder's owner may open", () => {
    expect(statSync(join(dataDir, "operator.sock")).mode & 0o777).toBe(0o600);
  });

  it("resets the password of a locked-out root, which is valid immediately", async () => {
    const { status } = await tollgate(
      ["user", "reset-password", "root", "--password-stdin"],
      "a new password\n",
    );
    expect(status).toBe(0);
    expect(await signIn("root", "a new password")).toBe(true);
  });

  it("removes the second factor of a root who has lost it", async () => {
    const begun = await server.signIn("root", "a new password");
    const { secret } = (await begun.api("POST", "/api/user/2fa/setup")).body.data as { secret: string };
    await begun.api("POST", "/api/user/2fa/enable", { code: appCode(secret) });
    expect((await begun.api("GET", "/api/user/2fa/status")).body.data).toMatchObject({ enabled: true });
    expect((await tollgate(["user", "reset-second-factor", "root"])).status).toBe(0);
    expect((await begun.api("GET", "/api/user/self")).status).toBe(401);
    expect(await signIn("root", "a new password")).toBe(true);
    expect((await tollgate(["user", "reset-second-factor", "root"])).status).toBe(1);
  });

  it("adds users and keys that work, says a key once, and never lists it", async () => {
    const added = await tollgate(["user", "add", "alice", "--quota", "5000"]);
    expect(added).toMatchObject({ status: 0, json: { username: "alice", quota: 5000, isEnabled: true } });
    expect(await signIn("alice", (added.json as { password: string }).password)).toBe(true);
    const made = await tollgate(["key", "add", "--user", "alice", "--name", "first", "--quota", "100"]);
    const { id, key } = made.json as { id: number; key: string };
    const models = await fetch(`${server.url}/v1/models`, { headers: { authorization: `Bearer ${key}` } });
    expect(models.status).toBe(200);
    const listed = await tollgate(["key", "list", "--user", "alice"]);
    expect(listed.json).toMatchObject([{ id, name: "first", left: 100 }]);
    expect(JSON.stringify(listed.json)).not.toContain(key.slice(3, 20));
    await tollgate(["key", "disable", String(id), "--user", "alice"]);
    const refused = await fetch(`${server.url}/v1/models`, { headers: { authorization: `Bearer ${key}` } });
    expect(refused.status).toBe(401);
  });

  it("keeps to the rules of /api, and reports why a command is refused", async () => {
    expect(await tollgate(["user", "disable", "root"])).toMatchObject({
      status: 1,
      error: "The root user cannot be banned\n",
    });
    expect(await tollgate(["user", "add", "bob", "--password-stdin"], "short")).toMatchObject({ status: 1 });
    expect(await tollgate(["user", "disable", "nobody"])).toMatchObject({
      status: 1,
      error: 'There is no user "nobody": tollgate user list shows whom there is.\n',
    });
    expect(await tollgate(["user", "delete", "alice"])).toMatchObject({ status: 1 });
  });

  it("adds channels with keys that no command line shows, and switches them", async () => {
    const words = ["channel", "add", "--type", "1", "--name", "first", "--models", "gpt-4o"];
    expect(await tollgate(words, "sk-upstream-secret")).toMatchObject({ status: 0 });
    expect(await tollgate(["channel", "disable", "1"])).toMatchObject({ json: { state: "off" } });
    const listed = await tollgate(["channel", "list"]);
    expect(listed.json).toMatchObject([{ id: 1, name: "first", state: "off", models: ["gpt-4o"] }]);
    expect(JSON.stringify(listed.json)).not.toContain("secret");
  });

  it("compares prices with a file, and takes them over when it is told to", async () => {
    const file = join(dataDir, "prices.json");
    const facts = { litellm_provider: "openai", mode: "chat", output_cost_per_token: 4e-6 };
    writeFileSync(
      file,
      JSON.stringify({
        "brand-new": { ...facts, input_cost_per_token: 1e-6 },
        "gpt-4o": { ...facts, input_cost_per_token: 2.5e-3 },
      }),
    );
    const price = (model: string, json: unknown) =>
      (json as { rows: { model: string }[] }).rows.find((row) => row.model === model);
    const seen = await tollgate(["prices", "sync", "--from", file]);
    expect(seen).toMatchObject({ status: 0, json: { accepted: 0 } });
    expect(price("brand-new", seen.json)).toMatchObject({ state: "new", price: { input: 1, output: 4 } });
    expect(price("gpt-4o", seen.json)).toMatchObject({ state: "refused", fault: "absurd" });
    const accepted = await tollgate(["prices", "sync", "--from", file, "--yes"]);
    expect(accepted.json).toMatchObject({ accepted: 1 });
    expect(price("brand-new", (await tollgate(["prices", "sync", "--from", file])).json)).toBeUndefined();
    await tollgate(["channel", "add", "--type", "1", "--name", "second", "--models", "unheard-of"], "sk-x");
    expect(await tollgate(["prices", "missing"])).toMatchObject({
      json: [{ model: "unheard-of", reason: "unknown", channels: [{ name: "second" }] }],
    });
  });

  it("appears in the audit as a local operator", async () => {
    const { token } = await rootToken();
    const { data } = await call("/api/audit/", { headers: { authorization: token } });
    expect(JSON.stringify(data)).toContain('"local operator"');
  });

  it("ignores a forged user header from the network", async () => {
    const { success } = await call("/api/user/", { headers: { "x-tollgate-user": "1" } });
    expect(success).toBe(false);
  });

  /** Root's access token, as a program of root's has it. */
  const rootToken = async (): Promise<{ token: string }> => {
    const body = JSON.stringify({ username: "root", password: "a new password" });
    const signedIn = await fetch(`${server.url}/api/user/login`, { method: "POST", body });
    const cookie = signedIn.headers
      .getSetCookie()
      .map((each) => each.split(";")[0])
      .join("; ");
    const { data } = await call("/api/user/token", { headers: { cookie } });
    return { token: String(data) };
  };
});

describe("the gateway's configuration as a file", () => {
  it("is written, makes another gateway of the same master key the same, and then there is nothing to do", async () => {
    const written = join(dataDir, "gateway.yaml");
    const wanted = join(dataDir, "wanted.yaml");
    writeFileSync(
      wanted,
      `version: 1
options: {SystemName: Ours, SMTPToken: a-mail-secret, ModelPrice: {own: {input: 1, output: 2}}}
channels:
  - {name: first, type: 1, models: [gpt-4o], enabled: false}
  - name: pair
    type: 8
    models: [own]
    base_url: https://x.example
    key: |
      upstream-one
      upstream-two
`,
    );
    expect(await tollgate(["apply", wanted])).toMatchObject({
      status: 1,
      json: { removed: 0, isApplied: false },
    });
    expect(await tollgate(["apply", wanted, "--yes"])).toMatchObject({
      status: 0,
      json: { isApplied: true },
    });
    expect(await tollgate(["apply", wanted])).toMatchObject({ status: 0, json: { added: 0, changes: [] } });
    expect(await tollgate(["export", "--users", "--out", written])).toMatchObject({
      status: 0,
      json: { channels: 3 },
    });
    const text = readFileSync(written, "utf8");
    expect(text).not.toMatch(/upstream-|a-mail/);
    expect(text).toContain("- username: alice");

    const other = createDataDir();
    copyFileSync(join(dataDir, "master.key"), join(other, "master.key"));
    await (await startServer({ dataDir: other })).stop();
    expect(await tollgate(["apply", written, "--yes"], "", other)).toMatchObject({
      json: { isApplied: true },
    });
    expect(await tollgate(["apply", written], "", other)).toMatchObject({ status: 0, json: { changes: [] } });
    const again = join(other, "gateway.yaml");
    await tollgate(["export", "--users", "--out", again], "", other);
    expect(readFileSync(again, "utf8")).toBe(text);
  });

  it("takes no sealed secret to another place than the one that it was sealed for", async () => {
    const text = readFileSync(join(dataDir, "gateway.yaml"), "utf8");
    const sealed = /- name: .*[\s\S]*?sealed: (\S+)/.exec(text)?.[1] ?? "";
    expect(sealed.length).toBeGreaterThan(40);
    const channel = (address: string): string =>
      `channels:\n  - name: another\n    type: 8\n    base_url: ${address}\n    models: [m]\n    key: {sealed: ${sealed}}\n`;
    const moved = text.replace(/( +)models:/, "$1base_url: https://elsewhere.example\n$1models:");
    expect(moved).not.toBe(text);
    for (const hostile of [
      moved,
      `version: 1\n${channel("https://elsewhere.example")}`,
      `version: 1\noptions:\n  SMTPToken: {sealed: ${sealed}}\n`,
      `version: 1\noptions:\n  Footer: {sealed: ${sealed}}\n`,
    ]) {
      const path = join(dataDir, "hostile.yaml");
      writeFileSync(path, hostile);
      const { status, error } = await tollgate(["apply", path, "--yes"]);
      expect({ status, error }).toMatchObject({
        status: 1,
        error: expect.stringMatching(/not for this place|cannot have a value of this type|base_url/),
      });
    }
    expect(await tollgate(["apply", join(dataDir, "gateway.yaml")])).toMatchObject({ json: { changes: [] } });
  });

  it("is opened by the master key that sealed it alone", async () => {
    const other = createDataDir();
    await (await startServer({ dataDir: other })).stop();
    const { status, error } = await tollgate(["apply", join(dataDir, "gateway.yaml"), "--yes"], "", other);
    expect(status).toBe(1);
    expect(error).toMatch(/gateway\.yaml:\d+: this was not sealed by this installation/);
    expect(await tollgate(["channel", "list"], "", other)).toMatchObject({ json: [] });
  });
});

describe("the command, where no gateway runs", () => {
  it("does the same, and leaves the data in order", async () => {
    await server.stop();
    expect(await tollgate(["user", "set", "alice", "--quota", "7000"])).toMatchObject({
      status: 0,
      json: { quota: 7000 },
    });
    expect(await tollgate(["user", "list", "--search", "alice"])).toMatchObject({ json: [{ quota: 7000 }] });
    expect(await tollgate(["doctor"])).toMatchObject({ status: 0, json: { users: 2, faults: [] } });
  });
});
