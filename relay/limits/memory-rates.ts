import { Meters } from "./meters";
import { MinuteMeter } from "./minute-meter";
import type {
  Leave,
  MinuteUse,
  RateAnswer,
  RateFault,
  RateScope,
  RateSubject,
  Rates,
  RateUse,
} from "./rates";

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
  private readonly channelMeters = new Meters<number | string>();
  private readonly channelKeyMeters = new Meters<number | string>();
  /** At most as many as groups with limits. */
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
   * Takes over the counts of another clock, which include other nodes, with a request that they admitted.
   * @returns must be called once, when the request has ended.
   */
  follow(
    subjects: readonly RateSubject[],
    promptTokens: number,
    { nowMs, uses }: Pick<RateAnswer, "nowMs" | "uses">,
  ): Leave {
    const meters = this.metersOf(subjects, nowMs);
    const leave = this.count(meters, promptTokens, nowMs);
    for (const [index, meter] of meters.entries()) {
      const use = uses[index];
      if (use) meter.set(use.requests, use.tokens, nowMs);
    }
    return leave;
  }

  add(scope: RateScope, id: number | string, tokens: number): void {
    this.find(scope, id)?.add(tokens, this.now());
  }

  /** Whether a limit of it was used recently. */
  has(scope: RateScope, id: number | string): boolean {
    return this.find(scope, id) !== undefined;
  }

  look(subjects: readonly RateSubject[]): RateUse[] {
    const nowMs = this.now();
    return subjects.map(({ scope, id }) => {
      const meter = this.find(scope, id);
      if (!meter) return { requests: 0, tokens: 0, active: 0 };
      return { requests: meter.requests(nowMs), tokens: meter.tokens(nowMs), active: meter.active };
    });
  }

  private count(meters: readonly MinuteMeter[], promptTokens: number, nowMs: number): Leave {
    const startMs = meters.map((meter) => meter.enter(promptTokens, nowMs));
    return (kind = "counted") => {
      const endMs = this.now();
      const back = kind === "uncounted" ? 0 : promptTokens;
      const requests = kind === "unsent" ? 1 : 0;
      for (const [index, meter] of meters.entries()) meter.leave(back, startMs[index] ?? 0, endMs, requests);
    };
  }

  private find(scope: RateScope, id: number | string): MinuteMeter | undefined {
    return scope === "group" ? this.groupMeters.get(id) : this.metersFor(scope).get(id);
  }

  private metersFor(scope: Exclude<RateScope, "group">): Meters<number | string> {
    switch (scope) {
      case "key":
        return this.keyMeters;
      case "user":
        return this.userMeters;
      case "channel":
        return this.channelMeters;
      case "channel-key":
        return this.channelKeyMeters;
    }
  }

  private metersOf(subjects: readonly RateSubject[], nowMs: number): MinuteMeter[] {
    return subjects.map(({ scope, id }) =>
      scope === "group" ? this.groupMeter(id) : this.metersFor(scope).of(id, nowMs),
    );
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
