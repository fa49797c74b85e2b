import type { DeliveredContent } from "@tollgate/contract/relay/content";
import type { Extras } from "@tollgate/contract/relay/extras";
import type { AnswerStamp } from "@tollgate/contract/relay/protocol";
import type { ChatRequest } from "@tollgate/contract/relay/request";
import type { Usage } from "@tollgate/contract/relay/usage";
import { toUnixSeconds } from "@tollgate/contract/values/time";
import { promptTokensOf } from "@tollgate/metering/estimate";
import type { Price } from "@tollgate/metering/price";
import { servedModelOf } from "@tollgate/protocols/shared/answer/served-model";
import { isRecord, readArray } from "@tollgate/protocols/shared/json/json-values";
import { stringifyInSteps } from "@tollgate/protocols/shared/json/stringify-in-steps";
import { mayThink } from "@tollgate/protocols/shared/request/may-think";
import { findModelRule } from "@tollgate/protocols/shared/request/openai-model-rules";
import { cutResponse, StopCutter, usableStops } from "@tollgate/protocols/shared/request/stop-sequences";
import {
  fitToolNames,
  type OwnToolNames,
  withOwnNames,
  writeOwnNames,
} from "@tollgate/protocols/shared/tools/tool-names";
import { type NamedChat, readNamedChat, resolveChat } from "../admission/resolve-model";
import { inSteps } from "../in-steps";
import type { UpstreamTarget } from "../ports/directory";
import type { RelayPorts } from "../ports/relay-ports";
import type { UpstreamRequest } from "../ports/transport";
import { isCacheable, sessionOf } from "../routing/sticky-sessions";
import type { AnswerStream, ReceivedStream } from "./answer-stream";
import { buildCall, nameForUpstream, type Screen } from "./build-call";
import { ChatBody, type ChatJob } from "./chat-body";
import { holdForChat } from "./chat-hold";
import { countUsage, type Uncounted } from "./count-usage";
import { isJsonType } from "./is-json-type";
import { CACHE_MARKS, markCache, wantsCacheMarks } from "./mark-cache";
import { PassStream } from "./pass-stream";
import { mediaAddresses, type PrefetchedMedia, prefetchMedia, withMediaData } from "./prefetch-media";
import type { HoldQuota } from "./reserve-quota";
import { refuseExtras, screenExtras, withoutPaths } from "./screen-extras";
import { screenFields } from "./screen-fields";
import type { Counts } from "./settle";
import type { Task, WholeAnswer } from "./task";
import { TranslateStream } from "./translate-stream";
import { contentOf, contentOfBytes, encodeChatAnswer } from "./whole-chat-answer";

/** A body that is larger is not kept parsed while its answer takes: it holds several times its bytes. */
const LARGE_BYTES = 64 * 1024;

/** A longer prompt is not counted for the beginning of a stream alone. */
const MAX_COUNTED_AHEAD_LENGTH = 256 * 1024;

const NOTHING = new Uint8Array();

/**
 * Names a call's changes.
 * @param before made before it was built. @param after made to what was built. @param ignored fields left out.
 */
const withChanges = (
  built: UpstreamRequest,
  before: readonly string[] | undefined,
  after: readonly string[] | undefined,
  ignored: readonly string[] | undefined,
): UpstreamRequest => {
  const isChanged = before !== undefined || after !== undefined;
  if (!isChanged && ignored === undefined) return built;
  const applied = [...(before ?? []), ...(built.applied ?? []), ...(after ?? [])];
  return { ...built, ...(isChanged ? { applied } : {}), ...(ignored ? { ignored } : {}) };
};

/** A chat, in any protocol on either side. */
export class ChatTask implements Task {
  model: string;
  effortName: string | undefined;
  /** The model's name in answers. */
  private shownModel: string;
  readonly operation = undefined;
  readonly writesText = true;
  readonly isStream: boolean;
  /** An estimate for the hold; the charge uses the upstream's count, or ours. */
  readonly promptTokens: number;
  private readonly body: ChatBody;
  private readonly hasMedia: boolean;
  /** Images and documents that were fetched for upstreams that take no addresses. */
  private media: PrefetchedMedia | undefined;
  /** The prompt's tokens for the beginning of a stream; undefined while they are not counted. */
  private tokensAhead: number | undefined;
  /** The client's stop sequences, when the upstream's answer must be cut at them here. */
  private stops: readonly string[] | undefined;
  /** The client's names of the tools that the upstream was told other names of. */
  private ownNames: OwnToolNames | undefined;
  /** The extras requested from the upstream, beyond tokens. */
  private extras: Extras | undefined;

  constructor(
    private readonly ports: RelayPorts,
    private readonly job: ChatJob,
  ) {
    this.model = job.summary.model;
    this.shownModel = job.alias ?? this.model;
    this.effortName = job.effort?.name;
    this.isStream = job.summary.isStream;
    this.body = new ChatBody(job);
    this.hasMedia = this.body.prompt.images > 0;
    this.promptTokens = this.body.promptTokens;
  }

  readAgain(): Promise<void> | undefined {
    return this.body.readAgain();
  }

  isOffered(): boolean {
    return true;
  }

  useModel({ model, effort }: NamedChat): void {
    this.model = model;
    this.shownModel = model;
    // The effort of the first name counts for that model alone.
    this.effortName = effort?.name;
    this.body.useEffort(effort);
  }

  /** Format of OpenRouter: https://openrouter.ai/docs/features/model-routing#the-models-parameter */
  listedModels(site: readonly string[]): readonly NamedChat[] {
    const { directory } = this.ports;
    const { key } = this.job;
    const own = readArray(this.body.ownFields.models).filter((name) => typeof name === "string");
    if (own.length > 0) return own.map((name) => resolveChat(directory, key, name));
    return site.map((name) => readNamedChat(directory, key, name));
  }

  session(keyId: number): string | undefined {
    if (!isCacheable(this.promptTokens)) return undefined;
    return sessionOf(keyId, this.model, this.body.nameConversation());
  }

  resolveTarget(channel: UpstreamTarget, model: string): UpstreamTarget {
    return this.body.resolveTarget(channel, model);
  }

  holdQuota(price: Price, defaultTokens: number, channel: UpstreamTarget, model: string): HoldQuota {
    return holdForChat({ job: this.job, body: this.body, channel, model }, price, defaultTokens);
  }

  gather({ protocol }: UpstreamTarget): Promise<void> | undefined {
    const { client } = this.job;
    if (protocol.name === client.name || !(protocol.needsImageData || protocol.needsFileData))
      return undefined;
    const known = this.media;
    const addresses = mediaAddresses(this.body.parse(), protocol).filter((address) => !known?.has(address));
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
    const { changed, summary } = this.body;
    const { client, rawBody } = this.job;
    if (changed?.fault) throw changed.fault;
    this.extras = undefined;
    this.stops = undefined;
    this.ownNames = undefined;
    let marks: readonly string[] | undefined;
    const mark = (body: Record<string, unknown>): Record<string, unknown> => {
      if (!wantsCacheMarks(this.job.key, channel, this.body.promptTokensSent)) return body;
      const marked = markCache(body);
      if (marked !== body) marks = [CACHE_MARKS];
      return marked;
    };
    const screenBilled: Screen = (given, asked) => {
      // `route` belongs to `models`, which the gateway interprets itself.
      const body = given.route === "fallback" ? withoutPaths(given, [["route"]]) : given;
      const extras = channel.protocol.extras?.(body, asked);
      if (!extras) return body;
      const { passing, leftOut } = screenExtras(extras, price);
      this.extras = passing;
      if (channel.overrides?.passesBody && this.body.isPassing(channel)) {
        // A list of models is meant for the gateway, not for the upstream.
        const asked = leftOut.filter(([field]) => field !== "models");
        if (asked.length > 0) refuseExtras(asked);
      }
      return leftOut.length === 0 ? body : withoutPaths(body, leftOut);
    };
    let ignored: readonly string[] | undefined;
    const screen: Screen = (given, asked) => {
      const body = screenBilled(given, asked);
      if (!this.body.isPassing(channel)) ignored = this.screenFields(channel, body);
      return mark(body);
    };
    const parse = (): ChatRequest => {
      const request = this.body.parse();
      this.stops = usableStops(request.stopSequences);
      // Too many stop sequences are refused before anything is sent.
      if (this.stops) new StopCutter(this.stops);
      const accepted = channel.protocol.toolNames?.(nameForUpstream(channel, model));
      const fitted = fitToolNames(request, accepted);
      this.ownNames = fitted.ownNames;
      return this.media ? withMediaData(fitted.request, this.media) : fitted.request;
    };
    let unwritten: unknown;
    const writeLater = (value: unknown): Uint8Array => {
      unwritten = value;
      return NOTHING;
    };
    const write = this.body.isLarge ? writeLater : JSON.stringify;
    const bytes = changed ? undefined : rawBody;
    const built = buildCall(client, channel, bytes, this.body.sent, model, summary, screen, parse, write);
    const call = withChanges(built, changed?.applied, marks, ignored);
    if (client.sendsPromptTokensFirst && summary.isStream && !this.body.isPassing(channel))
      this.countAhead(model);
    if (rawBody.byteLength > LARGE_BYTES) this.body.release();
    if (unwritten === undefined) return call;
    return inSteps(stringifyInSteps(unwritten)).then((body) => ({ ...call, body }));
  }

  /** Counts the prompt while the upstream works, for a stream that starts with its tokens. */
  private countAhead(model: string): void {
    const { prompt } = this.body;
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
    const ignored = screenFields(client, this.body.sent, protocol, built, unsupported);
    return ignored.length === 0 ? undefined : ignored;
  }

  openStream({ protocol }: UpstreamTarget, contentType: string): AnswerStream | undefined {
    const { client, summary } = this.job;
    if (!summary.isStream || isJsonType(contentType)) return undefined;
    return protocol.name === client.name && protocol.passThrough
      ? new PassStream(protocol.passThrough, summary.wantsUsageChunk)
      : new TranslateStream(
          protocol.createStreamReader(),
          (write) => {
            const writer = client.createStreamWriter(this.stamp(), summary.wantsUsageChunk, write);
            return this.ownNames ? writeOwnNames(writer, this.ownNames) : writer;
          },
          protocol.createDecoder?.(),
          this.job.rawBody.byteLength,
          this.stops && new StopCutter(this.stops),
        );
  }

  isReportedAtEnd(channel: UpstreamTarget, model: string, told: Usage): boolean {
    // Only the upstream knows the tokens of pictures, recordings and files.
    if (this.hasMedia && told.inputTokens === undefined) return true;
    if (channel.protocol.reportsCallsAtEnd && this.extras?.tools.some(({ isCounted }) => isCounted))
      return true;
    return this.mayHideReasoning(channel, model) || this.hasPrediction(channel);
  }

  mayThink(model: string): boolean {
    return mayThink(this.body.ownFields, model);
  }

  /** Rejected prediction tokens are billed like written ones. */
  private hasPrediction({ protocol }: UpstreamTarget): boolean {
    return protocol.name === this.job.client.name && isRecord(this.body.sentFields.prediction);
  }

  private mayHideReasoning({ protocol }: UpstreamTarget, model: string): boolean {
    if (!protocol.mayHideReasoning) return false;
    const {
      reasoning_effort: effort,
      reasoning,
      reasoning_format: format,
      include_reasoning: isIncluded,
    } = this.body.sentFields;
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
        prompt: () => this.body.countedPrompt,
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
    const usage = { ...protocol.readUsage(body), servedModel: servedModelOf(body) };
    const countAnswer =
      (delivered: () => DeliveredContent): WholeAnswer["count"] =>
      (model, done) =>
        this.count(
          {
            model,
            userId: this.job.key.user.id,
            usage,
            prompt: () => this.body.countedPrompt,
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
        const named = this.ownNames ? withOwnNames(response, this.ownNames) : response;
        const cut = this.stops ? cutResponse(named, this.stops) : named;
        // Some shapes repeat the request.
        const weight = bytes.length + this.job.rawBody.byteLength;
        return encodeChatAnswer({ ...cut, usage: told }, client, summary, this.stamp(), weight);
      },
    };
  }

  private stamp(): AnswerStamp {
    const { requestId } = this.job;
    // The client's own messages, without the channel's additions.
    const { body } = this;
    const tokens = (): number => this.tokensAhead ?? this.promptTokens;
    return {
      id: requestId,
      createdAt: toUnixSeconds(this.ports.now()),
      model: this.shownModel,
      requestId,
      get promptTokens() {
        return tokens();
      },
      // Few shapes repeat it, and a stream's stamp stays for as long as its answer takes.
      get request() {
        return body.ownFields;
      },
    };
  }
}
