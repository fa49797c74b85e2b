import type { RequestListener, Server } from "node:http";
import { readMovedTo } from "@tollgate/storage/promote/folder-marks";
import { isFolderTaken } from "@tollgate/storage/promote/is-folder-taken";
import type { Config } from "../config";
import { createStandIn } from "./stand-in";

/** A running gateway. */
interface Running {
  /** Stays open while another product takes its place. */
  server: Server;
  stop(standIn: RequestListener): Promise<void>;
}

/** Time for the command to take the folder, once it is free. */
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
 * Releases the data folder for `tollgate promote`, and continues with the folder or the database, whichever has the
 * data then: running requests end first, and new clients are asked to retry. Only the command decides: it writes its
 * mark into the folder while it holds it, and a gateway starts on the folder only when it holds it itself.
 * @param address of the database.
 * @param start starts again on a listening server; it calls the third parameter right before it takes its requests.
 * @returns the running gateway, and whether it works with the database.
 */
export const handOver = async <Product extends Running>(
  { config, address, running }: { config: Config; address: string; running: Product },
  start: (config: Config, server: Server, beforeListening: () => Promise<void>) => Promise<Product>,
): Promise<{ running: Product; isMoved: boolean }> => {
  const { server } = running;
  const standIn = createStandIn();
  await running.stop(standIn);
  await waitForFolder(config.dataDir);
  const isMoved = readMovedTo(config.dataDir) !== undefined;
  const database = isMoved ? { address, readAddress: undefined } : undefined;
  const leave = async (): Promise<void> => {
    server.off("request", standIn);
  };
  return { running: await start({ ...config, database }, server, leave), isMoved };
};
