import { enter, isRefusal } from "./admission/admit";
import { IndexedSet } from "./indexed-set";
import { type ChatJob, ChatTask } from "./pipeline/chat-task";
import { type Counted, type CountJob, countPrompt } from "./pipeline/count-prompt";
import { Exchange, type ExchangeJob } from "./pipeline/exchange";
import { type OperationJob, OperationTask } from "./pipeline/operation-task";
import { sendRefusal } from "./pipeline/send-refusal";
import type { Task } from "./pipeline/task";
import type { RelayPorts } from "./ports";
import { Circuits } from "./routing/circuits";
import { StickySessions } from "./routing/sticky-sessions";

export interface Relay {
  /** Runs one admitted and parsed chat to its end. */
  run(job: ChatJob): void;
  /** Runs an admitted and parsed request for something else than a chat. */
  runOperation(job: OperationJob): void;
  /**
   * Counts the tokens of an admitted and parsed chat, free of charge.
   * @param done called once. @throws RequestInvalid
   */
  count(job: CountJob, done: (counted: Counted) => void): void;
  /** How many requests are under way. */
  readonly active: number;
  /** How many were begun since the start. */
  readonly begun: number;
  /**
   * Waits until nothing is under way.
   * @param patienceMs after this, what is still running is interrupted: told so, and charged for what it was given.
   */
  drain(patienceMs: number): Promise<void>;
}

/** The engine. */
export const createRelay = (ports: RelayPorts): Relay => {
  const exchanges = new IndexedSet<Exchange>();
  const routing = { circuits: new Circuits(ports.now), sessions: new StickySessions(ports.now) };
  let begun = 0;
  let onIdle: (() => void) | undefined;
  const onFinish = (exchange: Exchange): void => {
    exchanges.delete(exchange);
    if (exchanges.size === 0) onIdle?.();
  };
  const run = (job: ExchangeJob, task: Task, whenFinished: (exchange: Exchange) => void): void => {
    // A stream that is read on after its client left still holds what was sent.
    const giveBack = job.memory.keep();
    const end = (ended: Exchange): void => {
      giveBack();
      whenFinished(ended);
    };
    const exchange = new Exchange(ports, routing, job, task, end);
    exchanges.add(exchange);
    begun += 1;
    try {
      exchange.start();
    } catch (error) {
      end(exchange);
      throw error;
    }
  };
  const start = (job: ExchangeJob, task: Task): void => {
    const pass = enter(ports.limiter, job.key, task, job.client.limitHeaders);
    if (!pass) run(job, task, onFinish);
    else if (isRefusal(pass)) sendRefusal(job, pass);
    else {
      run({ ...job, headers: { ...job.headers, ...pass.headers } }, task, (exchange) => {
        // What failed to start may have ended before.
        if (exchanges.has(exchange)) pass.leave();
        onFinish(exchange);
      });
    }
  };
  return {
    get active() {
      return exchanges.size;
    },
    get begun() {
      return begun;
    },
    run: (job) => start(job, new ChatTask(ports, job)),
    runOperation: (job) => start(job, new OperationTask(ports, job)),
    count: (job, done) => countPrompt(job, ports, done),
    async drain(patienceMs) {
      if (exchanges.size === 0) return;
      await new Promise<void>((resolve) => {
        onIdle = resolve;
        setTimeout(() => {
          for (const exchange of exchanges.toArray()) exchange.interrupt();
        }, patienceMs).unref();
      });
    },
  };
};
