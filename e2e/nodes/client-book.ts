import type { FakeUpstream } from "@tollgate/testkit/fake-upstream/fake-upstream";
import { MODEL, priceOf } from "./site";

/*
 * A load generator that keeps its own book. What an answer costs it says itself: each request carries in its text what the
 * upstream shall say that it used.
 */

/** What became of a request, as its client saw it. */
export type Outcome =
  /** It arrived to its end. */
  | { kind: "whole"; id: string; price: number; model: string }
  /** It began to arrive and broke off. */
  | { kind: "broken"; id: string; price: number }
  /** An error of the gateway, which costs nothing. */
  | { kind: "refused"; id: string; status: number; code: string }
  /** Unknown: the connection broke, or was never made, before a byte came. */
  | { kind: "lost"; price: number };

/** One request: whose key, what it uses. */
export interface Ask {
  key: string;
  input: number;
  output: number;
  isStream?: boolean;
  /** The usual model by default. */
  model?: string;
}

/** Longer than a node is stopped: what it was asked before must be answered afterwards. */
const PATIENCE_MS = 40_000;

const WANT = /uses (\d+) and (\d+)/;

/** Lets the upstream use what each request says. @param delayMs before each part of an answer. */
export const answerAsAsked = (upstream: FakeUpstream, delayMs: number): void =>
  upstream.reply(({ body }) => {
    const [, input = 1, output = 1] = WANT.exec(JSON.stringify(body)) ?? [];
    return { usage: { input: Number(input), output: Number(output) }, fault: "slow", delayMs };
  });

const readCode = (text: string): string => {
  try {
    const { error } = JSON.parse(text) as { error?: { code?: unknown } };
    return String(error?.code ?? "");
  } catch {
    return "";
  }
};

const isWhole = (text: string, isStream: boolean): boolean => {
  if (isStream) return text.trimEnd().endsWith("data: [DONE]");
  try {
    return (JSON.parse(text) as { usage?: object }).usage !== undefined;
  } catch {
    return false;
  }
};

/** Sends a request and reads its answer, as far as it comes. @param url base address of a node or of the balancer. */
export const send = async (url: string, ask: Ask): Promise<Outcome> => {
  const { key, input, output, isStream = false, model: asked = MODEL } = ask;
  let price = priceOf({ input, output }, asked);
  let id: string | undefined;
  try {
    const answer = await fetch(`${url}/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({
        model: asked,
        messages: [{ role: "user", content: `uses ${input} and ${output}` }],
        max_tokens: output,
        stream: isStream,
      }),
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    id = answer.headers.get("x-oneapi-request-id") ?? "";
    const model = answer.headers.get("x-tollgate-fallback-model") ?? asked;
    price = priceOf({ input, output }, model);
    const text = await answer.text();
    // The balancer's answer for a node that broke off: the outcome at that node is unknown.
    if (id === "") return { kind: "lost", price };
    if (answer.status !== 200) return { kind: "refused", id, status: answer.status, code: readCode(text) };
    return isWhole(text, isStream) ? { kind: "whole", id, price, model } : { kind: "broken", id, price };
  } catch {
    return id === undefined || id === "" ? { kind: "lost", price } : { kind: "broken", id, price };
  }
};

/** All that clients saw. */
export class ClientBook {
  readonly outcomes: Outcome[] = [];

  of<Kind extends Outcome["kind"]>(kind: Kind): Extract<Outcome, { kind: Kind }>[] {
    return this.outcomes.filter(
      (outcome): outcome is Extract<Outcome, { kind: Kind }> => outcome.kind === kind,
    );
  }

  /** How often each outcome was, and each refusal by its code, for who reads the test's output. */
  summary(): Record<string, number> {
    const counts: Record<string, number> = {};
    for (const outcome of this.outcomes) {
      const name = outcome.kind === "refused" ? `${outcome.status} ${outcome.code}` : outcome.kind;
      counts[name] = (counts[name] ?? 0) + 1;
    }
    return counts;
  }
}

/** Clients that ask, read, and ask again, until they are told to end. */
export interface Load {
  /** Ends when the last answer was read. */
  stop(): Promise<void>;
}

/** @param next gives each request. */
export const startLoad = (url: string, book: ClientBook, clients: number, next: () => Ask): Load => {
  let isStopping = false;
  const client = async (): Promise<void> => {
    while (!isStopping) {
      const outcome = await send(url, next());
      book.outcomes.push(outcome);
      // Who is refused asks again a little later, as programs do.
      if (outcome.kind !== "whole") await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  const all = Promise.all(Array.from({ length: clients }, client));
  return {
    async stop() {
      isStopping = true;
      await all;
    },
  };
};
