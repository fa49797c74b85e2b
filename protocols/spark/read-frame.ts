import { usageOf } from "../shared/answer/native-protocol";
import { isRecord, readArray, readRecord, readString } from "../shared/json/json-values";
import type { ReadFrame } from "../shared/stream/frame-reader";

/** One message of the socket; the one with `header.status` 2 is the last. */
export const readFrame: ReadFrame = (frame, sink) => {
  const header = readRecord(frame.header);
  const payload = readRecord(frame.payload);
  sink.start(readString(header.sid));
  for (const piece of readArray(readRecord(payload.choices).text)) {
    if (!isRecord(piece)) continue;
    sink.text("reasoning", readString(piece.reasoning_content));
    if (isRecord(piece.function_call)) {
      sink.call(0, "", readString(piece.function_call.name), readString(piece.function_call.arguments));
    }
    sink.text("text", readString(piece.content));
  }
  const usage = readRecord(readRecord(payload.usage).text);
  sink.usage(usageOf(usage.prompt_tokens, usage.completion_tokens));
  if (header.status === 2) sink.finish("stop");
};
