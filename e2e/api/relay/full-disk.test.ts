import { execFileSync, spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { type FakeUpstream, startFakeUpstream } from "@tollgate/testkit/fake-upstream/fake-upstream";
import { createDataDir, type ServerProcess, startServer } from "@tollgate/testkit/server-process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Account, addAccount, addChannel, signInAsRoot } from "./stage";

/*
 * Linux can forbid a process to write behind a byte of any file, and allow it again: to the product this is a disk that
 * becomes full and is cleared later.
 */

const TOLLGATE = fileURLToPath(new URL("../../../dist/server/tollgate.js", import.meta.url));
const QUOTA = 1_000_000;
const SLOW = "word-by-word";
const STREAMS = 6;

let upstream: FakeUpstream;
let server: ServerProcess;
let alice: Account;
let dataDir: string;

const allowBytes = (bytes: number | "unlimited"): void => {
  execFileSync("prlimit", ["--pid", String(server.pid), `--fsize=${bytes}:unlimited`]);
};

beforeAll(async () => {
  dataDir = createDataDir();
  [upstream, server] = await Promise.all([startFakeUpstream(), startServer({ dataDir })]);
  upstream.script({ delayMs: 100 });
  const root = await signInAsRoot(server.url);
  await addChannel(root, {
    base_url: upstream.url,
    models: `gpt-3.5-turbo,${SLOW}`,
    model_mapping: JSON.stringify({ [SLOW]: "gpt-3.5-turbo--slow" }),
  });
  await root.data("PUT", "/api/option/", { key: "FallbackModelRatio", value: "1" });
  alice = await addAccount(server.url, root, "alice", QUOTA);
});

afterAll(async () => {
  await server?.stop();
  await upstream?.close();
});

const ask = (model: string, isStream: boolean): Promise<Response> =>
  fetch(`${server.url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${alice.key}` },
    body: JSON.stringify({
      model,
      messages: [{ role: "user", content: "hi" }],
      max_tokens: 9,
      stream: isStream,
    }),
  });

const readiness = async (): Promise<number> => (await fetch(`${server.url}/readyz`)).status;

describe.runIf(process.platform === "linux")("a disk that becomes full (M8)", () => {
  it("stops new requests before they reach the upstream, and charges delivered answers once there is room", async () => {
    const streams = await Promise.all(Array.from({ length: STREAMS }, () => ask(SLOW, true)));
    allowBytes(1);
    const texts = await Promise.all(streams.map((stream) => stream.text()));
    for (const text of texts) {
      expect(text).toContain("storage_failing");
      expect(text).not.toContain("[DONE]");
    }
    const asked = upstream.requests.length;
    const refused = await ask("gpt-3.5-turbo", false);
    expect([refused.status, await refused.text()]).toEqual([503, expect.stringContaining("storage_failing")]);
    expect(await readiness()).toBe(503);
    expect(upstream.requests.length).toBe(asked);

    allowBytes("unlimited");
    await expect.poll(readiness).toBe(200);
    const answer = await ask("gpt-3.5-turbo", false);
    expect(answer.status).toBe(200);
    await expect.poll(async () => (await alice.usage()).length).toBe(STREAMS + 1);
    const { user } = await alice.figures();
    expect(user.requests).toBe(STREAMS + 1);
    expect(user.used).toBe((await alice.usage()).reduce((sum, line) => sum + line.quota, 0));
    expect(user.used).toBeGreaterThan(STREAMS);

    await server.stop();
    const { status, stdout } = spawnSync(process.execPath, [TOLLGATE, "doctor"], {
      env: { PATH: process.env.PATH, DATA_DIR: dataDir },
      encoding: "utf8",
    });
    expect(status, stdout).toBe(0);
  });
});
