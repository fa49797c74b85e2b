import type { ReceiptAttempt } from "@tollgate/contract/api/receipts";
import type { Tone } from "../../components/badge";

/** What an attempt can come to, as the gateway's routing tells them apart. */
export const OUTCOMES = [
  "ok",
  "dead-key",
  "rate-limited",
  "overloaded",
  "model-missing",
  "caller",
  "network",
  "empty",
  "full",
  "unknown",
] as const;
type Outcome = (typeof OUTCOMES)[number];

/** The outcome of an attempt; one that this console does not know yet counts as unknown. */
export const outcomeOf = ({ outcome }: ReceiptAttempt): Outcome =>
  OUTCOMES.find((each) => each === outcome) ?? "unknown";

/** Green is an answer, yellow passes by itself, red needs a person. */
export const outcomeTone = (outcome: Outcome): Tone => {
  if (outcome === "ok") return "green";
  const passes: readonly Outcome[] = ["rate-limited", "overloaded", "network", "full"];
  return passes.includes(outcome) ? "yellow" : "red";
};

const ENDS = ["complete", "client-left", "interrupted", "failed"] as const;

/** How the request ended; undefined for an end that this console does not know yet. */
export const endOf = (end: string): (typeof ENDS)[number] | undefined => ENDS.find((each) => each === end);

const END_TONE: Record<(typeof ENDS)[number], Tone> = {
  complete: "green",
  "client-left": "yellow",
  interrupted: "yellow",
  failed: "red",
};

export const endTone = (end: string): Tone => END_TONE[endOf(end) ?? "failed"];
