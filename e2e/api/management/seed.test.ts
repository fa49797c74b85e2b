import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { addApiKey, addChannel } from "@tollgate/demo/build-world";
import { createDataDir, startServer } from "@tollgate/testkit/server-process";
import Database from "libsql";
import { expect, it } from "vitest";

const SEED = fileURLToPath(new URL("../../../dist/server/seed.js", import.meta.url));
/** More than the log takes over at a time. */
const LINES = 19_000;
const SPAN_SECONDS = 43_200;

const createLine = (index: number): string =>
  JSON.stringify({
    createdAt: 1_760_054_400 + Math.floor((index / LINES) * SPAN_SECONDS),
    username: "root",
    tokenName: "test",
    channelName: "upstream",
    modelName: "gpt-4",
    quota: 10,
    promptTokens: 8,
    completionTokens: 1,
    content: "模型倍率 15.00，分组倍率 1.00",
    durationMs: 900,
  });

it("writes all of the past usage into the log, and repeats all of it", async () => {
  const dataDir = createDataDir();
  const server = await startServer({ dataDir });
  const root = await server.signIn();
  await addChannel(root, { base_url: "http://127.0.0.1:9" });
  await addApiKey(root, { unlimited_quota: true });
  await server.stop();

  const input = Array.from({ length: LINES }, (_, i) => createLine(i)).join("\n");
  const seeded = spawnSync(process.execPath, [SEED, dataDir, "-", "--repeat", "1", "1"], { input });
  expect(seeded.stderr.toString()).toBe("");

  const log = new Database(join(dataDir, "logs.sqlite"), { readonly: true });
  const { lines } = log.prepare("SELECT count(*) AS lines FROM logs WHERE type = 2").get() as {
    lines: number;
  };
  log.close();
  expect(lines).toBe(2 * LINES);
});
