import { isRecord, readString } from "../shared/json/json-values";
import type { ReadFrame } from "../shared/stream/frame-reader";
import { readFinish, readUsageObject } from "./read-answer";

/** Each frame contains new text; the one with `is_end` is the last. */
export const readFrame: ReadFrame = (frame, sink) => {
  sink.start(readString(frame.id));
  if (isRecord(frame.function_call)) {
    const { name, thoughts, arguments: text } = frame.function_call;
    sink.text("reasoning", readString(thoughts));
    if (readString(name) !== "") sink.call(0, "", readString(name), readString(text));
  }
  sink.text("text", readString(frame.result));
  sink.usage(readUsageObject(frame.usage));
  if (frame.is_end === true) sink.finish(readFinish(frame));
};
