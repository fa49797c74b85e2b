import type { TargetSettings } from "../targets/target";
import { type LoadClient, startLoad } from "./load-client";
import { LOAD_CORE, RELAY_CORE } from "./pin";
import { end, startServerProgram } from "./start-program";

/** What stands around the targets of one part: the upstream behind them and the load in front. */
export interface Stage {
  load: LoadClient;
  upstreamPort: number;
  /** What every target is started with. */
  settings: TargetSettings;
  /** Our processes besides the targets. */
  pids: number[];
  stop(): Promise<void>;
}

/** @param isPinned the targets on one core, load and upstream on another; otherwise all of them anywhere */
export const startStage = async (isPinned: boolean): Promise<Stage> => {
  const core = isPinned ? LOAD_CORE : undefined;
  const upstream = await startServerProgram("fast-upstream", core);
  const load = startLoad(core);
  return {
    load,
    upstreamPort: upstream.port,
    settings: {
      upstreamUrl: `http://127.0.0.1:${upstream.port}`,
      core: isPinned ? RELAY_CORE : undefined,
    },
    pids: [process.pid, upstream.pid, load.pid],
    stop: async () => {
      await load.stop();
      await end(upstream.child);
    },
  };
};
