import type { IncomingMessage } from "node:http";
import type { GatewayErrorCode } from "@tollgate/contract/relay/error";
import type { AttemptRecord, ChargeRecord, RequestRecord, RequestTrace } from "@tollgate/relay/ports/charges";
import { createSampler, type Sampler } from "./sampler";
import { type AttributeValue, KIND_CLIENT, KIND_SERVER, type Span, writeSpan } from "./span";
import { createSpanId, createTraceId, readTraceparent, writeTraceparent } from "./trace-context";
import type { TracingSettings } from "./tracing-settings";

/** A channel in a trace. */
export interface TracedChannel {
  /** The vendor, in the values of `gen_ai.provider.name`. */
  readonly provider: string;
  /** Its address, without a path. */
  readonly origin: string;
  /** The upstream's name of a requested model. */
  modelOf(model: string): string;
}

export interface TracerTools {
  settings: Pick<TracingSettings, "sampler" | "ratio" | "sendsContext">;
  /** Takes spans, as JSON. */
  exporter: { add(json: string): void };
  /** undefined where the channel is gone. */
  findChannel(id: number): TracedChannel | undefined;
  /** Milliseconds since the epoch. */
  now(): number;
}

/** A request with a begun trace. */
export interface BegunTrace extends RequestTrace {
  /** The client receives an error. */
  refused(code: GatewayErrorCode): void;
  /** Its connection has closed, or its answer has ended. @param status of the answer; 0 where none was begun. */
  closed(status: number): void;
}

/** Charges that are not stored in time are mostly stored later, and their requests are traced then. */
const LATER: ReadonlySet<GatewayErrorCode> = new Set(["storage-interrupted", "storage-failing"]);

/** Operations with another name in the conventions; "chat" and "embeddings" have the same. */
const OPERATION_NAMES: Readonly<Record<string, string>> = { completions: "text_completion" };

const operationOf = ({ operation }: RequestRecord): string => OPERATION_NAMES[operation] ?? operation;

/** The route of an address, without the model that some addresses contain. */
const routeOf = (target: string): string =>
  (target.split("?", 1)[0] ?? "").replace(/\/(models|engines|deployments)\/[^/:]+/, "/$1/{model}");

const serverOf = (origin: string): Record<string, AttributeValue> => {
  if (!URL.canParse(origin)) return {};
  const { hostname, port, protocol } = new URL(origin);
  const isSecure = protocol === "https:" || protocol === "wss:";
  return { "server.address": hostname, "server.port": port === "" ? (isSecure ? 443 : 80) : Number(port) };
};

/** Whether an attempt does not speak against the upstream. */
const isFine = (outcome: string): boolean => outcome === "ok" || outcome === "client-left";

class ActiveTrace implements BegunTrace {
  private readonly spanId = createSpanId();
  private readonly attemptIds: string[] = [];
  private readonly beganAtMs: number;
  private record: RequestRecord | ChargeRecord | undefined;
  private quota: number | undefined;
  private refusal: GatewayErrorCode | undefined;
  private status: number | undefined;
  private closedAtMs = 0;
  private isReported = false;

  constructor(
    private readonly tools: TracerTools,
    private readonly traceId: string,
    private readonly parentId: string | undefined,
    private readonly isRecorded: boolean,
    private readonly method: string,
    private readonly route: string,
    private readonly requestId: string,
    private readonly isRelayed: boolean,
  ) {
    this.beganAtMs = tools.now();
  }

  upstreamHeader(attempt: number): string | undefined {
    if (!this.tools.settings.sendsContext) return undefined;
    return writeTraceparent(this.traceId, this.attemptId(attempt), this.isRecorded);
  }

  ended(record: RequestRecord | ChargeRecord, quota: number | undefined): void {
    this.record = record;
    this.quota = quota;
    if (this.status !== undefined) this.tell();
  }

  refused(code: GatewayErrorCode): void {
    this.refusal = code;
  }

  closed(status: number): void {
    this.status = status;
    this.closedAtMs = this.tools.now();
    // A request that reached no channel has no record; nor has one whose tokens were only counted.
    const isLater = this.refusal !== undefined && LATER.has(this.refusal);
    const hasEnded = this.refusal !== undefined || !this.isRelayed;
    if (this.record || (hasEnded && !isLater)) this.tell();
  }

  private attemptId(attempt: number): string {
    const known = this.attemptIds[attempt];
    if (known !== undefined) return known;
    const id = createSpanId();
    this.attemptIds[attempt] = id;
    return id;
  }

  private tell(): void {
    if (this.isReported || !this.isRecorded) return;
    this.isReported = true;
    const { exporter } = this.tools;
    exporter.add(writeSpan(this.requestSpan()));
    for (const [index, attempt] of (this.record?.attempts ?? []).entries())
      exporter.add(writeSpan(this.attemptSpan(attempt, index)));
  }

  private requestSpan(): Span {
    const { record, refusal, status = 0 } = this;
    const end = record?.end ?? (refusal === undefined ? "complete" : "failed");
    const isError = status >= 500 || end === "interrupted" || (end === "failed" && status === 0);
    return {
      traceId: this.traceId,
      spanId: this.spanId,
      parentId: this.parentId,
      name: `${this.method} ${this.route}`,
      kind: KIND_SERVER,
      startMs: this.beganAtMs,
      endMs: this.closedAtMs,
      isError,
      attributes: {
        "http.request.method": this.method,
        "http.route": this.route,
        "http.response.status_code": status === 0 ? undefined : status,
        "error.type": refusal ?? (isError ? end : undefined),
        "tollgate.request_id": this.requestId,
        "tollgate.outcome": end,
        "tollgate.protocol": record?.protocol,
        "tollgate.model": record?.requestedModel,
        "tollgate.stream": record?.isStream,
        "tollgate.user.id": record?.key.user.id,
        "tollgate.key.id": record?.key.id,
        "tollgate.attempts": record?.attempts.length,
        "tollgate.quota": this.quota,
      },
    };
  }

  private attemptSpan(attempt: AttemptRecord, index: number): Span {
    // It exists: attempts come from it.
    const record = this.record as RequestRecord | ChargeRecord;
    const { channelId, outcome, status, startedMs, durationMs } = attempt;
    const channel = this.tools.findChannel(channelId);
    const model = channel?.modelOf(record.requestedModel) ?? record.requestedModel;
    const operation = operationOf(record);
    const startMs = record.startedAtMs + startedMs;
    const isLast = index === record.attempts.length - 1;
    return {
      traceId: this.traceId,
      spanId: this.attemptId(index),
      parentId: this.spanId,
      name: `${operation} ${model}`,
      kind: KIND_CLIENT,
      startMs,
      endMs: startMs + durationMs,
      isError: !isFine(outcome),
      attributes: {
        "gen_ai.operation.name": operation,
        "gen_ai.provider.name": channel?.provider,
        "gen_ai.request.model": model,
        ...serverOf(channel?.origin ?? ""),
        "http.response.status_code": status === 0 ? undefined : status,
        "error.type": isFine(outcome) ? undefined : outcome,
        "tollgate.channel.id": channelId,
        ...(isLast && "usage" in record ? usageOf(record, startedMs) : {}),
      },
    };
  }
}

/** Usage of the answer, on the attempt that was answered, so that sums over spans count it once. */
const usageOf = (record: ChargeRecord, startedMs: number): Record<string, AttributeValue> => {
  const { cacheReadTokens, cacheWriteTokens, reasoningTokens } = record.usage;
  const { firstByteMs } = record;
  return {
    "gen_ai.response.model": record.attempts.at(-1)?.servedModel,
    "gen_ai.usage.input_tokens": record.promptTokens,
    "gen_ai.usage.output_tokens": record.completionTokens,
    "gen_ai.usage.cache_read.input_tokens": cacheReadTokens,
    "gen_ai.usage.cache_creation.input_tokens": cacheWriteTokens,
    "gen_ai.usage.reasoning.output_tokens": reasoningTokens,
    "gen_ai.response.time_to_first_chunk":
      firstByteMs === undefined ? undefined : Math.max(0, firstByteMs - startedMs) / 1000,
  };
};

/**
 * Follows requests from their arrival to their charge, and reports each with its attempts as spans, once it is over.
 * Spans contain no key, and no content of requests and answers.
 */
export class Tracer {
  private readonly sample: Sampler;

  constructor(private readonly tools: TracerTools) {
    this.sample = createSampler(tools.settings.sampler, tools.settings.ratio);
  }

  /**
   * @param isRelayed whether it is sent to a channel.
   * @returns undefined for a request that leaves no trace at all.
   */
  begin(request: IncomingMessage, requestId: string, isRelayed: boolean): BegunTrace | undefined {
    const parent = readTraceparent(request.headers.traceparent);
    const traceId = parent?.traceId ?? createTraceId();
    const isRecorded = this.sample(traceId, parent);
    if (!isRecorded && !this.tools.settings.sendsContext) return undefined;
    const route = routeOf(request.url ?? "");
    const method = request.method ?? "";
    const { tools } = this;
    return new ActiveTrace(tools, traceId, parent?.parentId, isRecorded, method, route, requestId, isRelayed);
  }
}
