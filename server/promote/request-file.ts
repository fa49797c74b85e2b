import { randomUUID } from "node:crypto";
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { access } from "node:fs/promises";
import { join } from "node:path";

/*
 * Request of `tollgate promote` to the gateway of a folder to release it: a file in that folder, which only its owner
 * can read or write. It exists only briefly, because its address contains a password. The outcome shows in the folder's
 * lock (storage/sqlite/folder-lock.ts), which the system releases even when a process crashes.
 */

const NAME = "promote.json";

/** Interval for checking for the file. */
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
 * Calls once when a request file appears, and removes it.
 * @param onRequest receives the data's destination. @returns stops watching.
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
