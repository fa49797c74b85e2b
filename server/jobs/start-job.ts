import type { JobName, Stores } from "@tollgate/storage/stores";

/** What is done now and then, by one process at a time. */
export interface Job {
  readonly name: JobName;
  readonly everyMs: number;
  /** @param isStopped whether it is to end early. */
  run(isStopped: () => boolean): Promise<void>;
}

/** Does a job now and every so often; never twice at once. @returns what ends it. */
export const startJob = (
  { name, everyMs, run }: Job,
  { exclusively }: Pick<Stores, "exclusively">,
  reportError: (error: Error) => void,
): (() => Promise<void>) => {
  let isStopped = false;
  let running: Promise<void> | undefined;
  const start = (): void => {
    running ??= exclusively(name, () => run(() => isStopped))
      .catch(reportError)
      .finally(() => {
        running = undefined;
      });
  };
  start();
  const timer = setInterval(start, everyMs);
  return async () => {
    isStopped = true;
    clearInterval(timer);
    await running;
  };
};
