import type { ReadFrame } from "../shared/frame-reader";
import { readArray, readRecord, readString } from "../shared/json-values";
import { readFinish, readUsageObject } from "./read-answer";

export const readFrame: ReadFrame = (frame, sink) => {
  const choice = readRecord(readArray(frame.choices)[0]);
  sink.start(readString(frame.id));
  sink.text("text", readString(readRecord(choice.delta).content));
  sink.usage(readUsageObject(frame.usage));
  const reason = readFinish(choice.finish_reason);
  if (reason) sink.finish(reason);
};
