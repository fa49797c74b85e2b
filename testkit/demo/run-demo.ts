import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { type ServerProcess, startServer } from "../server-process";
import { startSimulatedUpstream } from "../simulated-upstream/simulated-upstream";
import { createDemoUsage, DEMO_CHANNELS, DEMO_PASSWORD, DEMO_USERS } from "./demo-world";

/*
 * Starts a world to look at: users, channels on a simulated upstream, two months of usage. The first start makes it, later
 * ones find it.
 */

/** The channels keep the upstream's address, so it must be the same at every start. */
const UPSTREAM_PORT = Number(process.env.DEMO_UPSTREAM_PORT ?? 3999);

const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

const dataDir = resolve(process.env.DATA_DIR ?? "data/demo");
const serverFolder = join(dirname(fileURLToPath(import.meta.url)), "..", "server");

/** @throws Error when a call is refused. */
const checked = async (call: ReturnType<ServerProcess["api"]>): Promise<void> => {
  const answer = await call;
  if (answer.body.success !== true) throw new Error(`the demo could not be set up: ${answer.text}`);
};

const createWorld = async (server: ServerProcess, upstreamUrl: string): Promise<void> => {
  const root = await server.signIn();
  for (const channel of DEMO_CHANNELS) {
    await checked(
      root.api("POST", "/api/channel/", {
        name: channel.name,
        type: channel.type,
        key: "simulated-key",
        base_url: upstreamUrl,
        models: channel.models.join(","),
        group: channel.groups.join(","),
        priority: channel.priority,
        weight: channel.weight,
        status: channel.isDisabled ? 2 : 1,
      }),
    );
  }
  for (const user of DEMO_USERS) {
    if (user.username !== "root") {
      const { username, displayName } = user;
      await checked(
        root.api("POST", "/api/user/", { username, password: DEMO_PASSWORD, display_name: displayName }),
      );
      const found = await root.api("GET", `/api/user/search?keyword=${username}`);
      const [{ id }] = found.body.data as [{ id: number }];
      await checked(root.api("PUT", "/api/user/", { id, group: user.group, quota: user.quota }));
      if (user.isAdmin) await checked(root.api("POST", "/api/user/manage", { username, action: "promote" }));
    }
    const owner = user.username === "root" ? root : await server.signIn(user.username, DEMO_PASSWORD);
    for (const name of user.tokens) {
      await checked(owner.api("POST", "/api/token/", { name, unlimited_quota: true }));
    }
  }
  await checked(root.api("POST", "/api/redemption/", { name: "新年礼包", quota: 500_000, count: 5 }));
};

const seedUsage = async (): Promise<void> => {
  const file = join(dataDir, "usage.jsonl");
  const charges = createDemoUsage(Math.floor(Date.now() / 1000));
  writeFileSync(file, charges.map((charge) => `${JSON.stringify(charge)}\n`).join(""));
  const seeding = spawn(process.execPath, [join(serverFolder, "seed.js"), dataDir, file], {
    stdio: "inherit",
  });
  const [code] = await once(seeding, "exit");
  rmSync(file);
  if (code !== 0) throw new Error("the demo's usage could not be written");
};

const upstream = await startSimulatedUpstream(UPSTREAM_PORT);
if (!existsSync(join(dataDir, "tollgate.db"))) {
  say("Making the demo's world …");
  const server = await startServer({ dataDir, main: join(serverFolder, "main.js") });
  await createWorld(server, upstream.url);
  await server.stop();
  await seedUsage();
}

const product = spawn(process.execPath, [join(serverFolder, "main.js")], {
  // Root keeps a password that everybody knows, so it works on this machine only.
  env: { ...process.env, DATA_DIR: dataDir, ALLOW_DEFAULT_PASSWORD: "1" },
  stdio: "inherit",
});
say(
  `Everything behind the channels is simulated. Sign in as root / 123456, or as ${DEMO_USERS.slice(1)
    .map((user) => user.username)
    .join(", ")} / ${DEMO_PASSWORD}.`,
);
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => product.kill(signal));
const [code] = await once(product, "exit");
await upstream.close();
process.exit(typeof code === "number" ? code : 0);
