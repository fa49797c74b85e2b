import type { SharedConversations } from "@tollgate/relay/ports";
import { KEPT_MS } from "@tollgate/relay/routing/sticky-sessions";
import type { Redis } from "ioredis";

/** How long a request may wait to hear where its conversation is warm: less than what a cold prompt costs. */
const PATIENCE_MS = 30;

/** How long the server is not asked after an answer did not come in time. */
const PAUSE_MS = 1000;

/** What it needs of a connection. */
export type ConversationServer = Pick<Redis, "status" | "get" | "set">;

export interface ConversationSettings {
  /** What the names of all keys begin with. */
  prefix: string;
  /** Of a conversation's name, which may hold words of a client: it cannot be found out without the master key. */
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
