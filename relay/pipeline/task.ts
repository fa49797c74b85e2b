import type { Usage } from "@tollgate/contract/relay/usage";
import type { Price } from "@tollgate/metering/price";
import type { UpstreamRequest, UpstreamTarget } from "../ports";
import type { AnswerStream, ReceivedStream } from "./answer-stream";
import type { HoldQuota } from "./reserve-quota";
import type { Counts } from "./settle";

/**
 * What a request asks for: everything in which a chat, an embedding, a picture or a recording differ from each other.
 * An exchange runs every task alike: choose → hold → attempt → answer → settle.
 */
export interface Task {
  /** The model that is asked for: the one that the client named, or one in its place. */
  readonly model: string;
  /** From now on another model is asked for; absent where none can take the place of another. */
  useModel?(model: string): void;
  /** The models that the client itself lists for that. */
  listedModels?(): readonly string[];
  /** How a refusal names what was asked for; undefined for a chat, which every channel knows. */
  readonly operation: string | undefined;
  /** An estimate of what is to be read, quickly. */
  readonly promptTokens: number;
  /** Whether the client asked for a stream; absent means that it did not. */
  readonly isStream?: boolean;
  /** Whether the model answers with words of its own, which must have a price. */
  readonly writesText: boolean;
  /**
   * Reads again, before another try, what was let go of and takes too long for one turn of the event loop.
   * @returns undefined where nothing has to be waited for.
   */
  readAgain?(): Promise<void> | undefined;
  /** Whether a channel's protocol can do it at all. */
  isOffered(channel: UpstreamTarget): boolean;
  /**
   * Names the conversation that a request belongs to, so that it goes where its beginning is cached.
   * @returns undefined when it does not matter where it goes.
   */
  session(keyId: number): string | undefined;
  /**
   * The channel as this task speaks to it, where that is not in its main protocol.
   * @param model the name to ask the upstream for.
   */
  resolveTarget?(channel: UpstreamTarget, model: string): UpstreamTarget;
  /**
   * The quota to hold.
   * @param defaultTokens for an answer without a limit.
   * @param channel as this task speaks to it.
   * @param model the name to ask the upstream for.
   */
  holdQuota(price: Price, defaultTokens: number, channel: UpstreamTarget, model: string): HoldQuota;
  /**
   * Fetches what the upstream request needs and the client only named; undefined where nothing is to be fetched.
   * @throws RequestInvalid at once, or by its promise when something cannot be had.
   */
  gather?(channel: UpstreamTarget): Promise<void> | undefined;
  /**
   * The upstream request of one attempt.
   * @param model the name to ask the upstream for.
   * @param price says which tiers and tools may be asked for.
   * @returns a promise where it takes too long for one turn of the event loop.
   * @throws RequestInvalid when the upstream's protocol cannot say what the client asks for, or at no price that is set.
   */
  buildCall(channel: UpstreamTarget, model: string, price: Price): UpstreamRequest | Promise<UpstreamRequest>;
  /**
   * A success begins.
   * @param contentType the upstream's, "" when it tells none.
   * @returns undefined when the answer is to be read as a whole.
   */
  openStream(channel: UpstreamTarget, contentType: string): AnswerStream | undefined;
  /**
   * Whether the end of a stream may tell what cannot be counted here: reasoning that is not shown, and what pictures and
   * files of the prompt count as.
   * @param model the name that the upstream was asked for. @param told what it told until now.
   */
  isToldAtEnd?(channel: UpstreamTarget, model: string, told: Usage): boolean;
  /** What a stream is charged by. @param isInterrupted the client did not get all of it. */
  countStream(
    stream: ReceivedStream,
    model: string,
    isInterrupted: boolean,
    done: (counts: Counts) => void,
  ): void;
  /**
   * Reads a success in one piece.
   * @param body its JSON, undefined when it is none.
   * @returns undefined when it gives the client nothing.
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
  /** What it is charged by. @param model the name after the channel's mapping. */
  count(model: string, done: (counts: Counts) => void): void;
  /**
   * What the client is sent once the charge is durable.
   * @returns a promise where it takes too long for one turn of the event loop.
   */
  encode(counts: Counts): EncodedAnswer | Promise<EncodedAnswer>;
}

export interface EncodedAnswer {
  /** undefined for server-sent events: the client asked for a stream. */
  contentType: string | undefined;
  body: Buffer | string;
}
