import { type ChannelFields, RequestInvalid, type UpstreamCall } from "@tollgate/contract/relay/protocol";
import type { ChatRequest } from "@tollgate/contract/relay/request";
import { plainTurns } from "../shared/messages/plain-turns";

/**
 * Queries the library that the channel names. The API accepts only one question: earlier turns, instructions and
 * parameters are not sent.
 * @throws RequestInvalid for anything but text, and without a user's question.
 */
export const buildRequest = (request: ChatRequest, fields: ChannelFields): UpstreamCall => {
  const query = plainTurns(request).findLast(({ role }) => role === "user")?.text ?? "";
  if (query === "") throw new RequestInvalid({ code: "no-question" }, "messages");
  return {
    path: "/api/library/ask",
    headers: {},
    body: { model: request.model, query, libraryId: fields.other, stream: request.isStream },
  };
};
