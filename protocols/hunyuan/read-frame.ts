import { isRecord, readArray, readRecord, readString } from "../shared/json/json-values";
import type { ReadFrame } from "../shared/stream/frame-reader";
import { readFinish, readUsageObject } from "./read-answer";

/** Frames of a stream are not wrapped in `Response`. */
export const readFrame: ReadFrame = (frame, sink) => {
  const choice = readRecord(readArray(frame.Choices)[0]);
  const delta = readRecord(choice.Delta);
  sink.start(readString(frame.Id));
  sink.text("reasoning", readString(delta.ReasoningContent));
  sink.text("text", readString(delta.Content));
  readArray(delta.ToolCalls)
    .filter(isRecord)
    .forEach((call, place) => {
      const called = readRecord(call.Function);
      const key = typeof call.Index === "number" ? call.Index : place;
      sink.call(key, readString(call.Id), readString(called.Name), readString(called.Arguments));
    });
  sink.usage(readUsageObject(frame.Usage));
  const reason = readFinish(choice.FinishReason);
  if (reason) sink.finish(reason);
};
