import type { GatewayErrorCode } from "@tollgate/contract/relay/error";
import { FULL_OUTCOME } from "@tollgate/relay/pipeline/record-request";
import type { AttemptRecord, ChargeRecord, RequestRecord } from "@tollgate/relay/ports/charges";
import type { EndedRequests } from "../engines/engine";
import { type DeclaredMetric, METRICS } from "./catalogue";
import { writeHead, writeLabels, writeOne, writeSample } from "./exposition";
import { Histogram } from "./histogram";

/** Label of all models, or channels, without their own series. */
const OTHER = "other";

/** Maximum number of pairs of a model and a channel, and of channels, with their own series. */
const MAX_PAIRS = 5000;
const MAX_MODELS = 1000;
const MAX_CHANNELS = 1000;

/** In seconds: a chat may take minutes, an embedding some milliseconds. */
const DURATION_BOUNDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30, 60, 120, 300, 600];
const FIRST_BYTE_BOUNDS = [0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 60];

/** In seconds: no caller waits for long. */
const QUEUE_BOUNDS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Sums of a model at a channel: each has a fixed index in one array. */
const SUMS = [
  "input",
  "output",
  "cache_read",
  "cache_write",
  "audio_input",
  "audio_output",
  "reasoning",
  "quota",
  "shortfall",
] as const;
const [INPUT, OUTPUT, CACHE_READ, CACHE_WRITE, AUDIO_INPUT, AUDIO_OUTPUT, REASONING, QUOTA, SHORTFALL] = [
  0, 1, 2, 3, 4, 5, 6, 7, 8,
] as const;

/** Requests of one API and operation, by how they ended. */
interface Ends {
  readonly protocol: string;
  readonly operation: string;
  readonly counts: Record<RequestRecord["end"], number>;
  /** As they are written. */
  readonly labels: string;
}

/** One model at one channel. */
class PairCounters {
  readonly sums = new Float64Array(SUMS.length);
  /** Hardly ever more than two. */
  readonly ends: Ends[] = [];

  /** @param labels as they are written. */
  constructor(readonly labels: string) {}

  count({ protocol, operation, end }: RequestRecord): void {
    for (const ends of this.ends) {
      if (ends.protocol !== protocol || ends.operation !== operation) continue;
      ends.counts[end] += 1;
      return;
    }
    const counts = { complete: 0, "client-left": 0, interrupted: 0, failed: 0 };
    counts[end] = 1;
    const labels = `${this.labels},${writeLabels({ protocol, operation })}`;
    this.ends.push({ protocol, operation, counts, labels });
  }
}

/** One model. */
class ModelCounters {
  readonly pairs = new Map<number, PairCounters>();
  readonly whole = new Histogram(DURATION_BOUNDS);
  readonly streamed = new Histogram(DURATION_BOUNDS);
  readonly firstByte = new Histogram(FIRST_BYTE_BOUNDS);

  /** @param labels as they are written. */
  constructor(readonly labels: string) {}
}

/** Tries at one channel. */
class ChannelCounters {
  readonly outcomes = new Map<string, number>();
  /** Number of requests that skipped it because it was full: it was not tried. */
  full = 0;
  readonly firstByte = new Histogram(FIRST_BYTE_BOUNDS);

  /** @param labels as they are written. */
  constructor(readonly labels: string) {}

  count({ outcome, firstByteMs }: AttemptRecord): void {
    if (outcome === FULL_OUTCOME) {
      this.full += 1;
      return;
    }
    this.outcomes.set(outcome, (this.outcomes.get(outcome) ?? 0) + 1);
    if (firstByteMs !== undefined) this.firstByte.observe(firstByteMs / 1000);
  }
}

/** A copy that keeps nothing else in memory: a name may be a part of a whole request. */
const copyOf = (text: string): string => Buffer.from(text).toString();

const modelLabels = (model: string): string => writeLabels({ model });

/** No channel was tried. */
const NO_CHANNEL = "none";
/** Number that stands for all channels without their own series. */
const OTHER_CHANNEL = -1;

const channelLabels = (id: number): string => {
  if (id === OTHER_CHANNEL) return writeLabels({ channel: OTHER });
  return writeLabels({ channel: id === 0 ? NO_CHANNEL : id });
};

/** Maximum numbers of series. */
export interface SeriesLimits {
  readonly pairs: number;
  readonly models: number;
  readonly channels: number;
}

/**
 * Counts requests when they end: each costs a few additions in arrays, and no client can make the series grow. The text
 * for Prometheus is written on request.
 */
export class RequestCounters implements EndedRequests {
  private readonly models = new Map<string, ModelCounters>();
  /** The same by labels: names that differ only in characters that no label contains count together. */
  private readonly byLabels = new Map<string, ModelCounters>();
  private readonly others = new ModelCounters(modelLabels(OTHER));
  private readonly channels = new Map<number, ChannelCounters>();
  private readonly refusals = new Map<GatewayErrorCode, number>();
  private pairs = 0;
  private overflow = 0;
  private readonly served = new Histogram(QUEUE_BOUNDS);
  private readonly unserved = new Histogram(QUEUE_BOUNDS);
  private lostCharges = 0;
  private lostQuota = 0;

  /** @param isOffered whether a channel lists the model for the caller: called for each name without a series. */
  constructor(
    private readonly isOffered: (request: RequestRecord) => boolean,
    private readonly limits: SeriesLimits = {
      pairs: MAX_PAIRS,
      models: MAX_MODELS,
      channels: MAX_CHANNELS,
    },
  ) {}

  charged(record: ChargeRecord, quota: number): void {
    const { sums } = this.count(record);
    const { usage } = record;
    (sums[INPUT] as number) += record.promptTokens;
    (sums[OUTPUT] as number) += record.completionTokens;
    (sums[CACHE_READ] as number) += usage.cacheReadTokens ?? 0;
    (sums[CACHE_WRITE] as number) += usage.cacheWriteTokens ?? 0;
    (sums[AUDIO_INPUT] as number) += usage.audioInputTokens ?? 0;
    (sums[AUDIO_OUTPUT] as number) += usage.audioOutputTokens ?? 0;
    (sums[REASONING] as number) += usage.reasoningTokens ?? 0;
    (sums[QUOTA] as number) += quota;
    // The amount charged beyond the record reduces its shortfall.
    (sums[SHORTFALL] as number) += Math.max(0, record.shortfall - (quota - record.quota));
  }

  failed(record: RequestRecord): void {
    this.count(record);
  }

  lost(record: ChargeRecord): void {
    this.lostCharges += 1;
    this.lostQuota += record.quota;
  }

  /** A request has waited for a full channel. @param isServed whether it found a slot there, or at another one. */
  waited(waitMs: number, isServed: boolean): void {
    (isServed ? this.served : this.unserved).observe(waitMs / 1000);
  }

  /** A client received an error. */
  refused(code: GatewayErrorCode): void {
    this.refusals.set(code, (this.refusals.get(code) ?? 0) + 1);
  }

  private count(record: RequestRecord): PairCounters {
    const model = this.models.get(record.requestedModel) ?? this.addModel(record);
    const seconds = record.durationMs / 1000;
    if (record.isStream) {
      model.streamed.observe(seconds);
      if (record.firstByteMs !== undefined) model.firstByte.observe(record.firstByteMs / 1000);
    } else model.whole.observe(seconds);
    for (const attempt of record.attempts) {
      const channel = this.channels.get(attempt.channelId) ?? this.addChannel(attempt.channelId);
      channel.count(attempt);
    }
    const pair = model.pairs.get(record.channelId) ?? this.addPair(model, record.channelId);
    pair.count(record);
    return pair;
  }

  private addModel(record: RequestRecord): ModelCounters {
    if (!this.isOffered(record)) return this.others;
    if (this.models.size >= this.limits.models) {
      this.overflow += 1;
      return this.others;
    }
    const name = copyOf(record.requestedModel);
    const labels = modelLabels(name);
    const isOthers = labels === this.others.labels;
    const model = isOthers ? this.others : (this.byLabels.get(labels) ?? new ModelCounters(labels));
    this.models.set(name, model);
    this.byLabels.set(labels, model);
    return model;
  }

  private addPair({ pairs, labels }: ModelCounters, channelId: number): PairCounters {
    if (this.pairs < this.limits.pairs) {
      const pair = new PairCounters(`${labels},${channelLabels(channelId)}`);
      pairs.set(channelId, pair);
      this.pairs += 1;
      return pair;
    }
    this.overflow += 1;
    const { pairs: rest } = this.others;
    const pair =
      rest.get(OTHER_CHANNEL) ?? new PairCounters(`${this.others.labels},${channelLabels(OTHER_CHANNEL)}`);
    rest.set(OTHER_CHANNEL, pair);
    return pair;
  }

  private addChannel(id: number): ChannelCounters {
    const isRoom = this.channels.size < this.limits.channels;
    if (!isRoom) this.overflow += 1;
    const key = isRoom ? id : OTHER_CHANNEL;
    const channel = this.channels.get(key) ?? new ChannelCounters(channelLabels(key));
    this.channels.set(key, channel);
    return channel;
  }

  /** Writes everything, in pieces between which other work may run. */
  *write(): Generator<string> {
    const models = new Set([...this.models.values(), this.others]);
    yield writeHead(METRICS.requests);
    for (const { pairs } of models) yield this.writeEnds(pairs);
    yield* this.writeSums(models, METRICS.tokens, "direction", [INPUT, OUTPUT]);
    const parts = [CACHE_READ, CACHE_WRITE, AUDIO_INPUT, AUDIO_OUTPUT, REASONING];
    yield* this.writeSums(models, METRICS.tokenParts, "part", parts);
    yield* this.writeSums(models, METRICS.quota, undefined, [QUOTA]);
    yield* this.writeSums(models, METRICS.shortfall, undefined, [SHORTFALL]);
    const { name: duration } = METRICS.requestDuration;
    yield writeHead(METRICS.requestDuration);
    for (const { labels, whole, streamed } of models) {
      yield whole.write(duration, `${labels},stream="false"`);
      yield streamed.write(duration, `${labels},stream="true"`);
    }
    yield writeHead(METRICS.firstByte);
    for (const { labels, firstByte } of models) yield firstByte.write(METRICS.firstByte.name, labels);
    yield* this.writeChannels();
    yield writeHead(METRICS.refusals);
    for (const [code, count] of this.refusals)
      yield writeSample(METRICS.refusals.name, writeLabels({ code }), count);
    yield writeOne(METRICS.lostCharges, this.lostCharges);
    yield writeOne(METRICS.lostQuota, this.lostQuota);
    yield writeOne(METRICS.labelOverflow, this.overflow);
  }

  private writeEnds(pairs: ReadonlyMap<number, PairCounters>): string {
    let text = "";
    for (const { ends } of pairs.values())
      for (const { labels, counts } of ends)
        for (const [outcome, count] of Object.entries(counts))
          if (count > 0) text += writeSample(METRICS.requests.name, `${labels},outcome="${outcome}"`, count);
    return text;
  }

  private *writeSums(
    models: Iterable<ModelCounters>,
    metric: DeclaredMetric,
    label: string | undefined,
    places: readonly number[],
  ): Generator<string> {
    yield writeHead(metric);
    for (const { pairs } of models) {
      let text = "";
      for (const { labels, sums } of pairs.values()) {
        for (const place of places) {
          const sum = sums[place] as number;
          // Sums that a model never reports would be most of the text.
          if (sum === 0 && place !== QUOTA) continue;
          const more = label === undefined ? "" : `,${label}="${SUMS[place]}"`;
          text += writeSample(metric.name, labels + more, sum);
        }
      }
      yield text;
    }
  }

  private *writeChannels(): Generator<string> {
    yield writeHead(METRICS.attempts);
    for (const { labels, outcomes } of this.channels.values()) {
      let text = "";
      for (const [outcome, count] of outcomes)
        text += writeSample(METRICS.attempts.name, `${labels},${writeLabels({ outcome })}`, count);
      yield text;
    }
    yield writeHead(METRICS.channelFull);
    for (const { labels, full } of this.channels.values())
      if (full > 0) yield writeSample(METRICS.channelFull.name, labels, full);
    yield writeHead(METRICS.queueWait);
    yield this.served.write(METRICS.queueWait.name, writeLabels({ outcome: "served" }));
    yield this.unserved.write(METRICS.queueWait.name, writeLabels({ outcome: "refused" }));
    yield writeHead(METRICS.attemptFirstByte);
    for (const { labels, firstByte } of this.channels.values())
      yield firstByte.write(METRICS.attemptFirstByte.name, labels);
  }
}
