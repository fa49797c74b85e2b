import { DividedRates } from "@tollgate/relay/limits/divided-rates";
import { MemoryRates } from "@tollgate/relay/limits/memory-rates";
import { MINUTE_MS } from "@tollgate/relay/limits/minute-meter";
import type { NodeRank } from "@tollgate/relay/limits/node-share";
import type {
  Leave,
  RateAnswer,
  RateFault,
  RateScope,
  RateSubject,
  Rates,
  RateUse,
} from "@tollgate/relay/limits/rates";
import * as z from "zod";
import type { RunScript } from "./scripts";

/** Time after which a running request stops counting unless its node renews it. */
export const KEPT_MS = 30_000;

/** Interval for calling `renew`: a node that misses some calls still counts. */
export const RENEW_MS = 5_000;

/** The script's value for "no limit". */
const NONE = -1;

/** Indexed by the numbers of enter.lua. */
const FAULTS: readonly (RateFault | undefined)[] = [
  undefined,
  "requests-limited",
  "tokens-limited",
  "concurrency-limited",
];

/** Time, refusing subject, reason, the minute's start, then requests and tokens of each subject. */
const enterReply = z.tuple([z.int(), z.int(), z.int(), z.int()], z.int());

/** For each subject: requests, tokens and running requests. */
const lookReply = z.array(z.int());

export interface SharedRatesSettings {
  /** The name of this node: unique, and new after each restart. */
  node: string;
  /** Prefix of all keys' names. */
  prefix: string;
  /** Milliseconds since the epoch, while this node counts alone. */
  now: () => number;
  /** This node's rank among the living nodes, needed while it counts alone. */
  rank: () => NodeRank;
  /** Called once when the server is gone, with the reason, and once when it is back. */
  onLost: (error: unknown) => void;
  onBack: () => void;
}

/** An admitted request that has not ended. */
interface UnderWay {
  readonly subjects: readonly RateSubject[];
}

/** Counts made without the server, in one minute. */
interface CountedAlone {
  readonly startMs: number;
  requests: number;
  tokens: number;
}

/**
 * Counts for all nodes together, in Redis, with one script per request. While the server is unreachable, a node admits
 * its share of each limit by its own counts, so that nodes that begin a minute alone never exceed a limit together.
 */
export class SharedRates implements Rates {
  /** Follows the server's counts, and counts while it is gone. */
  private readonly memory: MemoryRates;
  private readonly alone: DividedRates;
  private readonly underWay = new Map<string, UnderWay>();
  private readonly countedAlone = new Map<string, CountedAlone>();
  /** Whether the server is gone, so that this node counts alone. */
  isAlone = false;
  /** Once for each time that the server is gone, however often it answers halfway. */
  private isToldLost = false;
  private lastRequest = 0;

  constructor(
    private readonly run: RunScript,
    private readonly settings: SharedRatesSettings,
  ) {
    this.memory = new MemoryRates(settings.now);
    this.alone = new DividedRates(this.memory, settings.rank);
  }

  enter(
    subjects: readonly RateSubject[],
    promptTokens: number,
    barred = NONE,
  ): RateAnswer | Promise<RateAnswer> {
    this.lastRequest += 1;
    const request = `${this.settings.node}:${this.lastRequest}`;
    if (this.isAlone) return this.enterAlone(request, subjects, promptTokens, barred);
    return this.enterShared(request, subjects, promptTokens, barred);
  }

  add(scope: RateScope, id: number | string, tokens: number): void {
    if (!this.memory.has(scope, id)) return;
    this.memory.add(scope, id, tokens);
    this.count(this.minuteKey({ scope, id }), 0, tokens);
  }

  async look(subjects: readonly RateSubject[]): Promise<readonly RateUse[]> {
    if (this.isAlone || subjects.length === 0) return this.memory.look(subjects);
    try {
      const keys = subjects.flatMap((subject) => [this.minuteKey(subject), this.underWayKey(subject)]);
      const numbers = lookReply.parse(await this.run("look", keys, []));
      return subjects.map((_, index) => ({
        requests: numbers[3 * index] ?? 0,
        tokens: numbers[3 * index + 1] ?? 0,
        active: numbers[3 * index + 2] ?? 0,
      }));
    } catch {
      // Only counting determines whether the server is there.
      return this.memory.look(subjects);
    }
  }

  /**
   * Renews running requests, and checks whether the server is there. To be called every RENEW_MS: the server drops
   * requests that a node no longer renews.
   */
  async renew(): Promise<void> {
    try {
      // No key has the number 0. One that is full, or follows another one, answers until it is written to.
      await this.run("renew", [this.underWayKey({ scope: "key", id: 0 })], [KEPT_MS, this.settings.node]);
    } catch (error) {
      this.lose(error);
      return;
    }
    // Later commands follow these on the same connection: no request is admitted before they are counted.
    this.isAlone = false;
    const alone = [...this.countedAlone];
    this.countedAlone.clear();
    const sent = alone.map(([key, { startMs, requests, tokens }]) =>
      this.run("add", [key], [requests, tokens, startMs]),
    );
    const requests = new Map<string, string[]>();
    for (const [request, { subjects }] of this.underWay) {
      for (const subject of subjects) {
        const key = this.underWayKey(subject);
        const those = requests.get(key);
        if (those) those.push(request);
        else requests.set(key, [request]);
      }
    }
    for (const [key, those] of requests) sent.push(this.run("renew", [key], [KEPT_MS, ...those]));
    const results = await Promise.allSettled(sent);
    const failed = results.find((result) => result.status === "rejected");
    if (!failed) {
      this.comeBack();
      return;
    }
    for (const [index, [key, counted]] of alone.entries())
      if (results[index]?.status === "rejected")
        this.countAlone(key, counted.requests, counted.tokens, counted.startMs);
    this.lose(failed.reason);
  }

  private async enterShared(
    request: string,
    subjects: readonly RateSubject[],
    promptTokens: number,
    barred: number,
  ): Promise<RateAnswer> {
    const keys = subjects.flatMap((subject) => [this.minuteKey(subject), this.underWayKey(subject)]);
    const limits = subjects.flatMap(({ limits: { rpm = NONE, tpm = NONE, concurrency = NONE } }) => [
      rpm,
      tpm,
      concurrency,
    ]);
    let reply: z.infer<typeof enterReply>;
    try {
      const values = [request, promptTokens, KEPT_MS, barred + 1, ...limits];
      reply = enterReply.parse(await this.run("enter", keys, values));
    } catch (error) {
      this.lose(error);
      return this.enterAlone(request, subjects, promptTokens, barred);
    }
    const [nowMs, refusedBy, why, startMs, ...numbers] = reply;
    const uses = subjects.map((_, index) => ({
      requests: numbers[2 * index] ?? 0,
      tokens: numbers[2 * index + 1] ?? 0,
    }));
    if (refusedBy > 0) return { nowMs, uses, outcome: { refusedBy: refusedBy - 1, fault: FAULTS[why] } };
    const leaveMemory = this.memory.follow(subjects, promptTokens, { nowMs, uses });
    return {
      nowMs,
      uses,
      outcome: { leave: this.begin(request, subjects, promptTokens, startMs, leaveMemory) },
    };
  }

  private enterAlone(
    request: string,
    subjects: readonly RateSubject[],
    promptTokens: number,
    barred: number,
  ): RateAnswer {
    const answer = this.alone.enter(subjects, promptTokens, barred);
    if (!("leave" in answer.outcome)) return answer;
    const startMs = minuteStart(answer.nowMs);
    for (const subject of subjects) this.countAlone(this.minuteKey(subject), 1, promptTokens, startMs);
    const leave = this.begin(request, subjects, promptTokens, startMs, answer.outcome.leave);
    return { ...answer, outcome: { leave } };
  }

  /** @param startMs the minute in which it was counted. @returns ends it. */
  private begin(
    request: string,
    subjects: readonly RateSubject[],
    promptTokens: number,
    startMs: number,
    leaveMemory: Leave,
  ): Leave {
    this.underWay.set(request, { subjects });
    return (kind = "counted") => {
      this.underWay.delete(request);
      leaveMemory(kind);
      const back = kind === "uncounted" ? 0 : promptTokens;
      const requests = kind === "unsent" ? 1 : 0;
      const leaveAlone = (): void => {
        for (const subject of subjects) this.countAlone(this.minuteKey(subject), -requests, -back, startMs);
      };
      if (this.isAlone) leaveAlone();
      else {
        const keys = subjects.flatMap((subject) => [this.minuteKey(subject), this.underWayKey(subject)]);
        this.run("leave", keys, [request, back, startMs, requests]).catch((error: unknown) => {
          leaveAlone();
          this.lose(error);
        });
      }
    };
  }

  private count(key: string, requests: number, tokens: number): void {
    const startMs = minuteStart(this.settings.now());
    if (this.isAlone) this.countAlone(key, requests, tokens, startMs);
    else
      this.run("add", [key], [requests, tokens, 0]).catch((error: unknown) => {
        this.countAlone(key, requests, tokens, startMs);
        this.lose(error);
      });
  }

  /** Counts to send to the server when it is back, if still in the same minute. */
  private countAlone(key: string, requests: number, tokens: number, startMs: number): void {
    const known = this.countedAlone.get(key);
    if (known?.startMs === startMs) {
      known.requests += requests;
      known.tokens += tokens;
    } else if (!known || known.startMs < startMs) {
      // Counts of past minutes are useless.
      this.countedAlone.delete(key);
      this.forgetMinutesBefore(startMs);
      this.countedAlone.set(key, { startMs, requests, tokens });
    }
  }

  private forgetMinutesBefore(startMs: number): void {
    for (const [key, counted] of this.countedAlone) {
      // They stand in the order in which their keys came: the first of this minute ends the search.
      if (counted.startMs >= startMs) return;
      this.countedAlone.delete(key);
    }
  }

  private lose(error: unknown): void {
    this.isAlone = true;
    if (this.isToldLost) return;
    this.isToldLost = true;
    this.settings.onLost(error);
  }

  private comeBack(): void {
    if (this.isAlone || !this.isToldLost) return;
    this.isToldLost = false;
    this.settings.onBack();
  }

  private minuteKey(of: Pick<RateSubject, "scope" | "id">): string {
    return `${this.nameOf(of)}:minute`;
  }

  private underWayKey(of: Pick<RateSubject, "scope" | "id">): string {
    return `${this.nameOf(of)}:under-way`;
  }

  /** From ids and group names, never from secrets; the braces put one script's keys on one server. */
  private nameOf({ scope, id }: Pick<RateSubject, "scope" | "id">): string {
    return `${this.settings.prefix}:{limits}:${scope}:${id}`;
  }
}

const minuteStart = (nowMs: number): number => nowMs - (nowMs % MINUTE_MS);
