import type { FinishReason } from "@tollgate/contract/relay/response";
import { type JsonRecord, readRecord } from "../shared/json/json-values";

/** Reads `status` and `incomplete_details` of a finished answer. @param hasToolCalls the answer holds calls. */
export const readStatus = (response: JsonRecord, hasToolCalls: boolean): FinishReason => {
  if (response.status === "incomplete") {
    return readRecord(response.incomplete_details).reason === "content_filter" ? "content-filter" : "length";
  }
  return hasToolCalls ? "tool-calls" : "stop";
};

/** @see readStatus */
export const encodeStatus = (
  reason: FinishReason,
): { status: "completed" | "incomplete"; incomplete_details: { reason: string } | null } => {
  switch (reason) {
    case "length":
      return { status: "incomplete", incomplete_details: { reason: "max_output_tokens" } };
    case "content-filter":
      return { status: "incomplete", incomplete_details: { reason: "content_filter" } };
    default:
      return { status: "completed", incomplete_details: null };
  }
};
