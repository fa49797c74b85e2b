import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { kill, PROGRAMS_FOLDER, startNode } from "../load/start-program";
import { installPortkey } from "./install-portkey";
import type { Target, TargetSettings } from "./target";

const PORT_LINE = /^listening on (\d+)$/;

/**
 * The gateway of Portkey (https://www.npmjs.com/package/@portkey-ai/gateway), a peer in TypeScript: it translates
 * between providers, but has no keys, quota or log. Undefined when it cannot be installed.
 */
export const startPortkey = async ({ upstreamUrl, core }: TargetSettings): Promise<Target | undefined> => {
  const main = await installPortkey();
  if (main === undefined) return undefined;
  const preload = pathToFileURL(join(PROGRAMS_FOLDER, "listen-on-loopback.js")).href;
  const program = startNode(["--import", preload, main, "--port=0", "--headless"], core, {
    NODE_ENV: "production",
  });
  let port: string | undefined;
  while (port === undefined) port = PORT_LINE.exec(await program.nextLine())?.[1];
  return {
    name: "Portkey",
    port: Number(port),
    pids: [program.pid],
    headers: {
      authorization: "Bearer upstream-key",
      "x-portkey-provider": "openai",
      "x-portkey-custom-host": `${upstreamUrl}/v1`,
    },
    stop: () => kill(program.child),
  };
};
