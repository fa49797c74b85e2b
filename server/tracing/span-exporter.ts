import { PRODUCT_VERSION } from "@tollgate/contract/version";
import { writeAttributes } from "./span";
import type { TracingSettings } from "./tracing-settings";

/** Maximum number and size of waiting spans; more are dropped. */
const MAX_SPANS = 4096;
const MAX_CHARACTERS = 8 * 1024 * 1024;
/** So many go together. */
const BATCH_SPANS = 512;
/** Time a span waits to be batched. */
const GATHER_MS = 1000;
/** Wait after a failure: doubled each time, up to a minute. */
const RETRY_MS = 1000;
const LONGEST_RETRY_MS = 60_000;
/** Maximum time a stopping process waits for the collector. */
const CLOSE_MS = 2000;
/** Maximum bytes read of an answer. */
const MAX_ANSWER_BYTES = 64 * 1024;

/** Statuses for a retry (https://opentelemetry.io/docs/specs/otlp/#retryable-response-codes). */
const RETRYABLE = new Set([429, 502, 503, 504]);

/** Sends a batch. */
export type SendBatch = (endpoint: string, init: RequestInit) => Promise<Response>;

interface Waiting {
  readonly json: string;
}

/** Number of spans that the collector reports as rejected. */
const rejectedOf = async (answer: Response): Promise<number> => {
  const length = Number(answer.headers.get("content-length") ?? Number.NaN);
  if (!(length <= MAX_ANSWER_BYTES)) {
    await answer.body?.cancel();
    return 0;
  }
  try {
    const said = JSON.parse(await answer.text()) as { partialSuccess?: { rejectedSpans?: unknown } } | null;
    const rejected = Number(said?.partialSuccess?.rejectedSpans ?? 0);
    return Number.isSafeInteger(rejected) && rejected > 0 ? rejected : 0;
  } catch {
    // The answer may be protobuf, or empty.
    return 0;
  }
};

/**
 * Sends spans to a collector, in sequential batches. The queue is bounded: while the collector accepts nothing, new
 * spans are dropped and counted, and no caller waits.
 */
export class SpanExporter {
  private waiting: Waiting[] = [];
  private characters = 0;
  private timer: NodeJS.Timeout | undefined;
  private sending: Promise<void> | undefined;
  private retryMs = RETRY_MS;
  private isFailing = false;
  private isClosed = false;
  private readonly head: string;
  sent = 0;
  dropped = 0;

  /** @param report called when the collector begins to fail, once until it works again; never with headers. */
  constructor(
    private readonly settings: Pick<TracingSettings, "endpoint" | "headers" | "timeoutMs" | "resource">,
    private readonly report: (reason: string) => void,
    private readonly send: SendBatch = fetch,
  ) {
    const resource = { attributes: writeAttributes(settings.resource) };
    const scope = { name: "tollgate", version: PRODUCT_VERSION };
    this.head = `{"resourceSpans":[{"resource":${JSON.stringify(resource)},"scopeSpans":[{"scope":${JSON.stringify(scope)},"spans":[`;
  }

  /** @param json a span, as `writeSpan` gives it. */
  add(json: string): void {
    const isRoom =
      this.waiting.length < MAX_SPANS && this.characters + json.length <= MAX_CHARACTERS && !this.isClosed;
    if (!isRoom) {
      this.dropped += 1;
      return;
    }
    this.waiting.push({ json });
    this.characters += json.length;
    if (this.waiting.length >= BATCH_SPANS && !this.isFailing) this.flush();
    else this.schedule(GATHER_MS);
  }

  /** Sends waiting spans, once. @param patienceMs timeout, after which the rest is dropped. */
  async close(patienceMs = CLOSE_MS): Promise<void> {
    this.isClosed = true;
    clearTimeout(this.timer);
    let isOver = false;
    const sendAll = async (): Promise<void> => {
      await this.sending;
      while (this.waiting.length > 0 && !this.isFailing && !isOver) {
        this.flush();
        await this.sending;
      }
    };
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, patienceMs);
    });
    await Promise.race([sendAll(), patience]);
    isOver = true;
    clearTimeout(timer);
    this.dropped += this.waiting.length;
    this.waiting = [];
  }

  private schedule(ms: number): void {
    if (this.timer || this.sending) return;
    this.timer = setTimeout(() => {
      this.timer = undefined;
      this.flush();
    }, ms);
    this.timer.unref();
  }

  private flush(): void {
    if (this.sending || this.waiting.length === 0) return;
    clearTimeout(this.timer);
    this.timer = undefined;
    const batch = this.waiting.splice(0, BATCH_SPANS);
    for (const { json } of batch) this.characters -= json.length;
    this.sending = this.sendBatch(batch).finally(() => {
      this.sending = undefined;
      if (this.waiting.length > 0 && !this.isClosed) this.schedule(this.isFailing ? this.retryMs : GATHER_MS);
    });
  }

  private async sendBatch(batch: readonly Waiting[]): Promise<void> {
    const { endpoint, headers, timeoutMs } = this.settings;
    try {
      const answer = await this.send(endpoint, {
        method: "POST",
        headers: { ...headers, "content-type": "application/json" },
        body: `${this.head}${batch.map(({ json }) => json).join(",")}]}]}]}`,
        redirect: "manual",
        signal: AbortSignal.timeout(timeoutMs),
      });
      if (answer.ok) {
        const rejected = Math.min(batch.length, await rejectedOf(answer));
        this.sent += batch.length - rejected;
        this.dropped += rejected;
        this.isFailing = false;
        this.retryMs = RETRY_MS;
        return;
      }
      await answer.body?.cancel();
      this.fail(`HTTP ${answer.status}`, RETRYABLE.has(answer.status) ? batch : [], batch.length);
    } catch (error) {
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
      this.fail(cause instanceof Error ? cause.message : String(cause), batch, batch.length);
    }
  }

  /** @param kept spans to retry, as far as there is room: later ones are newer. @param count number of sent spans. */
  private fail(reason: string, kept: readonly Waiting[], count: number): void {
    if (!this.isFailing) this.report(reason);
    this.retryMs = this.isFailing ? Math.min(this.retryMs * 2, LONGEST_RETRY_MS) : RETRY_MS;
    this.isFailing = true;
    const again = kept.slice(0, Math.max(0, MAX_SPANS - this.waiting.length));
    this.waiting.unshift(...again);
    for (const { json } of again) this.characters += json.length;
    this.dropped += count - again.length;
  }
}
