import type {
  AnswerStamp,
  ClientProtocol,
  StreamDecoder,
  StreamEvent,
  UpstreamProtocol,
} from "@tollgate/contract/relay/protocol";
import type { StreamPart } from "@tollgate/contract/relay/stream";
import type { Usage } from "@tollgate/contract/relay/usage";
import { createSseDecoder } from "../stream/sse-decoder";

/** The stamp of every answer that tests encode. */
export const STAMP: AnswerStamp = {
  id: "answer-1",
  createdAt: 1_760_000_000,
  model: "asked-model",
  requestId: "req-1",
  promptTokens: 7,
  request: {},
};

/** All events of a stream with these chunks. */
export const decodeEvents = (
  chunks: readonly Uint8Array[],
  decoder: StreamDecoder = createSseDecoder(),
): StreamEvent[] => {
  return [...chunks.flatMap((chunk) => decoder.push(chunk)), ...decoder.end()];
};

/** The canonical parts of a stream that has these chunks and then ends. */
export const readParts = (upstream: UpstreamProtocol, chunks: readonly Uint8Array[]): StreamPart[] => {
  const reader = upstream.createStreamReader();
  const parts = decodeEvents(chunks, upstream.createDecoder?.()).flatMap(({ event, data }) =>
    reader.push(event, data),
  );
  return [...parts, ...reader.end()];
};

/** The last usage among these parts. */
export const lastUsage = (parts: readonly StreamPart[]): Usage | undefined =>
  parts.findLast((part) => part.kind === "usage")?.usage;

/** The client's output for these parts. */
export const writeParts = (
  client: ClientProtocol,
  parts: readonly StreamPart[],
  wantsUsage = true,
  stamp: AnswerStamp = STAMP,
): string => {
  const writer = client.createStreamWriter(stamp, wantsUsage);
  return parts.map((part) => writer.push(part)).join("") + writer.end();
};

/** The events of written text, their data parsed; "[DONE]" stays text. */
export const parseWritten = (text: string): { event: string; data: unknown }[] =>
  decodeEvents([new TextEncoder().encode(text)]).map(({ event, data }) => ({
    event,
    data: data === "[DONE]" ? data : JSON.parse(data),
  }));
