import type { Stores } from "@tollgate/storage/stores";
import type { Job } from "./start-job";

/**
 * Adds up the log's buckets of eight hours that have ended, every ten minutes, in small steps between which new lines are written.
 * @param now unix seconds.
 */
export const closingBuckets = ({ log }: Pick<Stores, "log">, now: () => number): Job => ({
  name: "closing-buckets",
  everyMs: 600_000,
  async run(isStopped) {
    let areMore = true;
    while (areMore && !isStopped()) areMore = await log.closeBucket(now());
  },
});
