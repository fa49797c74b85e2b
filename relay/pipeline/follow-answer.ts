import { sendAuthorized } from "../auth/send-authorized";
import type { UpstreamTarget } from "../ports/directory";
import type { RequestMemory } from "../ports/limits";
import type { RelayPorts } from "../ports/relay-ports";
import type { TransportFailure, UpstreamReceiver, UpstreamRequest } from "../ports/transport";
import { fetchPictures } from "./fetch-pictures";
import { GatheredAnswer } from "./gathered-answer";
import { readWholeAnswer } from "./read-whole-answer";

/** What is still asked for after an upstream's first answer (OperationFollowUp), for one request at one channel. */
export interface FollowUp {
  /** Path of the task's state at the channel's origin; undefined when the answer is final. */
  taskPath(body: unknown): string | undefined;
  /** Addresses in the final answer whose pictures the client asked for as data. */
  picturesToFetch(body: unknown): readonly string[];
}

export interface FollowJob {
  channel: UpstreamTarget;
  request: UpstreamRequest;
  followUp: FollowUp;
  ports: Pick<RelayPorts, "transport" | "now" | "random" | "fetchMedia">;
  memory: Pick<RequestMemory, "take">;
  /** Receives the final answer as if it were the first. */
  receiver: UpstreamReceiver;
}

/** Pauses between queries of a task: short at first, for tasks of seconds. */
const FIRST_PAUSE_MS = 1000;
const PAUSE_GROWTH = 1.5;
const MAX_PAUSE_MS = 5000;
/** Overall bound of a task where the channel or its group sets no longer one. */
const MAX_TASK_MS = 10 * 60_000;
/** Queries of one task that may fail in a row: the task goes on without them. */
const MAX_FAILED_QUERIES = 3;

const RATE_LIMITED = 429;

/** Whether a query may succeed later: the vendor is busy or broken, the task is not. */
const isPassing = (status: number): boolean => status === RATE_LIMITED || status >= 500;

/**
 * Follows an answer until it is final: queries the task that it names, and fetches its pictures. For the attempt it is
 * one answer of one upstream, which it may abandon at any time.
 */
class FollowedAnswer {
  private isOver = false;
  private abortQuery: (() => void) | undefined;
  private timer: NodeJS.Timeout | undefined;
  private readonly left = new AbortController();
  private pauseMs = FIRST_PAUSE_MS;
  private failedQueries = 0;
  private readonly startedAtMs = performance.now();

  constructor(private readonly job: FollowJob) {}

  start(): void {
    this.job.receiver.onStart(() => this.stop());
    this.send(this.job.request, (answer) => this.onFirst(answer), this.fail);
  }

  private stop(): void {
    this.isOver = true;
    clearTimeout(this.timer);
    this.left.abort();
    this.abortQuery?.();
  }

  private readonly fail = (failure: TransportFailure): void => {
    if (this.isOver) return;
    this.stop();
    this.job.receiver.onFailure(failure);
  };

  private send(
    request: UpstreamRequest,
    onAnswer: (answer: GatheredAnswer) => void,
    onFailure: (failure: TransportFailure) => void,
  ): void {
    if (this.isOver) return;
    const { channel, ports } = this.job;
    const answer = new GatheredAnswer({
      onWhole: () => this.guard(() => onAnswer(answer)),
      onFailure: (failure) => this.guard(() => onFailure(failure)),
    });
    this.abortQuery = () => answer.abort();
    sendAuthorized(channel, request, ports, answer);
  }

  /** Whatever an upstream sends, it ends at most its own request. */
  private guard(step: () => void): void {
    if (this.isOver) return;
    try {
      step();
    } catch (error) {
      this.fail({
        kind: "invalid",
        detail: error instanceof Error ? (error.stack ?? error.message) : String(error),
      });
    }
  }

  private onFirst(answer: GatheredAnswer): void {
    const body = answer.status < 300 ? readWholeAnswer(answer.bytes) : undefined;
    const path = body === undefined ? undefined : this.job.followUp.taskPath(body);
    if (path === undefined) this.finish(answer, body);
    else this.queryLater(path);
  }

  private queryLater(path: string): void {
    const boundMs = Math.max(MAX_TASK_MS, this.job.request.patience?.firstByteMs ?? 0);
    if (performance.now() - this.startedAtMs + this.pauseMs > boundMs) {
      this.fail({ kind: "timeout", detail: { code: "answer-timeout" } });
      return;
    }
    this.timer = setTimeout(() => this.guard(() => this.query(path)), this.pauseMs).unref();
    this.pauseMs = Math.min(MAX_PAUSE_MS, this.pauseMs * PAUSE_GROWTH);
  }

  private query(path: string): void {
    const { channel, request } = this.job;
    const { origin, proxy, patience } = request;
    const query: UpstreamRequest = {
      origin,
      path,
      method: "GET",
      headers: { accept: "application/json", ...channel.headers },
      body: "",
      ...(proxy === undefined ? {} : { proxy }),
      ...(patience === undefined ? {} : { patience }),
    };
    this.send(
      query,
      (answer) => this.onState(path, answer),
      (failure) => this.onFailedQuery(path, () => this.fail(failure)),
    );
  }

  private onState(path: string, answer: GatheredAnswer): void {
    if (isPassing(answer.status)) {
      this.onFailedQuery(path, () => this.finish(answer, undefined));
      return;
    }
    this.failedQueries = 0;
    const body = answer.status < 300 ? readWholeAnswer(answer.bytes) : undefined;
    // The first answer named the task: no later one sends the gateway anywhere else.
    if (body !== undefined && this.job.followUp.taskPath(body) !== undefined) this.queryLater(path);
    else this.finish(answer, body);
  }

  private onFailedQuery(path: string, giveUp: () => void): void {
    this.failedQueries += 1;
    if (this.failedQueries > MAX_FAILED_QUERIES) giveUp();
    else this.queryLater(path);
  }

  private finish(answer: GatheredAnswer, body: unknown): void {
    const addresses = body === undefined ? [] : this.job.followUp.picturesToFetch(body);
    if (addresses.length === 0) {
      this.deliver(answer, [answer.bytes]);
      return;
    }
    const { ports, memory } = this.job;
    fetchPictures(ports.fetchMedia, body, addresses, memory, this.left.signal).then(
      (fetched) => {
        if ("fault" in fetched) this.fail({ kind: "invalid", detail: fetched.fault });
        else if (!this.isOver) this.deliver(answer, fetched.pieces);
      },
      (error: unknown) => this.fail({ kind: "invalid", detail: String(error) }),
    );
  }

  private deliver({ status, headers }: GatheredAnswer, pieces: readonly Buffer[]): void {
    this.isOver = true;
    const { receiver } = this.job;
    receiver.onHeaders(status, headers, () => {});
    for (const piece of pieces) receiver.onData(piece);
    receiver.onEnd();
  }
}

/** Sends a request whose first answer may not be final, and passes the final one on. */
export const followAnswer = (job: FollowJob): void => new FollowedAnswer(job).start();
