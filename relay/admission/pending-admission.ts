import type { Refusal } from "../ports/client";
import type { LimitPass } from "../ports/limits";
import { isRefusal } from "./admit";

/** The outcome of a waiting request: one of the three, once, or none when its client has left. */
export interface AdmissionOutcome {
  /** The client has left: no answer is sent. */
  isGone(): boolean;
  /** @param pass must be released when the request has ended; undefined for a request without limits. */
  enter(pass: LimitPass | undefined): void;
  refuse(refusal: Refusal): void;
  /** A query failed, or one of the other two callbacks threw. */
  fail(error: unknown): void;
}

/**
 * A parsed request that waits for answers before its first attempt: for its limits, when nodes count them together, and
 * for the channel key that serves its conversation. Its pass is released exactly once: by the admitted request, or here
 * when the process stops or the client leaves meanwhile.
 */
export class PendingAdmission {
  /** Its index in the set of running requests. */
  slot = -1;
  private isOver = false;
  private isPassOpen: boolean;
  private isWarmOpen: boolean;
  private pass: LimitPass | undefined;

  /** @param onOver called once, after the outcome. */
  constructor(
    waitsFor: { readonly pass: boolean; readonly warm: boolean },
    private readonly outcome: AdmissionOutcome,
    private readonly onOver: (pending: PendingAdmission) => void,
  ) {
    this.isPassOpen = waitsFor.pass;
    this.isWarmOpen = waitsFor.warm;
  }

  /** The limits have answered. */
  onLimits(answer: LimitPass | Refusal | undefined): void {
    this.isPassOpen = false;
    if (answer && isRefusal(answer)) this.end((outcome) => outcome.refuse(answer));
    else if (this.isOver) answer?.leave();
    else {
      this.pass = answer;
      this.goOn();
    }
  }

  /** The search for the conversation's channel has ended, with or without a result. */
  onWarm(): void {
    this.isWarmOpen = false;
    this.goOn();
  }

  /** A query failed. */
  onFailure(error: unknown): void {
    this.end((outcome) => outcome.fail(error));
  }

  /** The process is about to stop. */
  interrupt(): void {
    this.end((outcome) => outcome.refuse({ code: "shutting-down" }));
  }

  private goOn(): void {
    if (this.isOver || this.isPassOpen || this.isWarmOpen) return;
    this.end((outcome, pass) => {
      // From now on the pass belongs to the request.
      this.pass = undefined;
      outcome.enter(pass);
    });
  }

  private end(tell: (outcome: AdmissionOutcome, pass: LimitPass | undefined) => void): void {
    if (this.isOver) return;
    this.isOver = true;
    const { outcome } = this;
    try {
      if (!outcome.isGone()) tell(outcome, this.pass);
    } catch (error) {
      outcome.fail(error);
    } finally {
      this.pass?.leave();
      this.onOver(this);
    }
  }
}
