import type { Metric } from "./exposition";

/** A metric with the names of its labels, in their order. */
export interface DeclaredMetric extends Metric {
  readonly labels: readonly string[];
}

const counter = (name: string, help: string, ...labels: string[]): DeclaredMetric => ({
  name: `tollgate_${name}_total`,
  kind: "counter",
  help,
  labels,
});

const gauge = (name: string, help: string, ...labels: string[]): DeclaredMetric => ({
  name: `tollgate_${name}`,
  kind: "gauge",
  help,
  labels,
});

const histogram = (name: string, help: string, ...labels: string[]): DeclaredMetric => ({
  name: `tollgate_${name}`,
  kind: "histogram",
  help,
  labels,
});

/**
 * Every metric of `/metrics`. No label contains a value that a client may choose: models are those that channels offer,
 * and "other"; channels are identified by their number, which `tollgate_channel_info` maps to a name.
 */
export const METRICS = {
  build: gauge("build_info", "The version that runs, with the value 1.", "version", "node"),
  ready: gauge("ready", "Whether new requests are taken, as /readyz says: 1 or 0."),
  requests: counter(
    "requests",
    "Requests for models that reached routing, by how they ended.",
    "protocol",
    "operation",
    "model",
    "channel",
    "outcome",
  ),
  refusals: counter("refusals", "Errors that clients were told, by what was wrong.", "code"),
  begun: counter("requests_begun", "Requests for models that began."),
  requestDuration: histogram(
    "request_duration_seconds",
    "Time from the begin of a request to the end of its answer.",
    "model",
    "stream",
  ),
  firstByte: histogram(
    "time_to_first_byte_seconds",
    "Time from the begin of a streamed request to the first bytes of its answer.",
    "model",
  ),
  attempts: counter("upstream_attempts", "Tries at channels, by what came of them.", "channel", "outcome"),
  channelFull: counter(
    "upstream_full",
    "How often a channel was left out because its limits were reached.",
    "channel",
  ),
  channelInUse: gauge(
    "upstream_requests_in_flight",
    "Requests of this node at a channel that has limits.",
    "channel",
  ),
  channelLimit: gauge("upstream_limit", "Limits of a channel, all its keys together.", "channel", "limit"),
  queueLength: gauge("upstream_queue", "Requests that wait for a full channel."),
  queueWait: histogram(
    "upstream_queue_seconds",
    "How long requests waited for a full channel, and whether they found a place.",
    "outcome",
  ),
  attemptFirstByte: histogram(
    "upstream_first_byte_seconds",
    "Time from asking a channel to the head of its answer.",
    "channel",
  ),
  tokens: counter(
    "tokens",
    "Tokens that were charged, as the log has them.",
    "model",
    "channel",
    "direction",
  ),
  tokenParts: counter(
    "token_parts",
    "Parts of the tokens that upstreams told of: of the input those read from and written to a cache and of sound, of the output those of sound and of reasoning.",
    "model",
    "channel",
    "part",
  ),
  quota: counter("quota_charged", "Quota that was charged, as the log has it.", "model", "channel"),
  shortfall: counter(
    "quota_shortfall",
    "Quota that answers would have cost beyond what balances had.",
    "model",
    "channel",
  ),
  lostCharges: counter(
    "lost_charges",
    "Charges of delivered answers that could never be stored: each is in the process log.",
  ),
  lostQuota: counter("lost_quota", "Quota of the charges that could never be stored."),
  labelOverflow: counter(
    "label_overflow",
    "Requests that were counted as those of another model or channel, because there were too many series.",
  ),
  inFlight: gauge("requests_in_flight", "Requests under way, by what they wait for.", "state"),
  admissionsWaiting: gauge("admissions_waiting", "Requests that wait to be let in by limits."),
  holds: gauge("holds", "Requests for which quota is set aside."),
  heldQuota: gauge("held_quota", "Quota that is set aside of users' balances."),
  bodyBytes: gauge("request_body_bytes", "Memory for the bodies of requests under way."),
  countingWaiting: gauge("counting_waiting", "Texts that wait for the tokenizer."),
  chargesWaiting: gauge("charges_waiting", "Answers of which the last byte waits for its charge."),
  chargeWait: gauge("charge_wait_seconds", "How long the first of them has waited."),
  chargesLate: gauge(
    "charges_late",
    "Charges of delivered answers that are not stored yet, and tried again.",
  ),
  failuresWaiting: gauge("failures_waiting", "Failed requests on their way to the log."),
  openCircuits: gauge(
    "open_circuits",
    "Keys of a channel that are left alone because they fail, each with one model or with all.",
    "channel",
  ),
  channels: gauge("channels", "Channels, by whether they are in use.", "status"),
  channelInfo: gauge("channel_info", "What a channel is called, with the value 1.", "channel", "name"),
  channelEnabled: gauge("channel_enabled", "Whether a channel is in use: 1 or 0.", "channel"),
  channelDeadKeys: gauge(
    "channel_keys_out_of_use",
    "Keys of a channel that the gateway has taken out of use.",
    "channel",
  ),
  journalBatches: gauge("journal_batches", "Batches of charges that the accounts' file does not have yet."),
  journalBytes: gauge(
    "journal_bytes",
    "Size of the batches of charges that the accounts' file does not have yet.",
  ),
  outboxBatches: gauge("outbox_batches", "Batches of which the log does not have the lines yet."),
  feedLag: gauge("feed_lag_seconds", "How late changes of other nodes hold here."),
  databaseConnections: gauge("database_connections", "Open connections to the database."),
  databaseWaiting: gauge("database_waiting", "Questions that wait for a connection to the database."),
  leasedAccounts: gauge("leased_accounts", "Users and keys of which this node leases quota."),
  leasedQuota: gauge("leased_quota", "Quota that this node leases of users' balances."),
  leasedHeldQuota: gauge("leased_held_quota", "The part of it that is set aside for requests."),
  eventLoopDelay: gauge(
    "event_loop_delay_seconds",
    "The longest that anything waited for its turn of the event loop in the last ten seconds.",
  ),
  eventLoopBusy: counter("event_loop_busy_seconds", "Time that the event loop was at work."),
  spans: counter("spans", "Spans of traces, by whether the collector took them.", "outcome"),
  cpu: {
    name: "process_cpu_seconds_total",
    kind: "counter",
    help: "CPU time of the process, of all its threads.",
    labels: [],
  },
  residentMemory: {
    name: "process_resident_memory_bytes",
    kind: "gauge",
    help: "Memory of the process.",
    labels: [],
  },
  startTime: {
    name: "process_start_time_seconds",
    kind: "gauge",
    help: "When the process started, in seconds since the epoch.",
    labels: [],
  },
  heapUsed: {
    name: "nodejs_heap_size_used_bytes",
    kind: "gauge",
    help: "Memory of objects of the thread that relays.",
    labels: [],
  },
  externalMemory: {
    name: "nodejs_external_memory_bytes",
    kind: "gauge",
    help: "Memory of buffers outside of the heap.",
    labels: [],
  },
} as const satisfies Readonly<Record<string, DeclaredMetric>>;
