import { readMovedTo } from "@tollgate/storage/promote/folder-marks";
import { isFolderTaken } from "@tollgate/storage/promote/is-folder-taken";
import type { Config } from "../config";
import { openStandIn } from "./open-stand-in";

/** What a gateway is while it runs. */
interface Running {
  url: string;
  stop(): Promise<void>;
}

/** How long the command may take until it has the folder, once that is free. */
const PATIENCE_MS = 10_000;
const INTERVAL_MS = 50;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Waits until the command took the folder and gave it back, however it ended. */
const waitForFolder = async (folder: string): Promise<void> => {
  const giveUpAt = performance.now() + PATIENCE_MS;
  let wasTaken = false;
  for (;;) {
    const isTaken = isFolderTaken(folder);
    if (wasTaken && !isTaken) return;
    wasTaken ||= isTaken;
    if (!wasTaken && performance.now() > giveUpAt) return;
    await pause(INTERVAL_MS);
  }
};

/**
 * Lets go of the data folder for `tollgate promote`, and goes on with whatever has the data then: what is under way ends first,
 * and whoever comes meanwhile is told to come again. The command alone decides: it writes its mark into the folder while it has
 * it, and a gateway starts on the folder only when it has that itself.
 * @param address of the database.
 * @param start starts anew; it calls the second parameter right before it takes the address of the gateway.
 * @returns what runs now, and whether that works with the database.
 */
export const handOver = async <Product extends Running>(
  { config, address, running }: { config: Config; address: string; running: Product },
  start: (config: Config, beforeListening: () => Promise<void>) => Promise<Product>,
): Promise<{ running: Product; isMoved: boolean }> => {
  const port = Number(new URL(running.url).port);
  const stopped = running.stop();
  const letGo = await openStandIn(config.host, port);
  await stopped;
  await waitForFolder(config.dataDir);
  const isMoved = readMovedTo(config.dataDir) !== undefined;
  const database = isMoved ? { address, readAddress: undefined } : undefined;
  return { running: await start({ ...config, port, database }, letGo), isMoved };
};
