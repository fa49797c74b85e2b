import type { UpstreamError } from "@tollgate/contract/relay/error";
import { isPlausibleCount, NO_USAGE } from "@tollgate/contract/relay/usage";
import { type CountedAnswer, costAnswer } from "@tollgate/metering/cost";
import { approximateTokens } from "@tollgate/metering/estimate";
import type { Price } from "@tollgate/metering/price";
import type { EndedCost } from "../ports/charges";
import type { FailureDetail } from "../ports/transport";
import type { ReceivedStream } from "./answer-stream";
import type { Counts } from "./settle";
import type { Task } from "./task";

/*
 * Costs of attempts that ended without an answer for the client (docs/guides/profit.md#attempts-that-ended). They are
 * booked as costs of the channel; the client is charged nothing.
 */

/** The request never reached its upstream. */
const UNSENT = ["connect-timeout", "handshake-timeout", "UND_ERR_CONNECT_TIMEOUT"];

const isUnsent = (detail: FailureDetail): boolean => {
  const code = typeof detail === "string" ? detail : detail.code;
  return UNSENT.some((each) => code.startsWith(each));
};

/** The counts to assume: what the upstream reported, else the estimated prompt and the received text. */
const estimateCounts = (
  task: Pick<Task, "promptTokens">,
  received: ReceivedStream | undefined,
): CountedAnswer => {
  const usage = received?.usage ?? NO_USAGE;
  const content = received?.delivered();
  const written = content ? approximateTokens(Buffer.byteLength(content.text)) + content.estimatedTokens : 0;
  const reported = isPlausibleCount(usage.outputTokens) ? usage.outputTokens : 0;
  return {
    promptTokens: isPlausibleCount(usage.inputTokens) ? usage.inputTokens : task.promptTokens,
    completionTokens: Math.max(written, reported),
    usage,
  };
};

/**
 * Whether an upstream may charge an attempt that failed: the gateway ended it, or it had reported usage. Refusals and
 * broken connections cost nothing at most upstreams.
 */
export const mayBeCharged = (
  error: UpstreamError,
  detail: FailureDetail,
  received: ReceivedStream | undefined,
): boolean => {
  if (error.code === "timeout") return !isUnsent(detail);
  const { inputTokens = 0, outputTokens = 0 } = received?.usage ?? NO_USAGE;
  return inputTokens + outputTokens > 0;
};

/**
 * The cost of an attempt that ended.
 * @param price the upstream's price. @param counts those of a whole answer; undefined estimates them.
 * @returns undefined where it is unknown: without a buying price, and for operations, whose units are unknown.
 */
export const costOfEnded = (
  price: Price | undefined,
  task: Pick<Task, "promptTokens" | "operation">,
  model: string,
  received: ReceivedStream | undefined,
  counts?: Counts,
): EndedCost | undefined => {
  if (!price || (!counts && task.operation !== undefined)) return undefined;
  const cost = costAnswer(price, counts ?? estimateCounts(task, received));
  return cost && cost.cost > 0 ? { model, ...cost, isEstimate: counts?.source !== "upstream" } : undefined;
};
