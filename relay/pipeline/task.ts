import type { Usage } from "@tollgate/contract/relay/usage";
import type { Price } from "@tollgate/metering/price";
import type { NamedChat } from "../admission/resolve-model";
import type { UpstreamTarget } from "../ports/directory";
import type { UpstreamRequest } from "../ports/transport";
import type { AnswerStream, ReceivedStream } from "./answer-stream";
import type { FollowUp } from "./follow-answer";
import type { HoldQuota } from "./reserve-quota";
import type { Counts } from "./settle";

/**
 * The work of a request: everything in which a chat, an embedding, a picture or a recording differ. An exchange runs
 * every task alike: choose → hold → attempt → answer → settle.
 */
export interface Task {
  /** The current model: the client's requested model, or its fallback. */
  readonly model: string;
  /** The current model's name with the effort that the client named; undefined without one. */
  readonly effortName?: string | undefined;
  /** Switches to another model; absent when no model can replace another. */
  useModel?(model: NamedChat): void;
  /** The models to switch to: those that the client itself lists, else the site's. */
  listedModels?(site: readonly string[]): readonly NamedChat[];
  /** Name of the operation in a refusal; undefined for a chat, which every channel supports. */
  readonly operation: string | undefined;
  /** A quick estimate of the prompt tokens. */
  readonly promptTokens: number;
  /** Whether the client requested a stream; absent means that it did not. */
  readonly isStream?: boolean;
  /** Whether the model writes text, which must have a price. */
  readonly writesText: boolean;
  /**
   * Restores, before another try, content that was released and takes too long to parse in one turn of the event loop.
   * @returns undefined when there is no need to wait.
   */
  readAgain?(): Promise<void> | undefined;
  /** Whether a channel's protocol supports this task. */
  isOffered(channel: UpstreamTarget): boolean;
  /**
   * Names the conversation of a request, so that it is routed to the channel that has its beginning cached.
   * @returns undefined when any channel will do.
   */
  session(keyId: number): string | undefined;
  /**
   * The channel as a target for this task, if not in its main protocol.
   * @param model the upstream's model name.
   * @throws RequestInvalid when the channel's vendor does not support the request.
   */
  resolveTarget?(channel: UpstreamTarget, model: string): UpstreamTarget;
  /**
   * The quota to hold.
   * @param defaultTokens used for an answer without a limit.
   * @param channel the target resolved for this task.
   * @param model the upstream's model name.
   */
  holdQuota(price: Price, defaultTokens: number, channel: UpstreamTarget, model: string): HoldQuota;
  /**
   * Fetches media that the client only named by address and keeps them; undefined when there is nothing to fetch.
   * @throws RequestInvalid synchronously, or rejects when something cannot be fetched.
   */
  gather?(channel: UpstreamTarget): Promise<void> | undefined;
  /**
   * The upstream request of one attempt.
   * @param model the upstream's model name.
   * @param price decides which tiers and tools may be requested.
   * @returns a promise when it takes too long for one turn of the event loop.
   * @throws RequestInvalid when the upstream's protocol cannot express the request, or no price is set for a part of
   * it.
   */
  buildCall(channel: UpstreamTarget, model: string, price: Price): UpstreamRequest | Promise<UpstreamRequest>;
  /** Work between the upstream's first answer and the final one; undefined where the first is final. */
  followUp?(channel: UpstreamTarget): FollowUp | undefined;
  /**
   * Finds the reason in a success that contains nothing for the client, in the shape of the protocol's errors.
   * @returns the whole body where the reason is nowhere else.
   */
  errorIn?(channel: UpstreamTarget, body: unknown): unknown;
  /**
   * Starts reading a success.
   * @param contentType the upstream's, "" when it is missing.
   * @returns undefined when the answer must be read as a whole.
   */
  openStream(channel: UpstreamTarget, contentType: string): AnswerStream | undefined;
  /**
   * Whether the end of a stream may report counts that cannot be computed here: hidden reasoning, and the tokens of the
   * prompt's pictures and files.
   * @param model the upstream's model name. @param told usage reported so far.
   */
  isReportedAtEnd?(channel: UpstreamTarget, model: string, told: Usage): boolean;
  /** Whether the model may think before it answers, so that it needs more time; absent where none does. */
  mayThink?(model: string): boolean;
  /** Counts a stream for its charge. @param isInterrupted the client did not receive all of it. */
  countStream(
    stream: ReceivedStream,
    model: string,
    isInterrupted: boolean,
    done: (counts: Counts) => void,
  ): void;
  /**
   * Reads a success in one piece.
   * @param body its JSON, undefined when it is not JSON.
   * @returns undefined when it contains nothing for the client.
   */
  readWhole(
    channel: UpstreamTarget,
    bytes: Buffer,
    body: unknown,
    contentType: string,
  ): WholeAnswer | undefined;
}

/** A usable answer in one piece. */
export interface WholeAnswer {
  /** Counts the answer for its charge. @param model the name after the channel's mapping. */
  count(model: string, done: (counts: Counts) => void): void;
  /**
   * The answer for the client, sent once the charge is durable.
   * @returns a promise when it takes too long for one turn of the event loop.
   */
  encode(counts: Counts): EncodedAnswer | Promise<EncodedAnswer>;
}

export interface EncodedAnswer {
  /** undefined for server-sent events: the client requested a stream. */
  contentType: string | undefined;
  body: Buffer | string;
}
