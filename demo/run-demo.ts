import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { MAIN, makeWorld } from "./make-world";
import { startSimulatedUpstream } from "./simulated-upstream";
import { DEMO_LOGINS, DEMO_PASSWORD, DEMO_ROOT_PASSWORD } from "./world";

/*
 * Starts a world to explore: users, channels on a simulated upstream, two months of usage and of sales over a simulated
 * cashier. The first start makes it, later ones reuse it.
 */

/** The channels keep the upstream's address, so it must be the same at every start. */
const UPSTREAM_PORT = Number(process.env.DEMO_UPSTREAM_PORT ?? 3999);

const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

const dataDir = resolve(process.env.DATA_DIR ?? "data/demo");
const upstream = await startSimulatedUpstream(UPSTREAM_PORT);
if (!existsSync(join(dataDir, "tollgate.db"))) {
  print("Making the demo's world …");
  // An incomplete world is made again; it is moved into place only when complete.
  const unfinished = `${dataDir}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(dirname(dataDir), { recursive: true });
  await makeWorld(unfinished, upstream, `http://127.0.0.1:${process.env.PORT ?? 3000}`);
  renameSync(unfinished, dataDir);
}

/** Arguments of Node that start another build of the product, such as the one of `npm run dev`. */
const [, , ...otherBuild] = process.argv;

const product = spawn(process.execPath, otherBuild.length > 0 ? otherBuild : [MAIN], {
  // The passwords are public, so the demo listens on this machine only.
  env: { ...process.env, DATA_DIR: dataDir, HOST: "127.0.0.1", INITIAL_ROOT_PASSWORD: DEMO_ROOT_PASSWORD },
  stdio: "inherit",
});
print(
  `Everything behind the channels is simulated, and so is the cashier: no money is moved. Sign in as root / ${DEMO_ROOT_PASSWORD}, or as ${DEMO_LOGINS.join(", ")} / ${DEMO_PASSWORD}.`,
);
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => product.kill(signal));
const [code] = await once(product, "exit");
await upstream.close();
process.exit(typeof code === "number" ? code : 0);
