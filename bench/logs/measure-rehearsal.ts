import { setTimeout as wait } from "node:timers/promises";
import type { SignedIn } from "@tollgate/testkit/server-process";
import { DAY_SECONDS, MODELS, modelName, RARE_MODEL } from "./log-world";

/** Duration and result of a rehearsal of unchanged prices. */
export interface MeasuredRehearsal {
  ms: number;
  lines: number;
  /** The charged quota, and the quota at the same prices: they must be equal. */
  charged: number;
  rehearsed: number;
  /** Lines that were kept as they were. */
  unpriced: number;
}

interface Answered {
  success: boolean;
  message: string;
  data?: unknown;
}

const TABLES = { ModelRatio: 1, CompletionRatio: 2 } as const;

/** The prices by which the table was filled: the sum of the prompt and twice the answer. */
const setPrices = async (root: SignedIn): Promise<void> => {
  const names = [...Array.from({ length: MODELS }, (_, index) => modelName(index)), RARE_MODEL];
  for (const [key, ratio] of Object.entries(TABLES)) {
    const value = JSON.stringify(Object.fromEntries(names.map((name) => [name, ratio])));
    const { body, text } = await root.api("PUT", "/api/option/", { key, value });
    if (body.success !== true) throw new Error(text);
  }
};

/**
 * Rehearses a draft without effect on used models over the whole log, and returns the time from the call to the result.
 * @param now unix seconds.
 */
export const measureRehearsal = async (root: SignedIn, now: number): Promise<MeasuredRehearsal> => {
  await setPrices(root);
  const ask = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const answer = await root.api(method, path, body);
    const { success, data } = answer.body as unknown as Answered;
    if (!success) throw new Error(`${path}: ${answer.text}`);
    return data as T;
  };
  const changes = { ModelRatio: { unused: 1 } };
  const { id } = await ask<{ id: number }>("POST", "/api/price-drafts", { name: "unchanged", changes });
  const path = `/api/price-drafts/${id}/rehearsal`;
  const startedAt = performance.now();
  await ask("POST", path, { from: now - 400 * DAY_SECONDS, to: now });
  for (;;) {
    const { state, reason, result } = await ask<{
      state: string;
      reason?: string;
      result?: {
        total: { lines: number; charged: number; rehearsed: number };
        kept: Record<string, { lines: number }>;
      };
    }>("GET", path);
    if (state === "done" && result) {
      const { lines, charged, rehearsed } = result.total;
      const unpriced = Object.values(result.kept).reduce((sum, each) => sum + each.lines, 0);
      return { ms: performance.now() - startedAt, lines, charged, rehearsed, unpriced };
    }
    if (state !== "running") throw new Error(`the rehearsal ended: ${state} ${reason ?? ""}`);
    await wait(50);
  }
};
