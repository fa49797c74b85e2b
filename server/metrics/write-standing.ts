import type { Channel } from "@tollgate/contract/api/channels";
import {
  CHANNEL_DISABLED_AUTOMATICALLY,
  CHANNEL_DISABLED_BY_HAND,
  CHANNEL_ENABLED,
} from "@tollgate/contract/values/statuses";
import { PRODUCT_VERSION } from "@tollgate/contract/version";
import type { RelayStanding } from "@tollgate/relay/relay";
import type { ChargeBacklog, StorageLag } from "../engines/engine";
import { METRICS } from "./catalogue";
import { writeHead, writeLabels, writeOne, writeSample } from "./exposition";

/** Spans that were given to a collector, and those that were not. */
export interface SpanCounts {
  readonly sent: number;
  readonly dropped: number;
}

/** Sources read at each scrape; all of them are in memory. */
export interface StandingSources {
  isReady(): boolean;
  relay: { readonly begun: number; standing(): RelayStanding };
  channels: { overview(): Iterable<{ channel: Channel; deadKeys: number }> };
  backlog(): ChargeBacklog;
  lag(): StorageLag;
  /** Texts that wait for the tokenizer. */
  waitingTexts(): number;
  /** Memory for bodies. */
  bodyBytes(): number;
  /** The longest delay of the event loop lately. */
  eventLoopDelayMs(): number;
  /** undefined where nothing is traced. */
  spans(): SpanCounts | undefined;
}

/** Maximum number of channels listed one by one. */
const MAX_CHANNELS = 1000;

const STATUS_NAMES: Readonly<Record<number, string>> = {
  [CHANNEL_ENABLED]: "enabled",
  [CHANNEL_DISABLED_BY_HAND]: "disabled_by_hand",
  [CHANNEL_DISABLED_AUTOMATICALLY]: "disabled_automatically",
};

const bit = (is: boolean): number => (is ? 1 : 0);

const writeRelay = ({ relay, isReady, waitingTexts, bodyBytes }: StandingSources): string => {
  const { admissions, states, holds, heldQuota, openCircuits, queued, inUse } = relay.standing();
  let text = writeHead(METRICS.build);
  text += writeSample(
    METRICS.build.name,
    writeLabels({ version: PRODUCT_VERSION, node: process.version }),
    1,
  );
  text += writeOne(METRICS.ready, bit(isReady()));
  text += writeOne(METRICS.begun, relay.begun);
  text += writeHead(METRICS.inFlight);
  for (const [state, count] of states)
    text += writeSample(METRICS.inFlight.name, writeLabels({ state }), count);
  text += writeOne(METRICS.admissionsWaiting, admissions);
  text += writeOne(METRICS.holds, holds);
  text += writeOne(METRICS.heldQuota, heldQuota);
  text += writeOne(METRICS.bodyBytes, bodyBytes());
  text += writeOne(METRICS.countingWaiting, waitingTexts());
  text += writeOne(METRICS.queueLength, queued);
  text += writeHead(METRICS.channelInUse);
  for (const [channel, count] of inUse)
    text += writeSample(METRICS.channelInUse.name, writeLabels({ channel }), count);
  text += writeHead(METRICS.openCircuits);
  for (const [channel, count] of openCircuits)
    text += writeSample(METRICS.openCircuits.name, writeLabels({ channel }), count);
  return text;
};

const writeChannels = ({ channels }: StandingSources): string => {
  const byStatus = new Map(Object.values(STATUS_NAMES).map((status) => [status, 0]));
  let [info, enabled, dead, limits] = ["", "", "", ""];
  let told = 0;
  for (const { channel, deadKeys } of channels.overview()) {
    const status = STATUS_NAMES[channel.status] ?? "unknown";
    byStatus.set(status, (byStatus.get(status) ?? 0) + 1);
    if (told >= MAX_CHANNELS) continue;
    told += 1;
    const labels = writeLabels({ channel: channel.id });
    info += writeSample(
      METRICS.channelInfo.name,
      writeLabels({ channel: channel.id, name: channel.name }),
      1,
    );
    enabled += writeSample(METRICS.channelEnabled.name, labels, bit(channel.status === CHANNEL_ENABLED));
    dead += writeSample(METRICS.channelDeadKeys.name, labels, deadKeys);
    const { rpm, tpm, concurrency } = channel;
    for (const [limit, value] of Object.entries({ rpm, tpm, concurrency }))
      if (value !== undefined)
        limits += writeSample(METRICS.channelLimit.name, writeLabels({ channel: channel.id, limit }), value);
  }
  let text = writeHead(METRICS.channels);
  for (const [status, count] of byStatus)
    text += writeSample(METRICS.channels.name, writeLabels({ status }), count);
  text += writeHead(METRICS.channelInfo) + info;
  text += writeHead(METRICS.channelEnabled) + enabled;
  text += writeHead(METRICS.channelLimit) + limits;
  return text + writeHead(METRICS.channelDeadKeys) + dead;
};

const writeStorage = ({ backlog, lag, spans }: StandingSources): string => {
  const { waiting, longestMs, late, failures } = backlog();
  const { journalBatches, journalBytes, outboxBatches, feedMs, connections, connectionsWaiting, leases } =
    lag();
  const traced = spans();
  let text = writeOne(METRICS.chargesWaiting, waiting);
  text += writeOne(METRICS.chargeWait, longestMs / 1000);
  text += writeOne(METRICS.chargesLate, late);
  text += writeOne(METRICS.failuresWaiting, failures);
  const known = [
    [METRICS.journalBatches, journalBatches],
    [METRICS.journalBytes, journalBytes],
    [METRICS.outboxBatches, outboxBatches],
    [METRICS.feedLag, feedMs === undefined ? undefined : feedMs / 1000],
    [METRICS.databaseConnections, connections],
    [METRICS.databaseWaiting, connectionsWaiting],
    [METRICS.leasedAccounts, leases?.accounts],
    [METRICS.leasedQuota, leases?.quota],
    [METRICS.leasedHeldQuota, leases?.held],
  ] as const;
  // Values that this engine lacks are omitted, not 0.
  for (const [metric, value] of known) if (value !== undefined) text += writeOne(metric, value);
  if (traced) {
    text += writeHead(METRICS.spans);
    for (const outcome of ["sent", "dropped"] as const)
      text += writeSample(METRICS.spans.name, writeLabels({ outcome }), traced[outcome]);
  }
  return text;
};

const writeProcess = ({ eventLoopDelayMs }: StandingSources): string => {
  const { rss, heapUsed, external } = process.memoryUsage();
  const { user, system } = process.cpuUsage();
  return [
    writeOne(METRICS.eventLoopDelay, eventLoopDelayMs() / 1000),
    writeOne(METRICS.eventLoopBusy, performance.eventLoopUtilization().active / 1000),
    writeOne(METRICS.cpu, (user + system) / 1e6),
    writeOne(METRICS.residentMemory, rss),
    writeOne(METRICS.heapUsed, heapUsed),
    writeOne(METRICS.externalMemory, external),
    writeOne(METRICS.startTime, performance.timeOrigin / 1000),
  ].join("");
};

/** Writes the current state. */
export function* writeStanding(sources: StandingSources): Generator<string> {
  yield writeRelay(sources);
  yield writeChannels(sources);
  yield writeStorage(sources);
  yield writeProcess(sources);
}
