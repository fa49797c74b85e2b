import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { signIn } from "./api-client";
import { addChannel, addToken, addUser, demand } from "./build-world";
import { startProduct, TRIAL_SETTINGS } from "./start-product";
import { createDemoUsage, DEMO_CHANNELS, DEMO_PASSWORD, DEMO_USERS } from "./world";

/** The built product beside the built demo. */
const SERVER = join(dirname(fileURLToPath(import.meta.url)), "..", "server");

/** The built product's main file. */
export const MAIN = join(SERVER, "main.js");

/** Users, channels and keys. @throws Error when a call is refused. */
const addEverybody = async (url: string, upstreamUrl: string): Promise<void> => {
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
};

/** Two months of usage, until now. */
const seedUsage = async (dataDir: string, env: Readonly<Record<string, string>>): Promise<void> => {
  // The product has made none where its data are in a database.
  mkdirSync(dataDir, { recursive: true });
  const file = join(dataDir, "usage.jsonl");
  const charges = createDemoUsage(Math.floor(Date.now() / 1000));
  writeFileSync(file, charges.map((charge) => `${JSON.stringify(charge)}\n`).join(""));
  const seeding = spawn(process.execPath, [join(SERVER, "seed.js"), dataDir, file], {
    env: { ...process.env, ...env },
    stdio: "inherit",
  });
  const [code] = await once(seeding, "exit");
  rmSync(file);
  if (code !== 0) throw new Error("the demo's usage could not be written");
};

/**
 * Makes the demo's users, channels, keys and their usage where there is nothing yet. Root has the password `123456` afterwards.
 * @param upstreamUrl of the simulated upstream
 * @param env of the product, where it needs more than its data folder.
 * @throws Error when a call is refused.
 */
export const makeWorld = async (
  dataDir: string,
  upstreamUrl: string,
  env: Readonly<Record<string, string>> = {},
): Promise<void> => {
  const { child, url, ended } = await startProduct([process.execPath, MAIN], {
    ...TRIAL_SETTINGS,
    ...env,
    DATA_DIR: dataDir,
  });
  try {
    await addEverybody(url, upstreamUrl);
  } finally {
    child.kill("SIGTERM");
    await ended;
  }
  await seedUsage(dataDir, env);
};
