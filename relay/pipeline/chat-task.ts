import type { DeliveredContent } from "@tollgate/contract/relay/content";
import type { Extras } from "@tollgate/contract/relay/extras";
import { PromptText } from "@tollgate/contract/relay/prompt-text";
import type { AnswerStamp, ClientProtocol, RequestSummary } from "@tollgate/contract/relay/protocol";
import type { ChatRequest } from "@tollgate/contract/relay/request";
import type { Usage } from "@tollgate/contract/relay/usage";
import { toUnixSeconds } from "@tollgate/contract/values/time";
import { leastPromptTokens, promptTokensOf } from "@tollgate/metering/estimate";
import { worstCalls, worstFactor } from "@tollgate/metering/extra-charges";
import { type Price, priceHold } from "@tollgate/metering/price";
import { UPSTREAM_PROTOCOLS } from "@tollgate/protocols/protocols";
import { isRecord, readArray } from "@tollgate/protocols/shared/json/json-values";
import { parseInSteps } from "@tollgate/protocols/shared/json/parse-in-steps";
import { stringifyInSteps, writeArguments } from "@tollgate/protocols/shared/json/stringify-in-steps";
import { findModelRule } from "@tollgate/protocols/shared/request/openai-model-rules";
import { cutResponse, StopCutter, usableStops } from "@tollgate/protocols/shared/request/stop-sequences";
import { readOutputBounds } from "@tollgate/protocols/shared/usage/output-bounds";
import { readsEveryLimit } from "@tollgate/vendors/vendors";
import { inSteps } from "../in-steps";
import type { RelayPorts, UpstreamRequest, UpstreamTarget } from "../ports";
import { conversationOf, isCacheable, PREFIX_CHARACTERS, sessionOf } from "../routing/sticky-sessions";
import { resolveTarget } from "../routing/upstream-target";
import type { AnswerStream, ReceivedStream } from "./answer-stream";
import { buildCall, nameForUpstream, type Screen } from "./build-call";
import { changeBody } from "./change-body";
import { type ChangedRequest, changeRequest } from "./changed-request";
import { countUsage, type Uncounted } from "./count-usage";
import type { ExchangeJob } from "./exchange";
import { isJsonType } from "./is-json-type";
import { PassStream } from "./pass-stream";
import { mediaAddresses, type PrefetchedMedia, prefetchMedia, withMediaData } from "./prefetch-media";
import type { HoldQuota } from "./reserve-quota";
import { refuseExtras, screenExtras, withoutPaths } from "./screen-extras";
import { screenFields } from "./screen-fields";
import { type Counts, estimatePromptTokens } from "./settle";
import type { Task, WholeAnswer } from "./task";
import { TranslateStream } from "./translate-stream";
import { contentOf, contentOfBytes, encodeChatAnswer } from "./whole-chat-answer";
import { boundsOf, mostPromptTokens } from "./worst-case";

/** A request in one of the chat protocols. */
export interface ChatJob extends ExchangeJob {
  client: ClientProtocol;
  rawBody: Uint8Array;
  /** The parsed `rawBody`; the task releases it once it is sent, and parses it again if necessary. */
  body: Record<string, unknown> | undefined;
  summary: RequestSummary;
}

/** A body that is larger is not kept parsed while its answer takes: it holds several times its bytes. */
const LARGE_BYTES = 64 * 1024;

/** From this size on, a body is read and written in steps. */
const IN_STEPS_BYTES = 2 * 1024 * 1024;
/** A longer prompt is estimated, which the counter would do anyway. */
const MAX_COUNTED_LENGTH = 2 * 1024 * 1024;

/** A longer prompt is not counted for the beginning of a stream alone. */
const MAX_COUNTED_AHEAD_LENGTH = 256 * 1024;

/** Some protocols write no request without a turn of the user's. */
const SMALLEST_TURNS: ChatRequest["turns"] = [{ role: "user", parts: [{ kind: "text", text: "." }] }];

const utf8 = new TextDecoder();
const NOTHING = new Uint8Array();

/** A body without its conversation; tools stay, those in the items of the Responses API too. */
const asidesOf = ({ messages: _, contents: __, input, ...rest }: Record<string, unknown>) => ({
  ...rest,
  input: readArray(input).filter((item) => isRecord(item) && item.tools !== undefined),
});

/** A prompt to be kept until it may have to be counted. */
const toBeCounted = (prompt: PromptText): PromptText => {
  if (prompt.length <= MAX_COUNTED_LENGTH) return prompt;
  const { messages, images, files, fileTokens, likelyFileTokens } = prompt;
  const tokens = estimatePromptTokens(prompt) + prompt.tokens;
  return new PromptText([], messages, images, tokens, files, fileTokens, likelyFileTokens);
};

function* readInSteps(bytes: Buffer): Generator<undefined, unknown> {
  const parsed = yield* parseInSteps(bytes);
  if (!("value" in parsed)) return undefined;
  yield* writeArguments(parsed.value);
  return parsed.value;
}

/** A chat, in any protocol on either side. */
export class ChatTask implements Task {
  model: string;
  readonly operation = undefined;
  readonly writesText = true;
  readonly isStream: boolean;
  private readPrompt: PromptText | undefined;
  /** An estimate for the hold; the charge uses the upstream's count, or ours. */
  readonly promptTokens: number;
  private readonly hasMedia: boolean;
  /** Images and documents that were fetched for upstreams that take no addresses. */
  private media: PrefetchedMedia | undefined;
  private parsed: ChatRequest | undefined;
  /** Released large body: its fields other than the conversation, and the prompt's text for counting. */
  private asides: Record<string, unknown> | undefined;
  /** The same for the client's own body, when a channel receives a changed one. */
  private ownAsides: Record<string, unknown> | undefined;
  private countedPrompt: PromptText | undefined;
  /** The prompt's tokens for the beginning of a stream; undefined while they are not counted. */
  private tokensAhead: number | undefined;
  /** The conversation's name, once computed: a fallback model needs it when the body has already been released. */
  private conversation: string | undefined;
  /** The request after the current channel's overrides; undefined when it stays unchanged. */
  private changed: ChangedRequest | undefined;
  /** The client's stop sequences, when the upstream's answer must be cut at them here. */
  private stops: readonly string[] | undefined;
  /** The extras requested from the upstream, beyond tokens. */
  private extras: Extras | undefined;

  constructor(
    private readonly ports: RelayPorts,
    private readonly job: ChatJob,
  ) {
    this.model = job.summary.model;
    this.isStream = job.summary.isStream;
    const { prompt } = this;
    this.hasMedia = prompt.images > 0;
    this.promptTokens = leastPromptTokens(estimatePromptTokens(prompt), prompt);
  }

  /** Whether reading and writing it takes too long for one turn of the event loop. */
  private get isLarge(): boolean {
    return this.job.rawBody.byteLength > IN_STEPS_BYTES;
  }

  /** The client's own body. */
  private get ownBody(): Record<string, unknown> {
    this.job.body ??= this.readOwnBody();
    return this.job.body;
  }

  /** The same, without keeping it. */
  private readOwnBody(): Record<string, unknown> {
    const { body, rawBody } = this.job;
    return body ?? this.named(JSON.parse(utf8.decode(rawBody)) as Record<string, unknown>);
  }

  /** A request that only lists models uses the first of them, also when it is parsed again. */
  private named(body: Record<string, unknown>): Record<string, unknown> {
    const { client, summary } = this.job;
    if (body.model === undefined && !client.requireOneModel) body.model = summary.model;
    return body;
  }

  /** The body as the channel is sent it, in the client's protocol. */
  private get body(): Record<string, unknown> {
    const { changed } = this;
    if (!changed) return this.ownBody;
    changed.body ??= changed.apply(this.ownBody);
    return changed.body;
  }

  /** The same, without keeping it. */
  private readBody(): Record<string, unknown> {
    const { changed } = this;
    return changed ? (changed.body ?? changed.apply(this.readOwnBody())) : this.readOwnBody();
  }

  private get summary(): RequestSummary {
    return this.changed?.summary ?? this.job.summary;
  }

  private get prompt(): PromptText {
    this.readPrompt ??= this.job.client.promptText(this.body);
    return this.readPrompt;
  }

  /** Another try, or a count of the prompt, reads it again. */
  private forgetBody(): void {
    const { body } = this.job;
    if (body && this.isLarge) {
      this.conversation ??= conversationOf(body, this.prompt.beginning(PREFIX_CHARACTERS));
      this.asides ??= asidesOf(this.body);
      this.ownAsides ??= this.changed ? asidesOf(body) : this.asides;
      this.countedPrompt ??= toBeCounted(this.prompt);
    }
    this.job.body = undefined;
    if (this.changed) this.changed.body = undefined;
    this.parsed = undefined;
    this.readPrompt = undefined;
  }

  readAgain(): Promise<void> | undefined {
    const { job } = this;
    if (job.body || !this.isLarge) return undefined;
    const { buffer, byteOffset, byteLength } = job.rawBody;
    return inSteps(readInSteps(Buffer.from(buffer, byteOffset, byteLength))).then((value) => {
      // It was read before, and found in order.
      if (value !== undefined) job.body = this.named(value as Record<string, unknown>);
    });
  }

  isOffered(): boolean {
    return true;
  }

  useModel(model: string): void {
    this.model = model;
  }

  /** Format of OpenRouter: https://openrouter.ai/docs/features/model-routing#the-models-parameter */
  listedModels(): readonly string[] {
    const { models } = this.ownAsides ?? this.readOwnBody();
    return readArray(models).filter((model): model is string => typeof model === "string");
  }

  session(keyId: number): string | undefined {
    if (!isCacheable(this.promptTokens)) return undefined;
    this.conversation ??= conversationOf(this.ownBody, this.prompt.beginning(PREFIX_CHARACTERS));
    return sessionOf(keyId, this.model, this.conversation);
  }

  resolveTarget(channel: UpstreamTarget, model: string): UpstreamTarget {
    const target = resolveTarget(channel, this.job.client.name, model);
    if (target.overrides !== undefined || this.changed !== undefined) this.takeOverrides(target);
    return target;
  }

  /** Applies this channel's overrides to the request from now on. */
  private takeOverrides(target: UpstreamTarget): void {
    const { client, summary } = this.job;
    const before = this.changed;
    this.changed = changeRequest(client, target, () => this.ownBody, summary);
    if (this.changed === before) return;
    this.readPrompt = undefined;
    this.parsed = undefined;
    this.asides = undefined;
    this.countedPrompt = undefined;
  }

  holdQuota(price: Price, defaultTokens: number, channel: UpstreamTarget, model: string): HoldQuota {
    const written = this.writtenAnew(channel, model);
    const { least, most, answers } = this.outputSent(channel, model, defaultTokens, written);
    const writesCache = price.areWritesDearer && this.writesCache(channel);
    const extras = this.extrasSent(channel, model, written);
    const factor = extras && worstFactor(price.extras, extras);
    const calls = extras && worstCalls(price.extras, extras);
    const surcharges = { writesCache, hasSound: true, factor, calls };
    // No tokenizer makes more tokens than there are bytes.
    const added = written ? (channel.overrides?.bodyBytes ?? 0) : 0;
    const mostPrompt = mostPromptTokens(this.prompt, model) + added;
    return {
      least: priceHold(price, this.promptTokensSent, least * answers, { writesCache, factor }),
      most: priceHold(price, mostPrompt, most * answers, surcharges),
    };
  }

  /** Whether the client's body is sent to a channel in its own protocol. */
  private isPassing({ protocol }: UpstreamTarget): boolean {
    return protocol.name === this.job.client.name && protocol.passThrough !== undefined;
  }

  /** A quick estimate of the prompt, including the instructions that a channel adds. */
  private get promptTokensSent(): number {
    const { changed, prompt } = this;
    return changed ? leastPromptTokens(estimatePromptTokens(prompt), prompt) : this.promptTokens;
  }

  /**
   * The request in another protocol after a channel's overrides, without its conversation, which they do not change;
   * undefined without overrides.
   */
  private writtenAnew(channel: UpstreamTarget, model: string): Record<string, unknown> | undefined {
    const steps = channel.overrides?.body;
    if (steps === undefined || this.isPassing(channel)) return undefined;
    return changeBody(this.translated(channel, model), steps).body;
  }

  /** The request in another protocol, without its conversation; empty when that protocol cannot express it. */
  private translated(channel: UpstreamTarget, model: string): Record<string, unknown> {
    try {
      const request = { ...this.parse(), turns: SMALLEST_TURNS, model: nameForUpstream(channel, model) };
      const { body } = channel.protocol.buildRequest(request, channel.fields);
      return isRecord(body) ? body : {};
    } catch {
      // `buildCall` reports the fault later; nothing is sent.
      return {};
    }
  }

  /**
   * The requested extras that are billed apart from tokens. A limit set by the client counts only if the upstream's own
   * body contains it.
   */
  private extrasSent(
    channel: UpstreamTarget,
    model: string,
    written: Record<string, unknown> | undefined,
  ): Extras | undefined {
    const { extras } = channel.protocol;
    if (written) return extras?.(written, model);
    const asked = UPSTREAM_PROTOCOLS[this.job.client.name].extras?.(this.body, model);
    if (asked === undefined || this.isPassing(channel)) return asked;
    return extras?.(this.translated(channel, model), model);
  }

  /**
   * Maximum length of one answer: the limit sent to the upstream, which may differ from the client's, and the worst
   * case.
   * @param defaultTokens used for an answer without a limit. @param written see `writtenAnew`.
   */
  private outputSent(
    channel: UpstreamTarget,
    model: string,
    defaultTokens: number,
    written: Record<string, unknown> | undefined,
  ): { least: number; most: number; answers: number } {
    const { bounds, maxOutputTokens, choices } = this.summary;
    const most = Math.max(boundsOf(model).output, defaultTokens);
    if (this.isPassing(channel)) {
      const least = bounds.tokens ?? maxOutputTokens ?? defaultTokens;
      const told = bounds.tokens ?? (readsEveryLimit(channel.origin) ? maxOutputTokens : undefined);
      return { least, most: told ?? Math.max(most, least), answers: bounds.answers };
    }
    if (written) {
      const told = readOutputBounds(written, true);
      // The upstream's default is unknown when the limit was removed.
      const sent = told.tokens === 0 ? undefined : told.tokens;
      return { least: sent ?? defaultTokens, most: sent ?? most, answers: Math.max(choices, told.answers) };
    }
    const sent = this.limitSent(channel, model);
    const least =
      maxOutputTokens === undefined ? defaultTokens : (sent ?? Math.max(maxOutputTokens, defaultTokens));
    return { least, most: sent ?? Math.max(most, least), answers: choices };
  }

  /** The limit of one answer in a request of another protocol; undefined without a limit. */
  private limitSent(channel: UpstreamTarget, model: string): number | undefined {
    try {
      const request = { ...this.parse(), model: nameForUpstream(channel, model) };
      return channel.protocol.outputLimit(request, channel.fields);
    } catch {
      // `buildCall` reports the fault later; nothing is sent.
      return this.summary.maxOutputTokens;
    }
  }

  /** The request for an upstream of another protocol, parsed once. @throws RequestInvalid */
  private parse(): ChatRequest {
    this.parsed ??= this.job.client.parseRequest(this.body, this.summary);
    return this.parsed;
  }

  /** Whether the request asks to cache part of the prompt (Anthropic, Qwen). */
  private writesCache({ overrides }: UpstreamTarget): boolean {
    const { rawBody } = this.job;
    if (overrides?.writesCache) return true;
    return Buffer.from(rawBody.buffer, rawBody.byteOffset, rawBody.byteLength).includes('"cache_control"');
  }

  gather({ protocol }: UpstreamTarget): Promise<void> | undefined {
    const { client } = this.job;
    if (protocol.name === client.name || !(protocol.needsImageData || protocol.needsFileData))
      return undefined;
    const known = this.media;
    const addresses = mediaAddresses(this.parse(), protocol).filter((address) => !known?.has(address));
    if (addresses.length === 0) return undefined;
    const left = new AbortController();
    this.job.response.on("close", () => left.abort());
    return prefetchMedia(this.ports.fetchMedia, addresses, this.job.memory, left.signal).then((media) => {
      this.media = known ? new Map([...known, ...media]) : media;
    });
  }

  buildCall(
    channel: UpstreamTarget,
    model: string,
    price: Price,
  ): UpstreamRequest | Promise<UpstreamRequest> {
    const { changed, summary } = this;
    const { client, rawBody } = this.job;
    if (changed?.fault) throw changed.fault;
    this.extras = undefined;
    this.stops = undefined;
    const screenBilled: Screen = (given, asked) => {
      // `route` belongs to `models`, which the gateway interprets itself.
      const body = given.route === "fallback" ? withoutPaths(given, [["route"]]) : given;
      const extras = channel.protocol.extras?.(body, asked);
      if (!extras) return body;
      const { passing, leftOut } = screenExtras(extras, price);
      this.extras = passing;
      if (channel.overrides?.passesBody && this.isPassing(channel)) {
        // A list of models is meant for the gateway, not for the upstream.
        const asked = leftOut.filter(([field]) => field !== "models");
        if (asked.length > 0) refuseExtras(asked);
      }
      return leftOut.length === 0 ? body : withoutPaths(body, leftOut);
    };
    let ignored: readonly string[] | undefined;
    const screen: Screen = (given, asked) => {
      const body = screenBilled(given, asked);
      if (!this.isPassing(channel)) ignored = this.screenFields(channel, body);
      return body;
    };
    const parse = (): ChatRequest => {
      const request = this.parse();
      this.stops = usableStops(request.stopSequences);
      // Too many stop sequences are refused before anything is sent.
      if (this.stops) new StopCutter(this.stops);
      return this.media ? withMediaData(request, this.media) : request;
    };
    let unwritten: unknown;
    const writeLater = (value: unknown): Uint8Array => {
      unwritten = value;
      return NOTHING;
    };
    const write = this.isLarge ? writeLater : JSON.stringify;
    const bytes = changed ? undefined : rawBody;
    const built = buildCall(client, channel, bytes, this.body, model, summary, screen, parse, write);
    const applied = changed && [...changed.applied, ...(built.applied ?? [])];
    const call =
      applied || ignored
        ? { ...built, ...(applied ? { applied } : {}), ...(ignored ? { ignored } : {}) }
        : built;
    if (client.tellsPromptFirst && summary.isStream && !this.isPassing(channel)) this.countAhead(model);
    if (rawBody.byteLength > LARGE_BYTES) this.forgetBody();
    if (unwritten === undefined) return call;
    return inSteps(stringifyInSteps(unwritten)).then((body) => ({ ...call, body }));
  }

  /** Counts the prompt while the upstream works, for a stream that starts with its tokens. */
  private countAhead(model: string): void {
    const { prompt } = this;
    if (this.tokensAhead !== undefined || prompt.length > MAX_COUNTED_AHEAD_LENGTH) return;
    const onTokens = (tokens: number): void => {
      this.tokensAhead = promptTokensOf(tokens, prompt);
    };
    this.ports.tokenCounter.count(model, prompt.text, onTokens, this.job.key.user.id, "information");
  }

  /** @returns the fields left out; undefined for none. @throws RequestInvalid */
  private screenFields({ protocol }: UpstreamTarget, built: unknown): readonly string[] | undefined {
    const { client, key } = this.job;
    const unsupported = key.unsupportedFields ?? this.ports.unsupportedFields?.() ?? "ignore";
    const ignored = screenFields(client, this.body, protocol, built, unsupported);
    return ignored.length === 0 ? undefined : ignored;
  }

  openStream({ protocol }: UpstreamTarget, contentType: string): AnswerStream | undefined {
    const { client, summary } = this.job;
    if (!summary.isStream || isJsonType(contentType)) return undefined;
    return protocol.name === client.name && protocol.passThrough
      ? new PassStream(protocol.passThrough, summary.wantsUsageChunk)
      : new TranslateStream(
          protocol.createStreamReader(),
          (write) => client.createStreamWriter(this.stamp(), summary.wantsUsageChunk, write),
          protocol.createDecoder?.(),
          this.job.rawBody.byteLength,
          this.stops && new StopCutter(this.stops),
        );
  }

  isToldAtEnd(channel: UpstreamTarget, model: string, told: Usage): boolean {
    // Only the upstream knows the tokens of pictures, recordings and files.
    if (this.hasMedia && told.inputTokens === undefined) return true;
    return this.mayHideReasoning(channel, model) || this.hasPrediction(channel);
  }

  /** Rejected prediction tokens are billed like written ones. */
  private hasPrediction({ protocol }: UpstreamTarget): boolean {
    return protocol.name === this.job.client.name && isRecord((this.asides ?? this.readBody()).prediction);
  }

  private mayHideReasoning({ protocol }: UpstreamTarget, model: string): boolean {
    if (!protocol.mayHideReasoning) return false;
    const {
      reasoning_effort: effort,
      reasoning,
      reasoning_format: format,
      include_reasoning: isIncluded,
    } = this.asides ?? this.readBody();
    const asked = isRecord(reasoning) ? (reasoning.effort ?? effort) : effort;
    if (asked === "none") return false;
    // Hosts of open models can leave the reasoning out of the answer (OpenRouter, Groq, vLLM).
    if (isIncluded === false || format === "hidden" || (isRecord(reasoning) && reasoning.exclude === true))
      return true;
    const rule = findModelRule(model);
    return rule.isReasoning || rule.hidesReasoning === true;
  }

  countStream(
    stream: ReceivedStream,
    model: string,
    isInterrupted: boolean,
    done: (counts: Counts) => void,
  ): void {
    const delivered = (): DeliveredContent => stream.delivered();
    this.count(
      {
        model,
        userId: this.job.key.user.id,
        usage: stream.usage,
        prompt: () => this.countedPrompt ?? this.prompt,
        delivered,
        isInterrupted,
      },
      done,
    );
  }

  private count(uncounted: Uncounted, done: (counts: Counts) => void): void {
    const { extras } = this;
    countUsage(this.ports.tokenCounter, uncounted, extras ? (counts) => done({ ...counts, extras }) : done);
  }

  readWhole({ protocol }: UpstreamTarget, bytes: Buffer, body: unknown): WholeAnswer | undefined {
    const { client, summary } = this.job;
    if (!protocol.isAnswer(body)) return undefined;
    const usage = protocol.readUsage(body);
    const countAnswer =
      (delivered: () => DeliveredContent): WholeAnswer["count"] =>
      (model, done) =>
        this.count(
          {
            model,
            userId: this.job.key.user.id,
            usage,
            prompt: () => this.countedPrompt ?? this.prompt,
            delivered,
            isInterrupted: false,
          },
          done,
        );
    if (protocol.name === client.name && !summary.isStream) {
      return {
        count: countAnswer(() => contentOfBytes(protocol, body)),
        encode: () => ({ contentType: "application/json", body: bytes }),
      };
    }
    const response = protocol.readResponse(body);
    if (!response) return undefined;
    return {
      count: countAnswer(() => contentOf(response)),
      encode: (counts) => {
        // The client must see the counts that are charged.
        const told = { ...usage, inputTokens: counts.promptTokens, outputTokens: counts.completionTokens };
        const cut = this.stops ? cutResponse(response, this.stops) : response;
        // Some shapes repeat the request.
        const weight = bytes.length + this.job.rawBody.byteLength;
        return encodeChatAnswer({ ...cut, usage: told }, client, summary, this.stamp(), weight);
      },
    };
  }

  private stamp(): AnswerStamp {
    const { requestId } = this.job;
    // The client's own messages, without the channel's additions.
    const readBody = (): Record<string, unknown> => this.ownAsides ?? this.readOwnBody();
    const tokens = (): number => this.tokensAhead ?? this.promptTokens;
    return {
      id: requestId,
      createdAt: toUnixSeconds(this.ports.now()),
      model: this.model,
      requestId,
      get promptTokens() {
        return tokens();
      },
      // Few shapes repeat it, and a stream's stamp stays for as long as its answer takes.
      get request() {
        return readBody();
      },
    };
  }
}
