import type { RequestEnd } from "@tollgate/contract/api/receipts";
import type { ToldRefusal } from "@tollgate/contract/relay/error";
import type { AttemptRecord, ChosenBy, RequestRecord } from "../ports";

/** A receipt tells of so many changes of a request, by names of so many characters. */
const MAX_NAMES = 40;
const MAX_NAME = 80;
/** What stands in place of an attempt at a channel that was full: it was not asked, and it is no fault of it. */
export const FULL_OUTCOME = "full";

/**
 * Notes when what happened in one request, for its receipt. Every request has one, so it does no more than to look at the
 * clock and to keep a few numbers.
 */
export class RequestRecorder {
  /** When the request came; milliseconds since the epoch. */
  readonly startedAtMs: number;
  private readonly attempts: AttemptRecord[] = [];
  /** The attempt under way. */
  private current: AttemptRecord | undefined;
  private firstByteMs: number | undefined;

  constructor(private readonly now: () => number) {
    this.startedAtMs = now();
  }

  /** How many attempts there are so far, those at channels that were full included. */
  get attemptCount(): number {
    return this.attempts.length;
  }

  /** A channel was not asked because it was full, since the attempt before or since the begin. */
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

  /** A channel is asked. @param fallbackModel the model, where it is not the one that the client asked for. */
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

  /** The upstream's answer begins. */
  onUpstreamHead(status: number): void {
    if (!this.current) return;
    this.current.status = status;
    this.current.firstByteMs = this.elapsed() - this.current.startedMs;
  }

  /** What a channel's overrides did to the attempt under way. */
  noteOverrides(applied: readonly string[]): void {
    if (!this.current || applied.length === 0) return;
    const before = this.current.overrides ?? [];
    this.current.overrides = [...before, ...applied.map((name) => name.slice(0, MAX_NAME))].slice(
      0,
      MAX_NAMES,
    );
  }

  /** @param outcome "ok", or what went wrong. */
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
   * What is known of the request now, at its end.
   * @param model the one that was asked for last, "" when none was since one was replaced.
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
      isStream: request.isStream,
      channelId: this.attempts.findLast(({ outcome }) => outcome !== FULL_OUTCOME)?.channelId ?? 0,
      model,
      replaced: request.replaced,
      end,
      startedAtMs: this.startedAtMs,
      durationMs,
      // A stream that is written in one piece begins when it ends.
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

/** What is known of a request that was refused before it began. */
export interface Refused {
  requestId: string;
  key: RequestRecord["key"];
  protocol: RequestRecord["protocol"];
  operation: string;
  /** The model that the client asked for; "" where that is not known yet. */
  model: string;
  isStream: boolean;
}

/** The record of a request that was refused before any channel was looked for. @param nowMs milliseconds since the epoch. */
export const recordRefused = (
  { requestId, key, protocol, operation, model, isStream }: Refused,
  { code, params, fault, field, wireCode }: ToldRefusal,
  nowMs: number,
): RequestRecord => ({
  requestId,
  key,
  protocol,
  operation,
  group: "",
  channelId: 0,
  requestedModel: model,
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
