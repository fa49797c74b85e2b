import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { signIn } from "./api-client";
import { addChannel, addToken, addUser, demand } from "./build-world";
import { startSimulatedUpstream } from "./simulated-upstream";
import { startProduct, TRIAL_SETTINGS } from "./start-product";
import { createDemoUsage, DEMO_CHANNELS, DEMO_PASSWORD, DEMO_USERS } from "./world";

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
/** The built product beside the built demo. */
const serverFolder = join(dirname(fileURLToPath(import.meta.url)), "..", "server");
const MAIN = join(serverFolder, "main.js");

/** Makes the demo's users, channels and keys in a new data folder. @throws Error when a call is refused. */
const createWorld = async (upstreamUrl: string): Promise<void> => {
  const { child, url, ended } = await startProduct([process.execPath, MAIN], {
    ...TRIAL_SETTINGS,
    DATA_DIR: dataDir,
  });
  try {
    const signInAs = (username: string, password: string) => signIn(url, username, password);
    const root = await signInAs("root", "123456");
    for (const { models, groups, isDisabled, ...channel } of DEMO_CHANNELS) {
      await addChannel(root, {
        ...channel,
        key: "simulated-key",
        base_url: upstreamUrl,
        models: models.join(","),
        group: groups.join(","),
        status: isDisabled ? 2 : 1,
      });
    }
    for (const user of DEMO_USERS) {
      const { username, displayName: display_name, group, quota } = user;
      const owner =
        username === "root"
          ? root
          : await addUser(root, signInAs, username, { password: DEMO_PASSWORD, display_name, group, quota });
      if (user.isAdmin) await demand(root.api("POST", "/api/user/manage", { username, action: "promote" }));
      for (const name of user.tokens) await addToken(owner, { name, unlimited_quota: true });
    }
    await demand(root.api("POST", "/api/redemption/", { name: "新年礼包", quota: 500_000, count: 5 }));
  } finally {
    child.kill("SIGTERM");
    await ended;
  }
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
  await createWorld(upstream.url);
  await seedUsage();
}

const product = spawn(process.execPath, [MAIN], {
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
