import type { ReceiptAttempt } from "@tollgate/contract/api/receipts";
import type { Tone } from "../../components/badge";

/** Outcomes of an attempt, as distinguished by the gateway's routing. */
export const OUTCOMES = [
  "ok",
  "dead-key",
  "rate-limited",
  "overloaded",
  "model-missing",
  "caller",
  "network",
  "late-answer",
  "late-first-token",
  "late-token",
  "empty",
  "full",
  "failed",
  "unknown",
] as const;
type Outcome = (typeof OUTCOMES)[number];

/** The outcome of an attempt; a value unknown to this console counts as unknown. */
export const outcomeOf = ({ outcome }: ReceiptAttempt): Outcome =>
  OUTCOMES.find((each) => each === outcome) ?? "unknown";

/** Green is an answer, yellow is temporary, red needs action. */
export const outcomeTone = (outcome: Outcome): Tone => {
  if (outcome === "ok") return "green";
  const passes: readonly Outcome[] = ["rate-limited", "overloaded", "network", "full"];
  return passes.includes(outcome) || outcome.startsWith("late-") ? "yellow" : "red";
};

const ENDS = ["complete", "client-left", "interrupted", "failed"] as const;

/** The end of the request; undefined for a value unknown to this console. */
export const endOf = (end: string): (typeof ENDS)[number] | undefined => ENDS.find((each) => each === end);

const END_TONE: Record<(typeof ENDS)[number], Tone> = {
  complete: "green",
  "client-left": "yellow",
  interrupted: "yellow",
  failed: "red",
};

export const endTone = (end: string): Tone => END_TONE[endOf(end) ?? "failed"];
