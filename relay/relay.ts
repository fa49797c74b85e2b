import type { ChannelUse } from "@tollgate/contract/management/channel-limits";
import { Admissions } from "./admission/admissions";
import { enter, isRefusal } from "./admission/admit";
import { chooseAtBudget } from "./admission/at-budget";
import { withAlias } from "./admission/resolve-model";
import { IndexedSet } from "./indexed-set";
import { MemoryRates } from "./limits/memory-rates";
import type { RateSubject } from "./limits/rates";
import { UpstreamLimits } from "./limits/upstream-limits";
import { UpstreamQueue } from "./limits/upstream-queue";
import type { RoutingMemory } from "./pipeline/channel-search";
import type { ChatJob } from "./pipeline/chat-body";
import { ChatTask } from "./pipeline/chat-task";
import { type Counted, type CountJob, countPrompt } from "./pipeline/count-prompt";
import { Exchange } from "./pipeline/exchange";
import type { ExchangeJob } from "./pipeline/exchange-core";
import { type OperationJob, OperationTask } from "./pipeline/operation-task";
import { recordRefused } from "./pipeline/record-request";
import { refusalOfError } from "./pipeline/refusal-of-error";
import { sendRefusal } from "./pipeline/send-refusal";
import type { Task } from "./pipeline/task";
import type { Refusal } from "./ports/client";
import type { UpstreamTarget } from "./ports/directory";
import type { LimitPass } from "./ports/limits";
import type { RelayPorts } from "./ports/relay-ports";
import { chooseGroup, groupsOf } from "./routing/choose-group";
import { Circuits } from "./routing/circuits";
import { type MeasuredSpeed, Speeds } from "./routing/speeds";
import { StickySessions } from "./routing/sticky-sessions";

/** Status of the running requests, for operators. */
export interface RelayStanding {
  /** Number of requests waiting for admission. */
  readonly admissions: number;
  /** Number of requests per state (docs/request.md). */
  readonly states: ReadonlyMap<string, number>;
  /** Number of requests with a hold, and the sum of their holds. */
  readonly holds: number;
  readonly heldQuota: number;
  /**
   * Channels with keys that are paused after failures, and the number of such keys per channel (paused for some model,
   * or all).
   */
  readonly openCircuits: ReadonlyMap<number, number>;
  /** Number of requests waiting for a full channel. */
  readonly queued: number;
  /** Requests at channels that have limits, by the channels' ids. */
  readonly inUse: ReadonlyMap<number, number>;
}

export interface Relay {
  /** Runs one admitted and parsed chat to its end. */
  run(job: ChatJob): void;
  /** Runs an admitted and parsed operation other than a chat. */
  runOperation(job: OperationJob): void;
  /**
   * Counts the tokens of an admitted and parsed chat, free of charge.
   * @param done called once.
   */
  count(job: CountJob, done: (counted: Counted) => void): void;
  /** Number of running requests. */
  readonly active: number;
  /** Number of requests started since the process started. */
  readonly begun: number;
  /** Current status of the requests; iterates over all of them. */
  standing(): RelayStanding;
  /** Recent speeds of channel keys, by the models' names for clients. */
  speedsOf(targets: readonly UpstreamTarget[]): MeasuredSpeed[];
  /**
   * Usage of channel limits: summed over all nodes when these count together; queued requests are this node's only.
   * @param targets the keys of channels that have limits.
   */
  channelUse(targets: readonly UpstreamTarget[]): Promise<ChannelUse[]>;
  /**
   * Drains the running requests.
   * @param patienceMs after this time, running requests are interrupted: their clients are informed, and the delivered
   * part is charged.
   */
  drain(patienceMs: number): Promise<void>;
}

const standingOf = (
  exchanges: IndexedSet<Exchange>,
  admissions: Admissions,
  { circuits, upstreams, queue }: RoutingMemory,
): RelayStanding => {
  const states = new Map<string, number>();
  let holds = 0;
  let heldQuota = 0;
  for (const exchange of exchanges.values()) {
    states.set(exchange.stateName, (states.get(exchange.stateName) ?? 0) + 1);
    if (exchange.heldQuota === undefined) continue;
    holds += 1;
    heldQuota += exchange.heldQuota;
  }
  const openCircuits = circuits.countOpen();
  const { inUse } = upstreams;
  return {
    admissions: admissions.size,
    states,
    holds,
    heldQuota,
    openCircuits,
    queued: queue.size,
    inUse,
  };
};

const channelUseOf = async (
  targets: readonly UpstreamTarget[],
  { upstreams, queue }: RoutingMemory,
): Promise<ChannelUse[]> => {
  // Avoids double counting: the whole channel is counted if it has a limit, else its keys are.
  const bySubject = new Map<RateSubject, number>();
  for (const { channel, limited = [] } of targets) {
    const [first] = limited;
    if (first) bySubject.set(first, channel.id);
  }
  const uses = await upstreams.look([...bySubject.keys()]);
  const byChannel = new Map<number, ChannelUse>();
  for (const [index, id] of [...bySubject.values()].entries()) {
    const sum = byChannel.get(id) ?? { id, requests: 0, tokens: 0, active: 0, waiting: 0 };
    sum.requests += uses[index]?.requests ?? 0;
    sum.tokens += uses[index]?.tokens ?? 0;
    sum.active += uses[index]?.active ?? 0;
    byChannel.set(id, sum);
  }
  for (const waiter of queue.waiters())
    for (const id of waiter.channelIds()) {
      const sum = byChannel.get(id);
      if (sum) sum.waiting += 1;
    }
  return [...byChannel.values()];
};

/**
 * Queries the other nodes for the channel that has the conversation of a request cached; undefined when no query is
 * needed.
 */
const findWarm = (
  { directory }: RelayPorts,
  sessions: StickySessions,
  { key, pinned }: ExchangeJob,
  task: Task,
): Promise<void> | undefined => {
  const candidates =
    pinned ?? directory.candidates(chooseGroup(directory, groupsOf(directory, key), task.model), task.model);
  const session = candidates.length > 1 ? task.session(key.id) : undefined;
  return session === undefined ? undefined : sessions.fetch(session);
};
/** Refuses a request before it starts. */
const refuse = (ports: RelayPorts, job: ExchangeJob, task: Task, refusal: Refusal): void => {
  const { requestId, key, client, alias } = job;
  const { model, operation = "chat", isStream = false } = task;
  const refused = { requestId, key, protocol: client.name, operation, model, alias, isStream };
  const named = withAlias(refusal, { model, alias });
  ports.charges.noteRefused(recordRefused(refused, named, ports.now()));
  sendRefusal(job, named);
};
/** Answers a request that failed internally while it waited: no other code would answer its client. */
const fail = (ports: RelayPorts, job: ExchangeJob, error: unknown): void => {
  const refusal = refusalOfError(error);
  const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
  if (!refusal) ports.reportFailure({ requestId: job.requestId, channelId: 0, kind: "internal", detail });
  if (job.response.headersSent) job.response.destroy();
  else sendRefusal(job, refusal ?? { code: "internal" });
};
/** The engine. */
export const createRelay = (ports: RelayPorts): Relay => {
  const exchanges = new IndexedSet<Exchange>();
  let begun = 0;
  let onIdle: (() => void) | undefined;
  const reportIdle = (): void => {
    if (exchanges.size + admissions.size === 0) onIdle?.();
  };
  const admissions = new Admissions(reportIdle);
  const sessions = new StickySessions(ports.now, ports.conversations);
  const { upstreamBounds: bounds } = ports;
  const queue = new UpstreamQueue({ length: () => bounds?.queueLength() ?? 0, now: ports.now });
  const rates = bounds?.rates ?? new MemoryRates(ports.now);
  const upstreams = new UpstreamLimits(rates, ports.now, () => queue.serve());
  const routing = {
    circuits: new Circuits(ports.now),
    sessions,
    speeds: new Speeds(ports.now),
    upstreams,
    queue,
  };
  /** @param pass released when the request has ended. */
  const run = (job: ExchangeJob, task: Task, pass: LimitPass | undefined): void => {
    // A stream that is still read after its client left keeps the request's bytes in memory.
    const giveBack = job.memory.keep();
    let isOver = false;
    const end = (ended: Exchange | undefined): void => {
      // A request that failed to start may have ended already.
      if (isOver) return;
      isOver = true;
      if (ended) exchanges.delete(ended);
      giveBack();
      pass?.leave();
      reportIdle();
    };
    let exchange: Exchange | undefined;
    try {
      exchange = new Exchange(ports, routing, job, task, end);
      exchanges.add(exchange);
      begun += 1;
      exchange.start();
    } catch (error) {
      end(exchange);
      throw error;
    }
  };
  const begin = (job: ExchangeJob, task: Task, pass: LimitPass | undefined): void =>
    run(pass ? { ...job, headers: { ...job.headers, ...pass.headers } } : job, task, pass);
  const start = (admitted: ExchangeJob, task: Task): void => {
    const atBudget = chooseAtBudget(ports, admitted, task);
    const job = atBudget ? { ...admitted, atBudget } : admitted;
    const warm = ports.conversations && findWarm(ports, sessions, job, task);
    const pass = enter(ports, job.key, task, job.client.limitHeaders, atBudget);
    if (pass && isRefusal(pass)) refuse(ports, job, task, pass);
    else if (warm || (pass && "then" in pass)) {
      admissions.wait(pass, warm, {
        isGone: () => job.response.destroyed,
        enter: (entered) => begin(job, task, entered),
        refuse: (refusal: Refusal) => refuse(ports, job, task, refusal),
        fail: (error) => fail(ports, job, error),
      });
    } else begin(job, task, pass);
  };
  return {
    get active() {
      return exchanges.size + admissions.size;
    },
    get begun() {
      return begun;
    },
    standing: () => standingOf(exchanges, admissions, routing),
    speedsOf: (targets) => targets.flatMap(({ id }) => routing.speeds.of(id)),
    channelUse: (targets) => channelUseOf(targets, routing),
    run: (job) => start(job, new ChatTask(ports, job)),
    runOperation: (job) => start(job, new OperationTask(ports, job)),
    count: (job, done) => countPrompt(job, ports, admissions, done),
    async drain(patienceMs) {
      if (exchanges.size + admissions.size === 0) return;
      await new Promise<void>((resolve) => {
        onIdle = resolve;
        setTimeout(() => {
          admissions.interrupt();
          for (const exchange of exchanges.toArray()) exchange.interrupt();
        }, patienceMs).unref();
      });
    },
  };
};
