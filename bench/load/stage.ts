import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TEST_AUTHORITY } from "@tollgate/testkit/certificates";
import type { TargetSettings } from "../targets/target";
import { type LoadClient, startLoad } from "./load-client";
import { LOAD_CORE, RELAY_CORE } from "./pin";
import { kill, startServerProgram } from "./start-program";

/** Surroundings of the targets of one part: the upstream behind them and the load in front. */
export interface Stage {
  load: LoadClient;
  upstreamPort: number;
  /** Settings for starting every target. */
  settings: TargetSettings;
  /** Our processes besides the targets. */
  pids: number[];
  stop(): Promise<void>;
}

/** A file with the CA certificate of the fast upstream; deleted with this process. */
const writeAuthority = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "tollgate-bench-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "authority.pem");
  writeFileSync(file, TEST_AUTHORITY);
  return file;
};

/**
 * @param isPinned the targets on one core, load and upstream on another; otherwise all of them anywhere
 * @param isSecure the upstream is reached over TLS, and the targets trust it
 */
export const startStage = async (isPinned: boolean, isSecure = false): Promise<Stage> => {
  const core = isPinned ? LOAD_CORE : undefined;
  const upstream = await startServerProgram("fast-upstream", core, isSecure ? { SECURE: "1" } : {});
  const load = startLoad(core);
  return {
    load,
    upstreamPort: upstream.port,
    settings: {
      upstreamUrl: `${isSecure ? "https" : "http"}://127.0.0.1:${upstream.port}`,
      core: isPinned ? RELAY_CORE : undefined,
      env: isSecure ? { NODE_EXTRA_CA_CERTS: writeAuthority() } : {},
    },
    pids: [process.pid, upstream.pid, load.pid],
    stop: async () => {
      await load.stop();
      await kill(upstream.child);
    },
  };
};
