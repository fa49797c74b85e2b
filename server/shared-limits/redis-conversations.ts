import type { SharedConversations } from "@tollgate/relay/ports/relay-ports";
import { KEPT_MS } from "@tollgate/relay/routing/sticky-sessions";
import type { Redis } from "ioredis";

/** Time a request waits to learn where its conversation is warm: less than the cost of a cold prompt. */
const PATIENCE_MS = 30;

/** Pause in queries to the server after a timeout. */
const PAUSE_MS = 1000;

export type ConversationServer = Pick<Redis, "status" | "get" | "set">;

export interface ConversationSettings {
  /** Prefix of all keys' names. */
  prefix: string;
  /** Hashes a conversation's name, which may contain a client's words: not reversible without the master key. */
  hash: (text: string) => string;
  /** Milliseconds since the epoch. */
  now: () => number;
}

/** Which channel key served a conversation last, in Redis. */
export class RedisConversations implements SharedConversations {
  private pausedUntilMs = 0;

  constructor(
    private readonly redis: ConversationServer,
    private readonly settings: ConversationSettings,
  ) {}

  find(session: string): Promise<string | undefined> | undefined {
    if (!this.mayAsk()) return undefined;
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.pause();
        resolve(undefined);
      }, PATIENCE_MS);
      const end = (entryId: string | null): void => {
        clearTimeout(timer);
        resolve(entryId ?? undefined);
      };
      this.redis.get(this.keyOf(session)).then(end, () => {
        this.pause();
        end(null);
      });
    });
  }

  remember(session: string, entryId: string): void {
    if (this.mayAsk()) this.redis.set(this.keyOf(session), entryId, "PX", KEPT_MS).catch(() => this.pause());
  }

  private mayAsk(): boolean {
    return this.redis.status === "ready" && this.settings.now() >= this.pausedUntilMs;
  }

  private pause(): void {
    this.pausedUntilMs = this.settings.now() + PAUSE_MS;
  }

  private keyOf(session: string): string {
    return `${this.settings.prefix}:conversation:${this.settings.hash(session)}`;
  }
}
