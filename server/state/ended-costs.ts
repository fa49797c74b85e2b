import type { RequestRecord } from "@tollgate/relay/ports/charges";
import type { Charge } from "@tollgate/storage/accounts/charges";

const HOUR_SECONDS = 3600;
/** Sums that wait at most; the costs of further keys, channels and models are lost, which costs no user anything. */
const MAX_WAITING = 10_000;

/**
 * Gathers the costs of ended attempts until they are stored: one sum per hour, key, channel and model, so that a key
 * that leaves every request adds no row for each of them.
 */
export class EndedCosts {
  private waiting = new Map<string, Charge>();

  get size(): number {
    return this.waiting.size;
  }

  /** @param createdAt unix seconds. */
  add({ key, attempts }: RequestRecord, createdAt: number): void {
    for (const { channelId, endedCost } of attempts) {
      if (!endedCost) continue;
      this.wait({
        requestId: "",
        createdAt,
        userId: key.user.id,
        username: key.user.username,
        tokenId: key.id,
        tokenName: key.name,
        tokenQuota: 0,
        channelId,
        modelName: endedCost.model,
        count: "ended",
        isLogged: false,
        isStream: false,
        durationMs: 0,
        firstByteMs: undefined,
        promptTokens: 0,
        completionTokens: 0,
        quota: 0,
        cost: endedCost.cost,
        content: "",
        receipt: "",
      });
    }
  }

  take(): Charge[] {
    const taken = [...this.waiting.values()];
    this.waiting.clear();
    return taken;
  }

  /** Puts back sums that could not be stored. */
  putBack(sums: readonly Charge[]): void {
    for (const sum of sums) this.wait(sum);
  }

  private wait(sum: Charge): void {
    const { createdAt, tokenId, tokenName, channelId, modelName, cost = 0 } = sum;
    const hour = createdAt - (createdAt % HOUR_SECONDS);
    const name = JSON.stringify([hour, tokenId, tokenName, channelId, modelName]);
    const known = this.waiting.get(name);
    if (known) known.cost = (known.cost ?? 0) + cost;
    else if (this.waiting.size < MAX_WAITING) this.waiting.set(name, { ...sum });
  }
}
