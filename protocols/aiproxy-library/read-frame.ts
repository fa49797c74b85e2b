import { readString } from "../shared/json/json-values";
import type { ReadFrame } from "../shared/stream/frame-reader";
import { referenceList } from "./references";

/** Each frame contains new text; the one with `finish` is the last and names the documents. */
export const readFrame: ReadFrame = (frame, sink) => {
  sink.start("", readString(frame.model));
  sink.text("text", readString(frame.content));
  if (frame.finish !== true) return;
  sink.text("text", referenceList(frame.documents));
  sink.finish("stop");
};
