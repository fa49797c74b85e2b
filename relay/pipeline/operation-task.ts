import type { DeliveredContent } from "@tollgate/contract/relay/content";
import type {
  AnswerReading,
  OperationInput,
  OperationSummary,
  OperationTranslation,
} from "@tollgate/contract/relay/operation";
import type { PromptText } from "@tollgate/contract/relay/prompt-text";
import { RequestInvalid } from "@tollgate/contract/relay/protocol";
import { NO_USAGE, type Usage } from "@tollgate/contract/relay/usage";
import { toUnixSeconds } from "@tollgate/contract/values/time";
import { priceHold } from "@tollgate/metering/bill";
import { leastPromptTokens } from "@tollgate/metering/estimate";
import type { Price } from "@tollgate/metering/price";
import { maxUnitTokens, priceUnits } from "@tollgate/metering/unit-price";
import { servedModelOf } from "@tollgate/protocols/shared/answer/served-model";
import { isRecord, type JsonRecord } from "@tollgate/protocols/shared/json/json-values";
import { MemoryRefused } from "../memory-refused";
import type { UpstreamTarget } from "../ports/directory";
import type { RelayPorts } from "../ports/relay-ports";
import type { UpstreamRequest } from "../ports/transport";
import { upstreamPath } from "../routing/addressing";
import type { BodyStep } from "../routing/prepare-overrides";
import { upstreamOperation } from "../routing/upstream-operation";
import { routeFor } from "../routing/upstream-target";
import type { AnswerStream, ReceivedStream } from "./answer-stream";
import { buildOperationCall, type OperationBody, uploadedBytes } from "./build-operation-call";
import { BytesStream } from "./bytes-stream";
import { changeBody } from "./change-body";
import { countUsage } from "./count-usage";
import { textContent } from "./delivered-tally";
import { encodeJson } from "./encode-json";
import type { ExchangeJob } from "./exchange-core";
import type { FollowUp } from "./follow-answer";
import { isJsonType } from "./is-json-type";
import { PassStream } from "./pass-stream";
import type { HoldQuota } from "./reserve-quota";
import { type Counts, estimatePromptTokens } from "./settle";
import { SoundStream } from "./sound-stream";
import type { Task, WholeAnswer } from "./task";
import { boundsOf, maxPromptTokens } from "./worst-case";

/** A request for an operation other than a chat. */
export interface OperationJob extends ExchangeJob, Omit<OperationBody, "isStream" | "rawBody"> {
  model: string;
  summary: OperationSummary;
}

/** Work charged by units has no token counts, which is different from zero tokens. */
const NO_TOKENS = {
  promptTokens: 0,
  completionTokens: 0,
  source: "upstream",
  promptSource: "none",
  completionSource: "none",
} as const;

/** Number of copies of a translated request's files: as base64, and in the upstream request. */
const COPIES = 3;

/** Whether an answer is text rather than audio. */
const isTextual = (contentType: string): boolean =>
  isJsonType(contentType) || /^\s*text\//i.test(contentType);

const EVENTS_TYPE = /^\s*text\/event-stream/i;

/** Types of transcripts; any other type is sent as plain text, so that no browser renders an answer as HTML. */
const TEXT_TYPE = /^(?:text\/(?:plain|vtt|srt)|application\/(?:x-)?(?:subrip|srt))/i;

const textType = (contentType: string): string => {
  const type = TEXT_TYPE.exec(contentType)?.[0] ?? "text/plain";
  return `${type}; charset=utf-8`;
};

const contentOf = ({ text, soundSeconds = 0 }: AnswerReading): DeliveredContent => ({
  ...textContent(text),
  soundSeconds,
});

/** Puts the counts that are charged into an answer, in the names that its operation has for them. */
const withCounts = (body: JsonRecord, read: number, written: number): JsonRecord => {
  const total_tokens = read + written;
  const usage =
    isRecord(body.usage) && "input_tokens" in body.usage
      ? { ...body.usage, input_tokens: read, output_tokens: written, total_tokens }
      : { prompt_tokens: read, total_tokens };
  return { ...body, usage };
};

/** A JSON request as a channel with overrides is sent it. */
interface ChangedOperation {
  input: OperationInput;
  summary: OperationSummary;
  applied: readonly string[];
  /** Invalid part of the request: it is refused when it would be sent. */
  fault: RequestInvalid | undefined;
}

/** Embeddings, images, sound, moderations … : whatever an operation's declaration describes. */
export class OperationTask implements Task {
  readonly model: string;
  readonly operation: string;
  /** The request after the current channel's overrides; undefined when it stays unchanged. */
  private changed: ChangedOperation | undefined;
  /** The summary as the current channel's vendor charges it; undefined where that is the operation's own way. */
  private ofVendor: OperationSummary | undefined;
  private estimated: { readonly prompt: PromptText; readonly tokens: number } | undefined;

  constructor(
    private readonly ports: RelayPorts,
    private readonly job: OperationJob,
  ) {
    this.model = job.model;
    this.operation = job.operation.name;
  }

  private get summary(): OperationSummary {
    return this.ofVendor ?? this.changed?.summary ?? this.job.summary;
  }

  private get input(): OperationInput {
    return this.changed?.input ?? this.job.input;
  }

  /** Vectors, moderations, rankings, pictures and audio are not charged by written tokens (maxOutputTokens 0). */
  get writesText(): boolean {
    const { summary } = this;
    const { operation } = this.job;
    return operation.writesText !== false && summary.maxOutputTokens !== 0;
  }

  isOffered(channel: UpstreamTarget): boolean {
    return upstreamOperation(channel, this.job.operation.name) !== undefined;
  }

  session(): undefined {
    return undefined;
  }

  resolveTarget(channel: UpstreamTarget, model: string): UpstreamTarget {
    const target = routeFor(channel, model);
    const steps = target.overrides?.body;
    this.ofVendor = undefined;
    this.changed = steps === undefined || this.job.form ? undefined : this.change(steps);
    // An invalid part is refused when the request would be sent.
    if (this.changed?.fault === undefined) {
      const how = upstreamOperation(target, this.job.operation.name);
      this.ofVendor = how?.summarize?.(this.input, this.summary, model);
    }
    return target;
  }

  /** A channel's overrides change the request in the shape that clients know, whatever its upstream's is. */
  private change(steps: readonly BodyStep[]): ChangedOperation | undefined {
    const { operation, input, summary, model } = this.job;
    const { body: fields, applied } = changeBody(input.fields, steps);
    if (applied.length === 0) return undefined;
    const changed = { ...input, fields };
    try {
      const read = operation.summarizeRequest(changed, model);
      return { input: changed, summary: read, applied, fault: undefined };
    } catch (error) {
      if (!(error instanceof RequestInvalid)) throw error;
      return { input: changed, summary, applied, fault: error };
    }
  }

  get promptTokens(): number {
    const { prompt } = this.summary;
    // Cached, because it is queried for each limited channel, repeatedly while all of them are full.
    if (this.estimated?.prompt !== prompt)
      this.estimated = { prompt, tokens: leastPromptTokens(estimatePromptTokens(prompt), prompt) };
    return this.estimated.tokens;
  }

  holdQuota(price: Price, defaultTokens: number, _channel: UpstreamTarget, model: string): HoldQuota {
    const { units, maxOutputTokens, answers = 1, prompt } = this.summary;
    const promptTokens = maxPromptTokens(prompt, model);
    if (units) {
      // Upstreams may report tokens instead, which are then charged.
      const { read, written } = maxUnitTokens(units);
      const most = priceHold(price, promptTokens + read, written, { hasSound: true });
      return { least: priceUnits(price, units), most };
    }
    const least = maxOutputTokens ?? defaultTokens * answers;
    const most = maxOutputTokens ?? Math.max(defaultTokens, boundsOf(model).output) * answers;
    return {
      least: priceHold(price, this.promptTokens, least),
      most: priceHold(price, promptTokens, most, { hasSound: true }),
    };
  }

  buildCall(channel: UpstreamTarget, model: string): UpstreamRequest | Promise<UpstreamRequest> {
    const { changed, input } = this;
    const { operation, rawBody, form, alias, summary } = this.job;
    if (changed?.fault) throw changed.fault;
    this.takeCopies(channel);
    const { isStream } = summary;
    if (!changed)
      return buildOperationCall(channel, { operation, input, rawBody, form, alias, isStream }, model);
    const call = buildOperationCall(channel, { operation, input, rawBody: undefined, form, isStream }, model);
    const { applied } = changed;
    return "then" in call ? call.then((written) => ({ ...written, applied })) : { ...call, applied };
  }

  /** A translated request holds its files once more, as base64. @throws MemoryRefused without memory for them. */
  private takeCopies(channel: UpstreamTarget): void {
    const { input, memory, operation } = this.job;
    if (!upstreamOperation(channel, operation.name)?.translation || input.uploads.length === 0) return;
    const refusal = memory.take(COPIES * uploadedBytes(input));
    if (refusal) throw new MemoryRefused(refusal);
  }

  followUp(channel: UpstreamTarget): FollowUp | undefined {
    const how = upstreamOperation(channel, this.job.operation.name)?.followUp;
    if (!how) return undefined;
    const { input, summary } = this;
    const most = summary.units?.kind === "images" ? summary.units.count : 0;
    return {
      taskPath: (body) => {
        const path = how.taskPath(body);
        return path === undefined ? undefined : upstreamPath(channel, path);
      },
      picturesToFetch: (body) => how.picturesToFetch(body, input).slice(0, most),
    };
  }

  errorIn(channel: UpstreamTarget, body: unknown): unknown {
    return upstreamOperation(channel, this.job.operation.name)?.translation?.errorIn?.(body) ?? body;
  }

  openStream(channel: UpstreamTarget, contentType: string): AnswerStream | undefined {
    const { summary } = this;
    const { operation } = this.job;
    const { protocol } = channel;
    const translation = upstreamOperation(channel, operation.name)?.translation;
    // Bytes and events of a vendor's own shape mean nothing to the client.
    if (translation) return this.openSound(translation, protocol, contentType);
    const isSound = operation.isBinary && !isTextual(contentType);
    if (isSound) return new BytesStream(contentType, (body) => protocol.readError(200, {}, body));
    if (!summary.isStream || !operation.events || isJsonType(contentType)) return undefined;
    const isOneImage = summary.units?.kind === "images" && summary.units.count === 1;
    return new PassStream(operation.events, summary.wantsUsageChunk, isOneImage);
  }

  private openSound(
    { sound }: OperationTranslation,
    { readError }: UpstreamTarget["protocol"],
    contentType: string,
  ): SoundStream | undefined {
    if (!sound || !EVENTS_TYPE.test(contentType)) return undefined;
    const isRaw = this.input.fields.response_format === "pcm";
    const shape = this.summary.isStream ? "events" : isRaw ? "pcm" : "wav";
    return new SoundStream(sound, shape, (event) => readError(200, {}, event));
  }

  isReportedAtEnd(_channel: UpstreamTarget, _model: string, told: Usage): boolean {
    return this.job.operation.events?.isReportedAtEnd === true && told.inputTokens === undefined;
  }

  countStream(
    stream: ReceivedStream,
    model: string,
    isInterrupted: boolean,
    done: (counts: Counts) => void,
  ): void {
    const { input, summary } = this;
    const { operation } = this.job;
    const content = stream.delivered();
    if (stream instanceof SoundStream) {
      this.count(stream.charge(input, summary), content, model, isInterrupted, done);
      return;
    }
    const { text, images } = content;
    const delivered = { usage: stream.usage, text, images, isInterrupted };
    const reading = operation.events?.readStream(delivered, input, summary) ?? {
      ...delivered,
      units: summary.units,
    };
    this.count(reading, { ...content, text: reading.text }, model, isInterrupted, done);
  }

  readWhole(
    channel: UpstreamTarget,
    bytes: Buffer,
    answer: unknown,
    contentType: string,
  ): WholeAnswer | undefined {
    const { input, summary } = this;
    const { operation, model, alias = model } = this.job;
    const translation = upstreamOperation(channel, operation.name)?.translation;
    const body = translation ? translation.readBody(answer, input, alias) : answer;
    // Few operations look at more than the JSON, and pictures are many megabytes.
    const read = {
      body,
      get text() {
        return bytes.toString("utf8");
      },
    };
    // What the translation could not read is no answer, even if it looks like one of the operation's own.
    const isUnread = translation !== undefined && operation.writeAnswer !== undefined && body === answer;
    const found = isUnread ? undefined : operation.readAnswer(read, input, summary);
    if (!found) return undefined;
    const reading = { ...found, usage: { ...found.usage, servedModel: servedModelOf(answer) } };
    return {
      count: (upstreamModel, done) => this.count(reading, contentOf(reading), upstreamModel, false, done),
      encode: ({ promptTokens, completionTokens, units }) => {
        if (translation && operation.writeAnswer) {
          const tokens = units === undefined ? { input: promptTokens, output: completionTokens } : undefined;
          const { body: written, ...rest } = operation.writeAnswer(body, input, summary, found, tokens);
          return {
            ...rest,
            body:
              typeof written === "string"
                ? written
                : Buffer.from(written.buffer, written.byteOffset, written.byteLength),
          };
        }
        if (summary.isStream && operation.events?.encodeWhole) {
          return { contentType: undefined, body: operation.events.encodeWhole(body) };
        }
        if (translation) {
          const told = this.stamped(body);
          const isByTokens = units === undefined && isRecord(told);
          return encodeJson(
            isByTokens ? withCounts(told, promptTokens, completionTokens) : told,
            bytes.length,
          );
        }
        if (operation.isBinary) return { contentType: "application/octet-stream", body: bytes };
        return {
          contentType: isJsonType(contentType)
            ? "application/json"
            : isRecord(body) && !TEXT_TYPE.test(contentType)
              ? "application/json"
              : textType(contentType),
          body: bytes,
        };
      },
    };
  }

  /** Sets the time of an answer whose shape has one. */
  private stamped(body: unknown): unknown {
    const isUnstamped = isRecord(body) && "created" in body && body.created === undefined;
    return isUnstamped ? { ...body, created: toUnixSeconds(this.ports.now()) } : body;
  }

  private count(
    { usage, units, calls }: AnswerReading,
    content: DeliveredContent,
    model: string,
    isInterrupted: boolean,
    done: (counts: Counts) => void,
  ): void {
    if (units) {
      const { servedModel } = usage;
      done({ ...NO_TOKENS, units, ...(servedModel && { usage: { ...NO_USAGE, servedModel } }) });
      return;
    }
    countUsage(
      this.ports.tokenCounter,
      {
        model,
        userId: this.job.key.user.id,
        usage,
        prompt: () => this.summary.prompt,
        delivered: () => content,
        isInterrupted,
      },
      calls === undefined ? done : (counts) => done({ ...counts, calls }),
    );
  }
}
