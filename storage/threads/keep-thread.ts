import type { StartedThread, StorageThread } from "./connect-worker";

/** How long after a thread has ended, or could not be started, the next is started. */
const PAUSE_MS = 1000;

/**
 * A thread that is started again when it ends by an error. Calls fail that were under way, or come before the next
 * thread is there: only for calls that are repeated, and for threads that hold nothing that is not in the database.
 * @param reportError called at each end.
 * @throws Error with the reason why the first could not be started.
 */
export const keepThread = async (
  start: () => Promise<StartedThread>,
  reportError: (error: Error) => void,
): Promise<StorageThread> => {
  let isClosing = false;
  let timer: NodeJS.Timeout | undefined;
  let starting: Promise<void> | undefined;
  const keep = (thread: StartedThread): StorageThread => {
    void thread.ended.then((error) => {
      if (isClosing) return;
      reportError(
        new Error(`a thread has ended by an error and is started anew: ${error.message}`, { cause: error }),
      );
      startLater();
    });
    return thread;
  };
  let current = keep(await start());
  const startAgain = async (): Promise<void> => {
    try {
      const thread = await start();
      if (isClosing) await thread.close();
      else current = keep(thread);
    } catch {
      if (!isClosing) startLater();
    }
  };
  const startLater = (): void => {
    timer = setTimeout(() => {
      starting = startAgain();
    }, PAUSE_MS);
  };
  return {
    call: (...asked) => current.call(...asked),
    async close() {
      isClosing = true;
      clearTimeout(timer);
      await starting;
      await current.close();
    },
  };
};
