import { kill, startServerProgram } from "../load/start-program";
import type { Target, TargetSettings } from "./target";

const KEY = "bench-key";

/** The bare relay (bare-relay.ts). */
export const startBareRelay = async ({ upstreamUrl, core, env }: TargetSettings): Promise<Target> => {
  const { child, pid, port } = await startServerProgram("bare-relay", core, {
    ...env,
    UPSTREAM: upstreamUrl,
    KEY,
  });
  return {
    name: "bare relay",
    port,
    pids: [pid],
    headers: { authorization: `Bearer sk-${KEY}` },
    stop: () => kill(child),
  };
};
