import type { RequestListener, Server } from "node:http";
import { readMovedTo } from "@tollgate/storage/promote/folder-marks";
import { isFolderTaken } from "@tollgate/storage/promote/is-folder-taken";
import type { Config } from "../config";
import { createStandIn } from "./stand-in";

/** What a gateway is while it runs. */
interface Running {
  /** Stays open while another product takes its place. */
  server: Server;
  stop(standIn: RequestListener): Promise<void>;
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
 * and clients that come meanwhile are told to come again. The command alone decides: it writes its mark into the folder while it has
 * it, and a gateway starts on the folder only when it has that itself.
 * @param address of the database.
 * @param start starts again on a server that listens; it calls the third parameter right before it takes its requests.
 * @returns what runs now, and whether that works with the database.
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
