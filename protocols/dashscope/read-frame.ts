import { readRecord, readString } from "../shared/json/json-values";
import type { ReadFrame } from "../shared/stream/frame-reader";
import { readOutput, readUsageObject } from "./read-answer";

/** Each frame contains new content (`incremental_output`), and the usage so far. */
export const readFrame: ReadFrame = (frame, sink) => {
  const output = readOutput(frame.output);
  sink.start(readString(frame.request_id));
  sink.usage(readUsageObject(frame.usage));
  if (!output) return;
  sink.text("reasoning", output.reasoning);
  sink.text("text", output.text);
  output.calls.forEach((call, place) => {
    const called = readRecord(call.function);
    const key = typeof call.index === "number" ? call.index : place;
    sink.call(key, readString(call.id), readString(called.name), readString(called.arguments));
  });
  if (output.finishReason) sink.finish(output.finishReason);
};
