import { execFile } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);

/** npm's output when no registry answers. */
const UNREACHABLE =
  /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ERR_SOCKET_TIMEOUT)\b/;

/** npm as it runs this test, else the one on the path. */
const npm = process.env.npm_execpath?.endsWith("npm-cli.js")
  ? { program: process.execPath, first: [process.env.npm_execpath] }
  : { program: "npm", first: [] };

/**
 * Runs npm in a folder; what its cache has is not fetched again.
 * @returns what it printed on its standard output
 * @throws Error with what it printed, which says so where the package registry does not answer.
 */
export const runNpm = async (folder: string, ...args: string[]): Promise<string> => {
  try {
    const { stdout } = await run(
      npm.program,
      [...npm.first, "--prefer-offline", "--no-audit", "--no-fund", ...args],
      {
        cwd: folder,
        env: { ...process.env, npm_config_fetch_retries: "1" },
      },
    );
    return stdout;
  } catch (error) {
    const output = String(error instanceof Error && "stderr" in error ? error.stderr : error);
    throw new Error(
      UNREACHABLE.test(output)
        ? `The npm registry cannot be reached, so what is installed from a package was NOT tested:\n${output}`
        : `npm ${args.join(" ")} failed:\n${output}`,
    );
  }
};
