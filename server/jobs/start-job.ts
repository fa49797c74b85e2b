import type { JobName, Stores } from "@tollgate/storage/stores";

/** A recurring task, run by one process at a time. */
export interface Job {
  readonly name: JobName;
  readonly everyMs: number;
  /** @param isStopped whether it is to end early. */
  run(isStopped: () => boolean): Promise<void>;
}

/** Runs a job now and at intervals, never twice at the same time. @returns a function that stops it. */
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

/** The jobs of this process. */
export class RunningJobs {
  private ends: (() => Promise<void>)[] = [];

  constructor(
    private readonly stores: Pick<Stores, "exclusively">,
    private readonly reportError: (error: Error) => void,
  ) {}

  /** To be called once. */
  start(jobs: readonly Job[]): void {
    this.ends = jobs.map((job) => startJob(job, this.stores, this.reportError));
  }

  /** Stops starting jobs, and waits for running ones. */
  async stop(): Promise<void> {
    await Promise.all(this.ends.map((end) => end()));
  }
}
