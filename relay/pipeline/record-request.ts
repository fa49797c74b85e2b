import type { RequestEnd } from "@tollgate/contract/api/receipts";
import type { SentRefusal } from "@tollgate/contract/relay/error";
import type { AttemptRecord, ChosenBy, EndedCost, RequestRecord } from "../ports/charges";

/** Limits of a receipt: the number of changes it lists, and the length of each name. */
const MAX_NAMES = 40;
const MAX_NAME = 80;
/** Outcome in place of an attempt at a full channel: it was not tried, and it is not at fault. */
export const FULL_OUTCOME = "full";

/**
 * Records the times of one request's events for its receipt. Every request has one, so it only reads the clock and
 * keeps a few numbers.
 */
export class RequestRecorder {
  /** Arrival of the request; milliseconds since the epoch. */
  readonly startedAtMs: number;
  private readonly attempts: AttemptRecord[] = [];
  private current: AttemptRecord | undefined;
  private firstByteMs: number | undefined;

  constructor(private readonly now: () => number) {
    this.startedAtMs = now();
  }

  /** Number of attempts so far, including entries for full channels. */
  get attemptCount(): number {
    return this.attempts.length;
  }

  /** Notes a channel skipped because it was full, since the previous attempt or the start. */
  noteFull(channelId: number): void {
    const last = this.attempts.findLast(({ outcome }) => outcome !== FULL_OUTCOME);
    const startedMs = last ? last.startedMs + last.durationMs : 0;
    this.attempts.push({
      channelId,
      outcome: FULL_OUTCOME,
      status: 0,
      startedMs,
      firstByteMs: undefined,
      durationMs: Math.max(0, this.elapsed() - startedMs),
    });
  }

  /** Starts an attempt. @param fallbackModel the model, if it is not the client's requested one. */
  beginAttempt(channelId: number, chosenBy?: ChosenBy, fallbackModel?: string): void {
    this.current = {
      channelId,
      outcome: "",
      status: 0,
      startedMs: this.elapsed(),
      firstByteMs: undefined,
      durationMs: 0,
    };
    if (chosenBy !== undefined) this.current.chosenBy = chosenBy;
    if (fallbackModel !== undefined) this.current.fallbackModel = fallbackModel;
    this.attempts.push(this.current);
  }

  /** The upstream's answer starts. */
  onUpstreamHead(status: number): void {
    if (!this.current) return;
    this.current.status = status;
    this.current.firstByteMs = this.elapsed() - this.current.startedMs;
  }

  /** Notes the overrides applied to the current attempt. */
  noteOverrides(applied: readonly string[]): void {
    if (!this.current || applied.length === 0) return;
    const before = this.current.overrides ?? [];
    this.current.overrides = [...before, ...applied.map((name) => name.slice(0, MAX_NAME))].slice(
      0,
      MAX_NAMES,
    );
  }

  /** Notes the model that the current attempt's answer names. @param isOther undefined when names cannot be compared. */
  noteServedModel(name: string, isOther: boolean | undefined): void {
    if (!this.current) return;
    this.current.servedModel = name;
    if (isOther !== undefined) this.current.isOtherModel = isOther;
  }

  /** Notes what the last attempt may cost, although nothing is charged for it. */
  noteEndedCost(cost: EndedCost | undefined): void {
    const attempt = this.attempts.at(-1);
    if (attempt && cost) attempt.endedCost = cost;
  }

  /** @param outcome "ok", or the failure. */
  endAttempt(outcome: string): void {
    if (!this.current) return;
    this.current.outcome = outcome;
    this.current.durationMs = this.elapsed() - this.current.startedMs;
    this.current = undefined;
  }

  /** The client is given the first bytes of a stream. */
  onFirstByte(): void {
    this.firstByteMs ??= this.elapsed();
  }

  /**
   * The complete record at the end of the request.
   * @param model the last upstream model, "" when none was tried since a fallback.
   */
  finish(
    request: Pick<
      RequestRecord,
      | "requestId"
      | "key"
      | "protocol"
      | "operation"
      | "group"
      | "requestedModel"
      | "replaced"
      | "alias"
      | "atBudget"
      | "isStream"
      | "trace"
    >,
    model: string,
    end: RequestEnd,
  ): RequestRecord {
    const durationMs = this.elapsed();
    return {
      requestId: request.requestId,
      key: request.key,
      protocol: request.protocol,
      operation: request.operation,
      group: request.group,
      requestedModel: request.requestedModel,
      alias: request.alias,
      atBudget: request.atBudget,
      isStream: request.isStream,
      channelId: this.attempts.findLast(({ outcome }) => outcome !== FULL_OUTCOME)?.channelId ?? 0,
      model,
      replaced: request.replaced,
      end,
      startedAtMs: this.startedAtMs,
      durationMs,
      // A stream written in one piece starts when it ends.
      firstByteMs: request.isStream ? (this.firstByteMs ?? durationMs) : undefined,
      attempts: this.attempts,
      trace: request.trace,
    };
  }

  /** A clock that is set back must not give negative times. */
  private elapsed(): number {
    return Math.max(0, this.now() - this.startedAtMs);
  }
}

/** A request that was refused before it started. */
export interface Refused {
  requestId: string;
  key: RequestRecord["key"];
  protocol: RequestRecord["protocol"];
  operation: string;
  /** The requested model; "" when it is not known yet. */
  model: string;
  /** The client's name for it, where that is an alias. */
  alias?: string | undefined;
  isStream: boolean;
}

/** The record of a request that was refused before any channel was looked for. @param nowMs milliseconds since the epoch. */
export const recordRefused = (
  { requestId, key, protocol, operation, model, alias, isStream }: Refused,
  { code, params, fault, field, wireCode }: SentRefusal,
  nowMs: number,
): RequestRecord => ({
  requestId,
  key,
  protocol,
  operation,
  group: "",
  channelId: 0,
  requestedModel: model,
  alias,
  model: "",
  isStream,
  end: "failed",
  refusal: code,
  told: { code, params, fault, field, wireCode },
  startedAtMs: nowMs,
  durationMs: 0,
  firstByteMs: undefined,
  attempts: [],
  trace: undefined,
});
