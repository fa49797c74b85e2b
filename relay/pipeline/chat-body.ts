import { PromptText } from "@tollgate/contract/relay/prompt-text";
import type { ClientProtocol, RequestSummary } from "@tollgate/contract/relay/protocol";
import type { ChatRequest } from "@tollgate/contract/relay/request";
import { leastPromptTokens } from "@tollgate/metering/estimate";
import { isRecord, readArray } from "@tollgate/protocols/shared/json/json-values";
import { parseInSteps } from "@tollgate/protocols/shared/json/parse-in-steps";
import { writeArguments } from "@tollgate/protocols/shared/json/stringify-in-steps";
import type { NamedEffort } from "../admission/resolve-model";
import { inSteps } from "../in-steps";
import type { UpstreamTarget } from "../ports/directory";
import { conversationOf, PREFIX_CHARACTERS } from "../routing/sticky-sessions";
import { resolveTarget } from "../routing/upstream-target";
import { type ChangedRequest, changeRequest } from "./changed-request";
import type { ExchangeJob } from "./exchange-core";
import { estimatePromptTokens } from "./settle";

type Body = Record<string, unknown>;

/** A request in one of the chat protocols. */
export interface ChatJob extends ExchangeJob {
  client: ClientProtocol;
  /** The parsed `rawBody`; the task releases it once it is sent, and parses it again if necessary. */
  body: Body | undefined;
  summary: RequestSummary;
  /** The effort in the client's name of the model. */
  effort?: NamedEffort | undefined;
}

/** From this size on, a body is read and written in steps. */
const IN_STEPS_BYTES = 2 * 1024 * 1024;
/** A longer prompt is estimated, which the counter would do anyway. */
const MAX_COUNTED_LENGTH = 2 * 1024 * 1024;

const utf8 = new TextDecoder();

/** A body without its conversation; tools stay, those in the items of the Responses API too. */
const asidesOf = ({ messages: _, contents: __, input, ...rest }: Body): Body => ({
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

/**
 * The body of a chat: as the client wrote it, and as the current channel is sent it in the client's protocol. It is
 * parsed once, released while a long answer takes, and parsed again if it is needed.
 */
export class ChatBody {
  private readPrompt: PromptText | undefined;
  private parsed: ChatRequest | undefined;
  /** Released large body: its fields other than the conversation, and the prompt's text for counting. */
  private asides: Body | undefined;
  /** The same for the client's own body, when a channel receives a changed one. */
  private ownAsides: Body | undefined;
  private keptPrompt: PromptText | undefined;
  /** The conversation's name, once computed: a fallback model needs it when the body has already been released. */
  private conversation: string | undefined;
  /** The request after the current channel's overrides; undefined when it stays unchanged. */
  private overridden: ChangedRequest | undefined;
  /** An estimate for the hold; the charge uses the upstream's count, or ours. */
  readonly promptTokens: number;

  private effort: NamedEffort | undefined;

  constructor(private readonly job: ChatJob) {
    this.effort = job.effort;
    this.promptTokens = this.estimateTokens();
  }

  private estimateTokens(): number {
    const { prompt } = this;
    return leastPromptTokens(estimatePromptTokens(prompt), prompt);
  }

  /** A quick estimate of the prompt, including the instructions that a channel adds. */
  get promptTokensSent(): number {
    return this.overridden ? this.estimateTokens() : this.promptTokens;
  }

  /** Whether reading and writing it takes too long for one turn of the event loop. */
  get isLarge(): boolean {
    return this.job.rawBody.byteLength > IN_STEPS_BYTES;
  }

  get changed(): ChangedRequest | undefined {
    return this.overridden;
  }

  /** The client's own body. */
  private get own(): Body {
    this.job.body ??= this.readOwn();
    return this.job.body;
  }

  /** The same, without keeping it. */
  private readOwn(): Body {
    const { body, rawBody } = this.job;
    return body ?? this.named(JSON.parse(utf8.decode(rawBody)) as Body);
  }

  /** A request that only lists models uses the first of them, also when it is parsed again. */
  private named(body: Body): Body {
    const { client, summary } = this.job;
    if (body.model === undefined && !client.requireOneModel) body.model = summary.model;
    return body;
  }

  /** The body as the channel is sent it, in the client's protocol. */
  get sent(): Body {
    const { overridden } = this;
    if (!overridden) return this.own;
    overridden.body ??= overridden.apply(this.own);
    return overridden.body;
  }

  /** Fields of the client's own body: those beside the conversation are always among them. It is not kept for this. */
  get ownFields(): Body {
    return this.ownAsides ?? this.readOwn();
  }

  /** The same of the body as the channel is sent it. */
  get sentFields(): Body {
    const { overridden, asides } = this;
    if (asides) return asides;
    return overridden ? (overridden.body ?? overridden.apply(this.readOwn())) : this.readOwn();
  }

  get summary(): RequestSummary {
    return this.overridden?.summary ?? this.job.summary;
  }

  get prompt(): PromptText {
    this.readPrompt ??= this.job.client.promptText(this.sent);
    return this.readPrompt;
  }

  /** The prompt as it is counted, also when the body was released. */
  get countedPrompt(): PromptText {
    return this.keptPrompt ?? this.prompt;
  }

  /** The request for an upstream of another protocol, parsed once. @throws RequestInvalid */
  parse(): ChatRequest {
    this.parsed ??= this.job.client.parseRequest(this.sent, this.summary);
    return this.parsed;
  }

  /** The name that all requests of this conversation have. */
  nameConversation(): string {
    this.conversation ??= conversationOf(this.own, this.prompt.beginning(PREFIX_CHARACTERS));
    return this.conversation;
  }

  /** Whether the client's body is sent to a channel in its own protocol. */
  isPassing({ protocol }: UpstreamTarget): boolean {
    return protocol.name === this.job.client.name && protocol.passThrough !== undefined;
  }

  /** The effort of another model's name; undefined for none. */
  useEffort(effort: NamedEffort | undefined): void {
    this.effort = effort;
  }

  /** Resolves a channel, and applies its overrides to the request from now on. @param model the upstream's name. */
  resolveTarget(channel: UpstreamTarget, model: string): UpstreamTarget {
    const target = resolveTarget(channel, this.job.client.name, model);
    const isChanged = target.overrides !== undefined || this.effort !== undefined;
    if (isChanged || this.overridden !== undefined) this.override(target);
    return target;
  }

  private override(target: UpstreamTarget): void {
    const { client, summary } = this.job;
    const before = this.overridden;
    this.overridden = changeRequest(client, target, () => this.own, summary, this.effort);
    if (this.overridden === before) return;
    this.readPrompt = undefined;
    this.parsed = undefined;
    this.asides = undefined;
    this.keptPrompt = undefined;
  }

  /** Releases it: another try, or a count of the prompt, reads it again. */
  release(): void {
    const { body } = this.job;
    if (body && this.isLarge) {
      this.nameConversation();
      this.asides ??= asidesOf(this.sent);
      this.ownAsides ??= this.overridden ? asidesOf(body) : this.asides;
      this.keptPrompt ??= toBeCounted(this.prompt);
    }
    this.job.body = undefined;
    if (this.overridden) this.overridden.body = undefined;
    this.parsed = undefined;
    this.readPrompt = undefined;
  }

  /** Reads a large released body in steps. @returns undefined when there is no need to wait. */
  readAgain(): Promise<void> | undefined {
    const { job } = this;
    if (job.body || !this.isLarge) return undefined;
    const { buffer, byteOffset, byteLength } = job.rawBody;
    return inSteps(readInSteps(Buffer.from(buffer, byteOffset, byteLength))).then((value) => {
      // It was read before, and found in order.
      if (value !== undefined) job.body = this.named(value as Body);
    });
  }
}
