// @ts-check
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { build } from "./build.mjs";
import { install, npmCommand } from "./install.mjs";
import { Failure, runTool } from "./lib/failure.mjs";
import { listLicences, pickLocked } from "./lib/locked-packages.mjs";
import { SHIPPED } from "./lib/rooms.mjs";
import { ROOT } from "./lib/root.mjs";
import { runCommand } from "./lib/run-command.mjs";

/*
 * Makes the package of the product, which needs neither this checkout nor a compiler:
 *
 *   npm run package                      writes dist/tollgate-<version>.tgz
 *   npm run package -- --out <folder>    writes it there
 */

/** Where the files of the package stand before they are packed. */
const STAGE = join(ROOT, "dist", ".package");

/** What is taken as it is. */
const DOCUMENTS = ["LICENSE", "README.md", "README.zh-CN.md", "CHANGELOG.md", "deploy", "docs"];

/** @param {string} path relative to the root */
const readJson = (path) => JSON.parse(readFileSync(join(ROOT, path), "utf8"));

/** The product's version, from the one place that says it. */
const readVersion = () => {
  const file = "contract/version.ts";
  const version = /PRODUCT_VERSION = "([^"]+)"/.exec(readFileSync(join(ROOT, file), "utf8"))?.[1];
  if (version === undefined) throw new Failure(`${file} names no PRODUCT_VERSION.`);
  return version;
};

/**
 * What rooms need of others, with exact versions.
 * @param {readonly string[]} rooms
 * @returns {Record<string, string>}
 */
const dependenciesOf = (rooms) =>
  Object.fromEntries(
    rooms
      .flatMap((room) => Object.entries(readJson(`${room}/package.json`).dependencies ?? {}))
      .filter(([name]) => !name.startsWith("@tollgate/")),
  );

/**
 * Those of the packages that the built files load: what is bundled into them, nobody has to install.
 * @param {Record<string, string>} dependencies
 */
const keepLoaded = (dependencies) => {
  const folder = join(ROOT, "dist/server");
  const code = readdirSync(folder)
    .filter((file) => file.endsWith(".js"))
    .map((file) => readFileSync(join(folder, file), "utf8"))
    .join("\n");
  const loaded = new Set(
    [...code.matchAll(/(?:from|import|import\()\s*"([^"./][^"]*)"/g)].map(([, name]) => name),
  );
  return Object.fromEntries(Object.entries(dependencies).filter(([name]) => loaded.has(name)));
};

/** The repository that a workflow of GitHub runs in. npm publishes provenance only for a package that names it. */
const repositoryOf = ({ GITHUB_SERVER_URL, GITHUB_REPOSITORY } = process.env) =>
  GITHUB_REPOSITORY === undefined
    ? undefined
    : { type: "git", url: `git+${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}.git` };

const stage = () => {
  const { name, description, license, type, engines } = readJson("package.json");
  const version = readVersion();
  const dependencies = keepLoaded(dependenciesOf(SHIPPED.filter((room) => room !== "console")));
  const manifest = {
    ...{ name, version, description, license, repository: repositoryOf(), type, engines },
    bin: { tollgate: "dist/server/tollgate.js" },
    dependencies,
  };
  const lock = readJson("package-lock.json");
  rmSync(STAGE, { recursive: true, force: true });
  mkdirSync(join(STAGE, "dist"), { recursive: true });
  // Maps of the bundles would be half of the package, and nothing reads them; what compresses is for browsers.
  const isWanted = (/** @type {string} */ path) => !path.endsWith(".map") && !path.includes(".vite");
  for (const part of ["server", "console"])
    cpSync(join(ROOT, "dist", part), join(STAGE, "dist", part), { recursive: true, filter: isWanted });
  for (const document of DOCUMENTS)
    if (existsSync(join(ROOT, document)))
      cpSync(join(ROOT, document), join(STAGE, document), { recursive: true });
  writeFileSync(join(STAGE, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
  const installed = pickLocked(lock, Object.keys(dependencies));
  const bundled = pickLocked(lock, Object.keys(dependenciesOf(SHIPPED))).filter(
    (path) => !installed.includes(path),
  );
  writeFileSync(join(STAGE, "THIRD-PARTY-LICENSES.txt"), listLicences(lock, bundled));
  return `${name}-${version}.tgz`;
};

/**
 * Builds what is stale and packs it.
 * @param {string} folder where the package goes
 * @returns {Promise<string>} its path
 * @throws Failure with what npm said
 */
export const packProduct = async (folder) => {
  await build();
  const file = stage();
  mkdirSync(folder, { recursive: true });
  const { command, args } = npmCommand();
  const result = await runCommand(command, [...args, "pack", "--pack-destination", folder], { cwd: STAGE });
  rmSync(STAGE, { recursive: true, force: true });
  if (result.status !== 0) throw new Failure(`${result.output}\nPacking failed.`);
  return join(folder, file);
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await runTool(async () => {
    const { values } = parseArgs({ options: { out: { type: "string" } } });
    await install();
    // npm runs this in the root of the checkout, wherever it was called.
    const here = process.env.INIT_CWD ?? process.cwd();
    console.log(await packProduct(values.out === undefined ? join(ROOT, "dist") : resolve(here, values.out)));
  });
}
