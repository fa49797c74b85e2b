import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { manageUser } from "@tollgate/contract/api/users";
import { type SignedIn, signIn } from "./api-client";
import { addApiKey, addChannel, addUser, ask } from "./build-world";
import type { SimulatedUpstream } from "./simulated-upstream";
import { startProduct, TRIAL_SETTINGS } from "./start-product";
import { setPrices, trade } from "./trade";
import { createDemoUsage } from "./usage";
import { DAY_SECONDS, DEMO_CHANNELS, DEMO_DAYS, DEMO_PASSWORD, DEMO_USERS } from "./world";

/** The built product beside the built demo. */
const SERVER = join(dirname(fileURLToPath(import.meta.url)), "..", "server");

/** The built product's main file. */
export const MAIN = join(SERVER, "main.js");

/** Dates the world's past; beside this file when it is built (demo-clock.ts). */
const CLOCK = join(dirname(fileURLToPath(import.meta.url)), "demo-clock.js");

/** A day before the first request, so that all users have a balance by then. */
const FIRST_DAY = DEMO_DAYS + 1;
/** A session from 15 minutes ago gives away no money without a confirmation, and time flies here. */
const SESSION_SECONDS = 600;

const ROOT_PASSWORD = "123456";

/** Users, channels and keys. @returns the version of the prices. @throws Error when a call is refused. */
const addEverybody = async (url: string, upstreamUrl: string): Promise<number> => {
  const signInAs = (username: string, password: string) => signIn(url, username, password);
  const root = await signInAs("root", ROOT_PASSWORD);
  for (const { models, groups, isDisabled, buyingPrices, more, ...channel } of DEMO_CHANNELS) {
    await addChannel(root, {
      ...channel,
      ...more,
      ...(buyingPrices === undefined ? {} : { buying_prices: JSON.stringify(buyingPrices) }),
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
    if (user.isAdmin) await ask(root, manageUser, { body: { username, action: "promote" } });
    for (const name of user.tokens) await addApiKey(owner, { name, unlimited_quota: true });
  }
  return setPrices(root);
};

/** Two months of usage, until now. */
const seedUsage = async (
  dataDir: string,
  env: Readonly<Record<string, string>>,
  priceVersion: number,
): Promise<void> => {
  // The product has made none where its data are in a database.
  mkdirSync(dataDir, { recursive: true });
  const file = join(dataDir, "usage.jsonl");
  const charges = createDemoUsage(Math.floor(Date.now() / 1000), priceVersion);
  writeFileSync(file, charges.map((charge) => `${JSON.stringify(charge)}\n`).join(""), { mode: 0o600 });
  const seeding = spawn(process.execPath, [join(SERVER, "seed.js"), dataDir, file], {
    env: { ...process.env, ...env },
    stdio: "inherit",
  });
  const [code] = await once(seeding, "exit");
  rmSync(file);
  if (code !== 0) throw new Error("the demo's usage could not be written");
};

/** The product at a time in the past. */
interface PastProduct {
  url: string;
  goTo(daysAgo: number): void;
  /** Unix seconds. */
  now(): number;
}

/** Runs the product with the demo's clock, and stops it in good order. */
const inThePast = async <T>(
  dataDir: string,
  env: Readonly<Record<string, string>>,
  daysAgo: number,
  step: (product: PastProduct) => Promise<T>,
): Promise<T> => {
  mkdirSync(dataDir, { recursive: true });
  const file = join(dataDir, "clock");
  let shiftMs = 0;
  const goTo = (days: number): void => {
    shiftMs = -Math.round(days * DAY_SECONDS * 1000);
    // Never empty: it is read at any time.
    writeFileSync(`${file}.new`, String(shiftMs));
    renameSync(`${file}.new`, file);
  };
  goTo(daysAgo);
  const product = await startProduct([process.execPath, "--import", CLOCK, MAIN], {
    ...TRIAL_SETTINGS,
    ...env,
    DATA_DIR: dataDir,
    DEMO_CLOCK: file,
  });
  try {
    return await step({ url: product.url, goTo, now: () => Math.floor((Date.now() + shiftMs) / 1000) });
  } finally {
    product.child.kill("SIGTERM");
    await product.ended;
    rmSync(file);
  }
};

/** Signs people in, again where time has moved on. */
const sessionsOf = ({ url, now }: PastProduct) => {
  const sessions = new Map<string, { session: SignedIn; untilSeconds: number }>();
  return async (username: string): Promise<SignedIn> => {
    const known = sessions.get(username);
    if (known && now() < known.untilSeconds) return known.session;
    const session = await signIn(url, username, username === "root" ? ROOT_PASSWORD : DEMO_PASSWORD);
    sessions.set(username, { session, untilSeconds: now() + SESSION_SECONDS });
    return session;
  };
};

/**
 * Makes the demo's users, channels, keys, their usage and their purchases, unless they already exist. Root has the
 * password `123456` afterwards.
 * @param siteUrl the site's address for its users.
 * @param env of the product, where it needs more than its data folder.
 * @throws Error when a call is refused.
 */
export const makeWorld = async (
  dataDir: string,
  { url: upstreamUrl, cashierUrl }: Pick<SimulatedUpstream, "url" | "cashierUrl">,
  siteUrl: string,
  env: Readonly<Record<string, string>> = {},
): Promise<void> => {
  const priceVersion = await inThePast(dataDir, env, FIRST_DAY, ({ url }) => addEverybody(url, upstreamUrl));
  await seedUsage(dataDir, env, priceVersion);
  await inThePast(dataDir, env, FIRST_DAY, (product) =>
    trade({ ...product, cashierUrl, as: sessionsOf(product) }, siteUrl),
  );
};
