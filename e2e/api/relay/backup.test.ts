import { spawn, spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type FakeUpstream, startFakeUpstream } from "@tollgate/testkit/fake-upstream/fake-upstream";
import { createDataDir, type ServerProcess, startServer } from "@tollgate/testkit/server-process";
import Database from "libsql";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { addAccount, addChannel, signInAsRoot } from "./stage";

const TOLLGATE = fileURLToPath(new URL("../../../dist/server/tollgate.js", import.meta.url));
const BACKUPS = 4;
const CLIENTS = 8;

let upstream: FakeUpstream;
let server: ServerProcess;
let key: string;
let dataDir: string;

beforeAll(async () => {
  dataDir = createDataDir();
  [upstream, server] = await Promise.all([startFakeUpstream(), startServer({ dataDir })]);
  const root = await signInAsRoot(server.url);
  await addChannel(root, { base_url: upstream.url });
  await root.data("PUT", "/api/option/", { key: "FallbackModelRatio", value: "1" });
  ({ key } = await addAccount(server.url, root, "alice", 100_000_000));
});

afterAll(async () => {
  await server?.stop();
  await upstream?.close();
});

const environmentOf = (folder: string) => ({ PATH: process.env.PATH, DATA_DIR: folder });

const examine = (folder: string): string =>
  spawnSync(process.execPath, [TOLLGATE, "doctor"], { env: environmentOf(folder), encoding: "utf8" }).stdout;

const run = (folder: string, ...words: string[]): Promise<{ status: number | null; text: string }> =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, [TOLLGATE, ...words], {
      env: environmentOf(folder),
    });
    let text = "";
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (chunk: Buffer) => {
        text += chunk.toString();
      });
    child.on("close", (status) => resolve({ status, text }));
  });

const openIncidents = (folder: string): unknown[] => {
  const connection = new Database(join(folder, "tollgate.db"), { readonly: true });
  const rows = connection
    .prepare("SELECT event, resolved_at FROM notice_incidents WHERE event = 'backup-failed'")
    .all();
  connection.close();
  return rows;
};

describe("backups of a gateway that charges meanwhile (M10)", () => {
  it("each come back as a sound folder, which lacks no line of a charged request, and which starts", async () => {
    const state = { isDone: false, answers: 0 };
    const ask = async (): Promise<void> => {
      while (!state.isDone) {
        const answer = await fetch(`${server.url}/v1/chat/completions`, {
          method: "POST",
          headers: { authorization: `Bearer ${key}` },
          body: JSON.stringify({
            model: "gpt-3.5-turbo",
            messages: [{ role: "user", content: "hi" }],
            max_tokens: 5,
          }),
        });
        await answer.text();
        if (answer.status === 200) state.answers += 1;
      }
    };
    const clients = Array.from({ length: CLIENTS }, ask);
    const kept = createDataDir();
    const counts: number[] = [];
    for (let count = 1; count <= BACKUPS; count += 1) {
      const file = join(kept, `${count}.tar`);
      const made = await run(dataDir, "backup", file);
      expect(made, made.text).toMatchObject({ status: 0 });
      const folder = join(kept, `restored-${count}`);
      const restored = await run(folder, "restore", file);
      expect(restored, restored.text).toMatchObject({ status: 0 });
      expect(examine(folder)).toContain("the log accounts for all of it");
      const connection = new Database(join(folder, "tollgate.db"));
      const { used } = connection
        .prepare("SELECT request_count AS used FROM users WHERE username = 'alice'")
        .get() as {
        used: number;
      };
      connection.close();
      counts.push(used);
    }
    state.isDone = true;
    await Promise.all(clients);
    expect(state.answers).toBeGreaterThan(CLIENTS);
    expect(counts.at(-1)).toBeGreaterThan(counts[0] ?? 0);

    const last = join(kept, `restored-${BACKUPS}`);
    const again = await startServer({ dataDir: last });
    await again.stop();
    const text = examine(last);
    expect(text).toContain("the log accounts for all of it");
    expect(text).toContain(" log lines");
    expect(text).not.toContain("wait for their log lines");
  });

  it("that fail are told of, once", async () => {
    const root = await signInAsRoot(server.url);
    const way = {
      kind: "gotify",
      events: ["backup-failed"],
      fields: { address: "http://127.0.0.1:9", token: "t" },
    };
    await root.data("POST", "/api/notice/way", way);
    const file = join(createDataDir(), "there.tar");
    expect((await run(dataDir, "backup", file)).status).toBe(0);
    for (let time = 0; time < 2; time += 1) expect((await run(dataDir, "backup", file)).status).toBe(1);
    const told = async () =>
      (await root.data("GET", "/api/notice/log")) as { event: string; phase: string }[];
    await expect.poll(told).toMatchObject([{ event: "backup-failed", phase: "opened" }]);
    // Nor is an end of it told by one that the gateway itself makes, which tells people on its own.
    expect((await run(dataDir, "backup", "--untold", `${file}.2`)).status).toBe(0);
    expect(openIncidents(dataDir)).toEqual([{ event: "backup-failed", resolved_at: null }]);
  });
});
