import { randomUUID } from "node:crypto";
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { access } from "node:fs/promises";
import { join } from "node:path";

/*
 * How `tollgate promote` asks the gateway that works with a folder to let go of it: a file in that folder, which no one else may
 * read or write. It is there for a moment only, because the address in it has a password. What was agreed upon shows by who
 * has the folder (storage/sqlite/folder-lock.ts), which the system gives back whatever happens to a process.
 */

const NAME = "promote.json";

/** How often the gateway looks. */
const INTERVAL_MS = 500;

export const requestPath = (folder: string): string => join(folder, NAME);

/** @param address of the database. */
export const writeRequest = (folder: string, address: string): void => {
  const path = requestPath(folder);
  const written = `${path}.${randomUUID()}`;
  writeFileSync(written, JSON.stringify({ address }), { mode: 0o600 });
  renameSync(written, path);
};

export const removeRequest = (folder: string): void => rmSync(requestPath(folder), { force: true });

/**
 * Calls once when a person asks for the folder, and takes the request away.
 * @param onRequest told where the data goes. @returns ends it.
 */
export const watchRequests = (folder: string, onRequest: (address: string) => void): (() => void) => {
  // One of a process that is gone: no caller waits for an answer.
  removeRequest(folder);
  let isLooking = false;
  const timer = setInterval(async () => {
    if (isLooking) return;
    isLooking = true;
    try {
      await access(requestPath(folder));
      const { address }: { address: string } = JSON.parse(readFileSync(requestPath(folder), "utf8"));
      clearInterval(timer);
      removeRequest(folder);
      onRequest(address);
    } catch {
      // No request asks.
    } finally {
      isLooking = false;
    }
  }, INTERVAL_MS);
  timer.unref();
  return () => clearInterval(timer);
};
