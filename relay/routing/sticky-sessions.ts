import { createHash } from "node:crypto";
import type { SharedConversations } from "../ports/relay-ports";

/** Providers keep a prompt for five to ten minutes after its last use. */
export const KEPT_MS = 10 * 60_000;
const MAX_SESSIONS = 20_000;
/** No provider caches shorter prompts, so any channel will do. */
const CACHEABLE_TOKENS = 1024;
/** Length of the beginning of a prompt that identifies its conversation: later text changes from turn to turn. */
export const PREFIX_CHARACTERS = 2048;

/** The conversation id that a request itself contains; undefined when it has none. */
const namedSession = (body: Record<string, unknown>): string | undefined => {
  // https://platform.openai.com/docs/guides/prompt-caching: requests of one key and prefix belong together.
  if (typeof body.prompt_cache_key === "string") return body.prompt_cache_key;
  const { metadata } = body;
  if (typeof metadata !== "object" || metadata === null || !("user_id" in metadata)) return undefined;
  return typeof metadata.user_id === "string" ? metadata.user_id : undefined;
};

/** Whether a prompt is long enough for the provider's cache. @param promptTokens an estimate. */
export const isCacheable = (promptTokens: number): boolean => promptTokens >= CACHEABLE_TOKENS;

/**
 * The part that is the same in all requests of one conversation.
 * @param prompt the text of the prompt, or its beginning of PREFIX_CHARACTERS.
 */
export const conversationOf = (body: Record<string, unknown>, prompt: string): string =>
  createHash("sha1")
    .update(namedSession(body) ?? prompt.slice(0, PREFIX_CHARACTERS))
    .digest("base64");

/** A conversation with one model. @param keyId the API key: conversations of different keys never share a name. */
export const sessionOf = (keyId: number, model: string, conversation: string): string =>
  `${keyId}\n${model}\n${conversation}`;

/** Interval between reports to the other nodes about a conversation that stays with the same key. */
const REPORTED_MS = 60_000;

interface KnownSession {
  readonly entryId: string;
  readonly untilMs: number;
  /** Time of the last report to or from the other nodes. */
  readonly reportedMs: number;
}

/**
 * The channel key that served a conversation last, so that its next turn can use the provider's prompt cache. This
 * process's own knowledge takes precedence over the other nodes'.
 */
export class StickySessions {
  private readonly sessions = new Map<string, KnownSession>();

  constructor(
    private readonly nowMs: () => number,
    private readonly shared?: SharedConversations | undefined,
  ) {}

  /** @returns the id of a channel entry. */
  find(session: string): string | undefined {
    return this.known(session)?.entryId;
  }

  /**
   * Queries the other nodes about a conversation that is unknown here; afterwards `find` knows it.
   * @returns undefined when no query is needed; never rejects.
   */
  fetch(session: string): Promise<void> | undefined {
    if (this.shared === undefined || this.known(session)) return undefined;
    return this.shared.find(session)?.then((entryId) => {
      // It may have been served here meanwhile.
      if (entryId !== undefined && !this.known(session)) this.keep(session, entryId, this.nowMs());
    });
  }

  remember(session: string, entryId: string): void {
    const known = this.known(session);
    const nowMs = this.nowMs();
    const isReported = known?.entryId === entryId && nowMs - known.reportedMs < REPORTED_MS;
    this.keep(session, entryId, isReported ? known.reportedMs : nowMs);
    if (!isReported) this.shared?.remember(session, entryId);
  }

  private known(session: string): KnownSession | undefined {
    const known = this.sessions.get(session);
    return known !== undefined && known.untilMs > this.nowMs() ? known : undefined;
  }

  private keep(session: string, entryId: string, reportedMs: number): void {
    // A map keeps the order of insertion: the first one is the one that was used longest ago.
    this.sessions.delete(session);
    this.sessions.set(session, { entryId, untilMs: this.nowMs() + KEPT_MS, reportedMs });
    if (this.sessions.size <= MAX_SESSIONS) return;
    const oldest = this.sessions.keys().next();
    if (!oldest.done) this.sessions.delete(oldest.value);
  }
}
