import type { UpstreamError } from "@tollgate/contract/relay/error";

/** Consecutive failures that open a circuit. */
const FAILURES_TO_OPEN = 5;
/** Duration of the first open state; each failed trial doubles it. */
const FIRST_OPEN_MS = 15_000;
const LONGEST_OPEN_MS = 5 * 60_000;
/** Pause for a model that an account does not have. */
const MODEL_MISSING_MS = 60_000;
/** Pause for a rate limit without a reported end; short, because limits count by the minute. */
const RATE_LIMITED_MS = 5_000;
/**
 * Maximum duration of a trial: one that never ends (its client left, say) must not block the circuit for others
 * forever.
 */
const TRIAL_MS = 60_000;
/** Far more than fail at once. Replaced keys and unused models leave theirs behind. */
const MAX_CIRCUITS = 10_000;

/** Failures of one key with one model. Only a failing key has one. */
interface Circuit {
  /** Consecutive. */
  failures: number;
  /** No request is sent there before this moment (milliseconds since the epoch). */
  openUntilMs: number;
  openForMs: number;
  /** Half open: one request tries it, at the latest until this time. 0 without a trial. */
  trialUntilMs: number;
}

/** Model name for the circuit of the whole key. */
const WHOLE_KEY = "";

/**
 * A circuit breaker per channel key and model: a repeatedly failing one is paused, then tried with a single request,
 * then either used again or paused for longer. Kept in memory; working ones need no entry.
 */
export class Circuits {
  private readonly circuits = new Map<string, Circuit>();

  constructor(private readonly nowMs: () => number) {}

  /** Whether requests for this model should use other keys. */
  isOpen(entryId: string, model: string): boolean {
    if (this.circuits.size === 0) return false;
    return this.isOneOpen(entryId, WHOLE_KEY) || this.isOneOpen(entryId, model);
  }

  /** The number of open circuits per channel id. */
  countOpen(): Map<number, number> {
    const counts = new Map<number, number>();
    const now = this.nowMs();
    for (const [key, { openUntilMs, trialUntilMs }] of this.circuits) {
      if (openUntilMs <= now && trialUntilMs <= now) continue;
      // Keys are named after their channel: "12/…".
      const channelId = Number.parseInt(key, 10);
      counts.set(channelId, (counts.get(channelId) ?? 0) + 1);
    }
    return counts;
  }

  /** A request is sent; if the circuit's pause is over, it is the trial. */
  begin(entryId: string, model: string): void {
    if (this.circuits.size === 0) return;
    for (const circuit of this.both(entryId, model)) {
      if (circuit.openUntilMs > 0) circuit.trialUntilMs = this.nowMs() + TRIAL_MS;
    }
  }

  /** It answered as it should. */
  succeed(entryId: string, model: string): void {
    if (this.circuits.size === 0) return;
    this.circuits.delete(circuitKey(entryId, WHOLE_KEY));
    this.circuits.delete(circuitKey(entryId, model));
  }

  /** The request ended without a result about the upstream. */
  abandon(entryId: string, model: string): void {
    if (this.circuits.size === 0) return;
    for (const circuit of this.both(entryId, model)) circuit.trialUntilMs = 0;
  }

  /** A request failed. The caller's own mistakes prove that the upstream works. */
  fail(entryId: string, model: string, error: UpstreamError): void {
    switch (error.kind) {
      case "caller":
        this.succeed(entryId, model);
        return;
      case "dead-key":
        this.open(this.circuitOf(entryId, WHOLE_KEY), FIRST_OPEN_MS);
        return;
      case "model-missing":
        this.open(this.circuitOf(entryId, model), MODEL_MISSING_MS);
        return;
      case "rate-limited": {
        const circuit = this.circuitOf(entryId, model);
        const waitMs =
          error.retryAfterSeconds === undefined ? RATE_LIMITED_MS : error.retryAfterSeconds * 1000;
        circuit.openUntilMs = this.nowMs() + Math.min(waitMs, LONGEST_OPEN_MS);
        circuit.trialUntilMs = 0;
        return;
      }
      default: {
        const circuit = this.circuitOf(entryId, model);
        circuit.failures += 1;
        if (circuit.failures >= FAILURES_TO_OPEN) this.open(circuit, FIRST_OPEN_MS);
      }
    }
  }

  private open(circuit: Circuit, firstMs: number): void {
    const isAgain = circuit.openForMs > 0;
    circuit.openForMs = isAgain ? Math.min(circuit.openForMs * 2, LONGEST_OPEN_MS) : firstMs;
    circuit.openUntilMs = this.nowMs() + circuit.openForMs;
    circuit.trialUntilMs = 0;
  }

  private isOneOpen(entryId: string, model: string): boolean {
    const circuit = this.circuits.get(circuitKey(entryId, model));
    if (circuit === undefined) return false;
    const now = this.nowMs();
    return circuit.openUntilMs > now || circuit.trialUntilMs > now;
  }

  private circuitOf(entryId: string, model: string): Circuit {
    const key = circuitKey(entryId, model);
    const circuit = this.circuits.get(key) ?? { failures: 0, openUntilMs: 0, openForMs: 0, trialUntilMs: 0 };
    // Keeps the most recent failures at the end.
    this.circuits.delete(key);
    this.circuits.set(key, circuit);
    if (this.circuits.size > MAX_CIRCUITS) {
      const [oldest] = this.circuits.keys();
      if (oldest !== undefined) this.circuits.delete(oldest);
    }
    return circuit;
  }

  private both(entryId: string, model: string): Circuit[] {
    return [WHOLE_KEY, model].flatMap((each) => this.circuits.get(circuitKey(entryId, each)) ?? []);
  }
}

const circuitKey = (entryId: string, model: string): string => `${entryId}\n${model}`;
