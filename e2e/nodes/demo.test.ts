import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { signIn } from "@tollgate/demo/api-client";
import { afterAll, expect, it } from "vitest";

const DEMO = fileURLToPath(new URL("../../tools/demo-nodes.mjs", import.meta.url));

const folder = mkdtempSync(join(tmpdir(), "tollgate-demo-test-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Which ports the demo takes, behind the first one. */
const PORTS = [0, 1, 2, 3, 9];

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });

/** A port that is free, with those behind it: below those that the system gives to connections (Linux: from 32,768 on). */
const freePort = async (): Promise<number> => {
  for (;;) {
    const port = 20_000 + 10 * Math.floor(Math.random() * 1000);
    const free = await Promise.all(PORTS.map((offset) => isFree(port + offset)));
    if (free.every(Boolean)) return port;
  }
};

it("npm run demo:nodes starts three nodes that answer as one, and ends all of them", async () => {
  const port = await freePort();
  const demo = spawn(process.execPath, [DEMO], {
    env: { ...process.env, PORT: String(port), DEMO_UPSTREAM_PORT: String(port + 9), DATA_DIR: folder },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = once(demo, "exit");
  try {
    let said = "";
    for (const stream of [demo.stdout, demo.stderr])
      stream.on("data", (chunk: Buffer) => {
        said += chunk.toString();
      });
    await expect.poll(() => said, { timeout: 100_000 }).toContain("Sign in as root / root-password");
    const url = `http://127.0.0.1:${port}`;
    const addresses = [url, ...[1, 2, 3].map((number) => `http://127.0.0.1:${port + number}`)];
    for (const address of addresses) {
      expect(said).toContain(address);
      expect((await fetch(`${address}/readyz`)).status).toBe(200);
    }
    const root = await signIn(url, "root", "root-password");
    expect((await root.api("GET", "/api/log/?p=0")).body.data).toHaveLength(10);
    const orders = (await root.api("GET", "/api/payment/orders")).body.data as { state: string }[];
    expect(orders.map(({ state }) => state)).toContain("partly-refunded");

    demo.kill("SIGTERM");
    expect(await ended).toEqual([0, null]);
    for (const address of addresses) await expect(fetch(address)).rejects.toThrow();
  } finally {
    demo.kill("SIGTERM");
    await ended;
  }
});
