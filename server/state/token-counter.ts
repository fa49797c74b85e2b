import { Worker } from "node:worker_threads";
import { approximateTokens } from "@tollgate/metering/estimate";
import type { TokenCounter } from "@tollgate/relay/ports";

/** Beyond this a text is estimated: counting it would keep the worker busy for too long. */
const MAX_COUNTED_BYTES = 2 * 1024 * 1024;

/**
 * Counts with a tokenizer on a thread of its own, started when it is first needed: most upstreams tell their usage.
 * @param workerPath the built worker script.
 * @param isApproximate the option ApproximateTokenEnabled: never count, always estimate.
 */
export const createTokenCounter = (
  workerPath: string,
  isApproximate: () => boolean,
): TokenCounter & { close(): Promise<void> } => {
  let worker: Worker | undefined;
  let nextId = 1;
  const waiting = new Map<number, { text: string; done: (tokens: number) => void }>();

  const estimate = (text: string): number => approximateTokens(Buffer.byteLength(text));

  const giveUp = (): void => {
    worker = undefined;
    const unanswered = [...waiting.values()];
    waiting.clear();
    for (const { text, done } of unanswered) done(estimate(text));
  };

  const start = (): Worker => {
    const started = new Worker(workerPath);
    started.unref();
    started.on("message", ({ id, tokens }: { id: number; tokens: number }) => {
      const one = waiting.get(id);
      waiting.delete(id);
      one?.done(tokens);
    });
    started.on("error", giveUp);
    return started;
  };

  return {
    count(model, text, done) {
      if (text === "") {
        done(0);
        return;
      }
      if (isApproximate() || text.length > MAX_COUNTED_BYTES) {
        done(estimate(text));
        return;
      }
      worker ??= start();
      const id = nextId;
      nextId += 1;
      waiting.set(id, { text, done });
      worker.postMessage({ id, model, text });
    },
    async close() {
      await worker?.terminate();
    },
  };
};
