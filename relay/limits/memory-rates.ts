import { Meters } from "./meters";
import { MinuteMeter } from "./minute-meter";
import type { MinuteUse, RateAnswer, RateFault, RateSubject, Rates, Scope } from "./rates";

/** Why a subject does not let a request in; undefined when it does. */
const faultOf = (
  { rpm, tpm, concurrency }: RateSubject["limits"],
  meter: MinuteMeter,
  promptTokens: number,
  nowMs: number,
): RateFault | undefined => {
  if (rpm !== undefined && meter.requests(nowMs) >= rpm) return "requests-limited";
  if (tpm !== undefined && meter.tokens(nowMs) + promptTokens > tpm) return "tokens-limited";
  if (concurrency !== undefined && meter.active >= concurrency) return "concurrency-limited";
  return undefined;
};

/** Counted in the memory of this process: from zero at each start. */
export class MemoryRates implements Rates {
  private readonly keyMeters = new Meters<number | string>();
  private readonly userMeters = new Meters<number | string>();
  /** As many as groups have limits. */
  private readonly groupMeters = new Map<number | string, MinuteMeter>();

  /** @param now milliseconds since the epoch. */
  constructor(private readonly now: () => number) {}

  enter(subjects: readonly RateSubject[], promptTokens: number, barred?: number): RateAnswer {
    const nowMs = this.now();
    const meters = this.metersOf(subjects, nowMs);
    for (const [index, meter] of meters.entries()) {
      const limits = subjects[index]?.limits ?? {};
      const fault = index === barred ? undefined : faultOf(limits, meter, promptTokens, nowMs);
      if (index === barred || fault)
        return { nowMs, uses: usesOf(meters, nowMs), outcome: { refusedBy: index, fault } };
    }
    const leave = this.count(meters, promptTokens, nowMs);
    return { nowMs, uses: usesOf(meters, nowMs), outcome: { leave } };
  }

  /**
   * Takes over what another clock and others as well have counted, with a request that they let in.
   * @returns to be called once, when the request has ended.
   */
  follow(
    subjects: readonly RateSubject[],
    promptTokens: number,
    { nowMs, uses }: Pick<RateAnswer, "nowMs" | "uses">,
  ): () => void {
    const meters = this.metersOf(subjects, nowMs);
    const leave = this.count(meters, promptTokens, nowMs);
    for (const [index, meter] of meters.entries()) {
      const use = uses[index];
      if (use) meter.set(use.requests, use.tokens, nowMs);
    }
    return leave;
  }

  add(scope: Scope, id: number | string, tokens: number): void {
    this.find(scope, id)?.add(tokens, this.now());
  }

  /** Whether something of it was limited lately. */
  has(scope: Scope, id: number | string): boolean {
    return this.find(scope, id) !== undefined;
  }

  private count(meters: readonly MinuteMeter[], promptTokens: number, nowMs: number): () => void {
    const startMs = meters.map((meter) => meter.enter(promptTokens, nowMs));
    return () => {
      const endMs = this.now();
      for (const [index, meter] of meters.entries()) meter.leave(promptTokens, startMs[index] ?? 0, endMs);
    };
  }

  private find(scope: Scope, id: number | string): MinuteMeter | undefined {
    if (scope === "key") return this.keyMeters.get(id);
    return scope === "user" ? this.userMeters.get(id) : this.groupMeters.get(id);
  }

  private metersOf(subjects: readonly RateSubject[], nowMs: number): MinuteMeter[] {
    return subjects.map(({ scope, id }) => {
      if (scope === "key") return this.keyMeters.of(id, nowMs);
      return scope === "user" ? this.userMeters.of(id, nowMs) : this.groupMeter(id);
    });
  }

  private groupMeter(group: number | string): MinuteMeter {
    let meter = this.groupMeters.get(group);
    if (!meter) {
      meter = new MinuteMeter();
      this.groupMeters.set(group, meter);
    }
    return meter;
  }
}

const usesOf = (meters: readonly MinuteMeter[], nowMs: number): MinuteUse[] =>
  meters.map((meter) => ({ requests: meter.requests(nowMs), tokens: meter.tokens(nowMs) }));
