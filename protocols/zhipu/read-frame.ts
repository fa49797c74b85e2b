import { isRecord, readString } from "../shared/json/json-values";
import { parseJson } from "../shared/json/safe-json";
import type { ReadFrame } from "../shared/stream/frame-reader";
import { readUsageObject } from "./read-answer";

/**
 * Splits an event's data: the plain text and, on the last event, below it, the vendor's `meta`. An error's data is JSON
 * or a sentence.
 */
export const parseData = (data: string, event: string): unknown => {
  if (event === "error" || event === "interrupted") {
    const error = parseJson(data);
    return isRecord(error) ? error : { message: data };
  }
  if (event !== "finish") return { text: data };
  const line = data.lastIndexOf("\n") + 1;
  const meta = parseJson(data.slice(line));
  // Without all of it the stream was cut here.
  return isRecord(meta) ? { text: data.slice(0, Math.max(line - 1, 0)), meta } : undefined;
};

export const readFrame: ReadFrame = ({ text, meta }, sink) => {
  const { task_id, usage } = isRecord(meta) ? meta : {};
  sink.start(readString(task_id));
  sink.text("text", readString(text));
  if (meta === undefined) return;
  sink.usage(readUsageObject(usage));
  sink.finish("stop");
};
