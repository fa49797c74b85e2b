import { readArray, readRecord, readString } from "../shared/json/json-values";
import type { ReadFrame } from "../shared/stream/frame-reader";
import { readFinish, readUsageObject } from "./read-answer";

export const readFrame: ReadFrame = (frame, sink) => {
  const choice = readRecord(readArray(frame.choices)[0]);
  sink.start(readString(frame.id));
  sink.text("text", readString(readRecord(choice.delta).content));
  sink.usage(readUsageObject(frame.usage));
  const reason = readFinish(choice.finish_reason);
  if (reason) sink.finish(reason);
};
