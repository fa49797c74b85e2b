import type { DeliveredContent } from "@tollgate/contract/relay/content";
import type {
  AnswerStamp,
  ClientProtocol,
  RequestSummary,
  UpstreamProtocol,
} from "@tollgate/contract/relay/protocol";
import type { ChatResponse } from "@tollgate/contract/relay/response";
import type { StreamWriter, WriteJson } from "@tollgate/contract/relay/stream";
import { JsonPlaceholders } from "@tollgate/protocols/shared/json/json-placeholders";
import { concatInSteps } from "../concat-in-steps";
import { inSteps } from "../in-steps";
import { DeliveredTally } from "./delivered-tally";
import { encodeJson, LARGE_ANSWER_BYTES } from "./encode-json";
import { responseToStreamParts } from "./response-to-stream-parts";
import type { EncodedAnswer } from "./task";

/* An answer of a chat that came whole: what of it counts as written, and its bytes for the client. */

/** Everything in an answer that counts as written by the model. */
export const contentOf = (response: ChatResponse | undefined): DeliveredContent => {
  const tally = new DeliveredTally();
  if (response) for (const part of responseToStreamParts(response)) tally.addPart(part);
  return tally.content();
};

/**
 * The same of an answer that passes unchanged: in Chat Completions and Gemini it has the shape of an event, of which
 * everything is counted, pictures and sound included.
 */
export const contentOfBytes = (protocol: UpstreamProtocol, body: unknown): DeliveredContent => {
  const seen = protocol.passThrough?.inspectBody(body);
  if (!seen || (seen.text === "" && !seen.media)) return contentOf(protocol.readResponse(body));
  const tally = new DeliveredTally();
  tally.add(seen.text, seen.media);
  return tally.content();
};

/** A whole answer as a stream, a part in each step, or a piece of a large one. */
function* streamInSteps(
  answer: ChatResponse,
  createWriter: (write: WriteJson) => StreamWriter,
): Generator<undefined, EncodedAnswer> {
  const placeholders = new JsonPlaceholders();
  const writer = createWriter((value) => placeholders.write(value));
  const pieces: Uint8Array[] = [];
  const texts = function* (): Generator<string> {
    for (const part of responseToStreamParts(answer)) yield writer.push(part);
    yield writer.end();
  };
  for (const text of texts())
    for (const piece of placeholders.fill(text)) {
      if (piece) pieces.push(piece);
      yield;
    }
  return { contentType: undefined, body: yield* concatInSteps(pieces) };
}

/**
 * Encodes an answer for the client, as a stream for one that asked for a stream.
 * @param weight bytes of the upstream's answer and of the request, which some shapes repeat.
 */
export const encodeChatAnswer = (
  answer: ChatResponse,
  client: ClientProtocol,
  { isStream, wantsUsageChunk }: RequestSummary,
  stamp: AnswerStamp,
  weight: number,
): EncodedAnswer | Promise<EncodedAnswer> => {
  if (!isStream) return encodeJson(client.encodeResponse(answer, stamp), weight);
  const createWriter = (write?: WriteJson): StreamWriter =>
    client.createStreamWriter(stamp, wantsUsageChunk, write);
  if (weight > LARGE_ANSWER_BYTES) return inSteps(streamInSteps(answer, createWriter));
  const writer = createWriter();
  let text = "";
  for (const part of responseToStreamParts(answer)) text += writer.push(part);
  return { contentType: undefined, body: text + writer.end() };
};
