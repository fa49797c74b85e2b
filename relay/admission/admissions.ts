import { IndexedSet } from "../indexed-set";
import type { Refusal } from "../ports/client";
import type { RequestLimiter } from "../ports/limits";
import { type AdmissionOutcome, PendingAdmission } from "./pending-admission";

/** The limiter's answer to a request that it does not refuse immediately. */
type LimitAnswer = Exclude<ReturnType<RequestLimiter["enter"]>, Refusal>;

/** The requests that wait to be let in. */
export class Admissions {
  private readonly pending = new IndexedSet<PendingAdmission>();

  /** @param onOver called whenever a request stops waiting, after its outcome. */
  constructor(private readonly onOver: () => void) {}

  get size(): number {
    return this.pending.size;
  }

  /**
   * Waits for the pending answers about a request.
   * @param warm resolves when its conversation's channel is known; never rejects.
   */
  wait(limits: LimitAnswer, warm: Promise<void> | undefined, outcome: AdmissionOutcome): void {
    const isAsked = limits !== undefined && "then" in limits;
    const waitsFor = { pass: isAsked, warm: warm !== undefined };
    const pending = new PendingAdmission(waitsFor, outcome, (over) => {
      this.pending.delete(over);
      this.onOver();
    });
    this.pending.add(pending);
    const onFailure = (error: unknown): void => pending.onFailure(error);
    if (isAsked) limits.then((answer) => pending.onLimits(answer)).catch(onFailure);
    else pending.onLimits(limits);
    warm?.then(() => pending.onWarm()).catch(onFailure);
  }

  /** Refuses all of them: the process is about to stop. */
  interrupt(): void {
    for (const pending of this.pending.toArray()) pending.interrupt();
  }
}
