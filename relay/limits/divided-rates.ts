import type { MemoryRates } from "./memory-rates";
import { type NodeRank, nodeShare } from "./node-share";
import type { RateAnswer, RateScope, RateSubject, Rates, RateUse } from "./rates";

type RateLimits = RateSubject["limits"];

const shareOf = (limit: number | undefined, rank: NodeRank): number | undefined =>
  limit === undefined ? undefined : nodeShare(limit, rank);

/** The other nodes' part of a limit, which counts as used. */
const othersPart = (limit = 0, share = 0): number => limit - share;

/**
 * Rates counted by one of several nodes alone: each admits its share of each limit, so that all together stay within
 * the limit, as long as they agree on the live nodes.
 */
export class DividedRates implements Rates {
  /** @param rank this node's rank among the live nodes, queried for each request. */
  constructor(
    private readonly memory: MemoryRates,
    private readonly rank: () => NodeRank,
  ) {}

  enter(subjects: readonly RateSubject[], promptTokens: number, barred?: number): RateAnswer {
    const rank = this.rank();
    const shares = subjects.map(
      ({ limits: { rpm, tpm, concurrency } }): RateLimits => ({
        rpm: shareOf(rpm, rank),
        tpm: shareOf(tpm, rank),
        concurrency: shareOf(concurrency, rank),
      }),
    );
    const own = subjects.map(({ scope, id }, index) => ({ scope, id, limits: shares[index] ?? {} }));
    const answer = this.memory.enter(own, promptTokens, barred);
    const uses = answer.uses.map(({ requests, tokens }, index) => ({
      requests: requests + othersPart(subjects[index]?.limits.rpm, shares[index]?.rpm),
      tokens: tokens + othersPart(subjects[index]?.limits.tpm, shares[index]?.tpm),
    }));
    return { ...answer, uses };
  }

  add(scope: RateScope, id: number | string, tokens: number): void {
    this.memory.add(scope, id, tokens);
  }

  look(subjects: readonly RateSubject[]): RateUse[] {
    return this.memory.look(subjects);
  }
}
