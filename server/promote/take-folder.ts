import { existsSync } from "node:fs";
import { DataRefused } from "@tollgate/storage/errors";
import { settleFolder } from "@tollgate/storage/promote/open-sides";
import { removeRequest, requestPath, writeRequest } from "./request-file";

export interface FolderWish {
  folder: string;
  /** Of the database with which the gateway continues. */
  address: string;
  masterKey: Uint8Array;
  /** Maximum time for running requests. */
  patienceMs: number;
}

/** Time for a gateway to notice the request. */
const HEARING_MS = 10_000;
/** Time for it to stop once no request is running. */
const ENDING_MS = 60_000;
/** Timeout of one attempt to lock the folder. */
const TRY_MS = 100;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const isInUse = (error: unknown): boolean =>
  error instanceof DataRefused && error.fault.code === "folder-in-use";

/** @returns undefined while a person has the folder. */
const tryFolder = async ({ folder, masterKey }: FolderWish): Promise<(() => void) | undefined> => {
  try {
    return await settleFolder(folder, masterKey, TRY_MS);
  } catch (error) {
    if (isInUse(error)) return undefined;
    throw error;
  }
};

/**
 * Locks a folder, with no charges pending in it. A gateway that uses it is asked to release it.
 * @returns releases it.
 * @throws Error where the gateway does not answer, or takes too long.
 */
export const takeFolder = async (wish: FolderWish): Promise<() => void> => {
  const { folder } = wish;
  const free = await tryFolder(wish);
  if (free) return free;
  writeRequest(folder, wish.address);
  try {
    const heardBy = performance.now() + HEARING_MS;
    while (existsSync(requestPath(folder))) {
      if (performance.now() > heardBy)
        throw new Error(
          `The gateway that works with ${folder} does not answer: stop it, and run the command again.`,
        );
      await pause(TRY_MS);
    }
    const endedBy = performance.now() + wish.patienceMs + ENDING_MS;
    for (;;) {
      const taken = await tryFolder(wish);
      if (taken) return taken;
      if (performance.now() > endedBy)
        throw new Error(`The gateway that works with ${folder} did not let go of it: nothing was switched.`);
      await pause(TRY_MS);
    }
  } finally {
    removeRequest(folder);
  }
};
