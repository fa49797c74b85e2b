import type { ChannelFields, RequestSummary } from "@tollgate/contract/relay/protocol";
import type { AssistantPart, Turn, UserPart } from "@tollgate/contract/relay/request";

/** The result of `summarizeRequest` for a plain request, for tests that depend on the body alone. */
export const TEST_SUMMARY: RequestSummary = {
  model: "m",
  isStream: false,
  maxOutputTokens: undefined,
  choices: 1,
  bounds: { tokens: undefined, answers: 1 },
  wantsUsageChunk: false,
};

/** A channel that adds nothing. */
export const TEST_FIELDS: ChannelFields = { other: "", accountId: "" };

/** A turn of the user's. */
export const asks = (...parts: UserPart[]): Turn => ({ role: "user", parts });

/** A turn of the model's. */
export const answers = (...parts: AssistantPart[]): Turn => ({ role: "assistant", parts });
