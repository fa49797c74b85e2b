import type { MemoryRates } from "./memory-rates";
import { type LivePlace, nodeShare } from "./node-share";
import type { RateAnswer, RateScope, RateSubject, Rates, RateUse } from "./rates";

type RateLimits = RateSubject["limits"];

const shareOf = (limit: number | undefined, place: LivePlace): number | undefined =>
  limit === undefined ? undefined : nodeShare(limit, place);

/** The other nodes' part of a limit, which counts as used. */
const othersPart = (limit = 0, share = 0): number => limit - share;

/**
 * Rates counted by one of several nodes alone: each admits its share of each limit, so that all together stay within
 * the limit, as long as they agree on the live nodes.
 */
export class DividedRates implements Rates {
  /** @param place this node's rank among the live nodes, queried for each request. */
  constructor(
    private readonly memory: MemoryRates,
    private readonly place: () => LivePlace,
  ) {}

  enter(subjects: readonly RateSubject[], promptTokens: number, barred?: number): RateAnswer {
    const place = this.place();
    const shares = subjects.map(
      ({ limits: { rpm, tpm, concurrency } }): RateLimits => ({
        rpm: shareOf(rpm, place),
        tpm: shareOf(tpm, place),
        concurrency: shareOf(concurrency, place),
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
