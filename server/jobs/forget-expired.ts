import type { StorageClient } from "@tollgate/storage/client";
import type { Directory } from "../state/directory";

const EVERY_MS = 3_600_000;

/** One round: sessions and codes that nobody can use any more go. @param now unix seconds. */
export const forgetExpired = async (
  {
    write,
  }: { write: { [R in "sessions" | "verifications"]: Pick<StorageClient["write"][R], "removeExpired"> } },
  directory: Pick<Directory, "removeExpiredSessions">,
  now: number,
): Promise<void> => {
  directory.removeExpiredSessions(now);
  await write.sessions.removeExpired(now);
  await write.verifications.removeExpired(now);
};

/** Forgets them now and every hour. @param now unix seconds. @returns what ends it. */
export const startForgettingExpired = (
  storage: Pick<StorageClient, "write">,
  directory: Directory,
  now: () => number,
  reportError: (error: Error) => void,
): (() => Promise<void>) => {
  let running = Promise.resolve();
  const round = (): void => {
    running = running.then(() => forgetExpired(storage, directory, now())).catch(reportError);
  };
  round();
  const timer = setInterval(round, EVERY_MS);
  return async () => {
    clearInterval(timer);
    await running;
  };
};
