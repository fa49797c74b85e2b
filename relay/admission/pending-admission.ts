import type { LimitPass, Refusal } from "../ports";
import { isRefusal } from "./admit";

/** What becomes of a request that waited: one of the three, once, or nothing where its client has left. */
export interface AdmissionOutcome {
  /** The client has left: no answer is sent. */
  isGone(): boolean;
  /** @param pass to be given back when the request has ended; undefined for one that nothing limits. */
  enter(pass: LimitPass | undefined): void;
  refuse(refusal: Refusal): void;
  /** What was asked failed, or one of the others threw. */
  fail(error: unknown): void;
}

/**
 * A request between its reading and its first attempt, while others are asked about it: its limits, where nodes count them
 * together, and which channel key serves its conversation. A pass that comes is given back exactly once, by the first of them:
 * by the request that it let in, or here, when the process stops or the client leaves meanwhile.
 */
export class PendingAdmission {
  /** In the set of those that are under way. */
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

  /** Where the conversation is warm is known, or that no node says so. */
  onWarm(): void {
    this.isWarmOpen = false;
    this.goOn();
  }

  /** What was asked failed. */
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
      // From here on it is the request's.
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
