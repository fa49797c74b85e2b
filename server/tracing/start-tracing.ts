import type { Channels } from "@tollgate/relay/routing/channels";
import { upstreamModelOf } from "@tollgate/relay/routing/upstream-target";
import type { EndedRequests } from "../engines/engine";
import type { SpanCounts } from "../metrics/write-standing";
import { SpanExporter } from "./span-exporter";
import { Tracer } from "./tracer";
import type { TracingSettings } from "./tracing-settings";

/** Traces of requests, on their way to a collector. */
export interface Tracing {
  tracer: Tracer;
  spans(): SpanCounts;
  /** Sends waiting spans. */
  close(): Promise<void>;
}

/** Reports requests to the counters, and to the traces of those that have one. */
export const alsoTraced = (counters: EndedRequests): EndedRequests => ({
  charged(record, quota) {
    counters.charged(record, quota);
    record.trace?.ended(record, quota);
  },
  failed(record) {
    counters.failed(record);
    record.trace?.ended(record, undefined);
  },
  lost(record) {
    counters.lost(record);
    record.trace?.ended(record, undefined);
  },
});

/** @param report called when the collector begins to fail. */
export const startTracing = (
  settings: TracingSettings,
  channels: Pick<Channels, "keysOf">,
  report: (reason: string) => void,
): Tracing => {
  const exporter = new SpanExporter(settings, report);
  const tracer = new Tracer({
    settings,
    exporter,
    findChannel(id) {
      const [target] = channels.keysOf(id);
      if (!target) return undefined;
      const { vendor, origin, channel } = target;
      return {
        provider: vendor.providerName ?? vendor.name.toLowerCase(),
        origin,
        modelOf: (model) => upstreamModelOf(channel, model),
      };
    },
    now: Date.now,
  });
  return {
    tracer,
    spans: () => ({ sent: exporter.sent, dropped: exporter.dropped }),
    close: () => exporter.close(),
  };
};
