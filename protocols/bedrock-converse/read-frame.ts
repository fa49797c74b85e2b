import { isRecord, readRecord, readString } from "../shared/json/json-values";
import type { ReadFrame } from "../shared/stream/frame-reader";
import { readStopReason, readUsageObject } from "./read-answer";

/** Usage is the last event, after the stop reason. */
export const readFrame: ReadFrame = (frame, sink, event) => {
  const key = typeof frame.contentBlockIndex === "number" ? frame.contentBlockIndex : 0;
  switch (event) {
    case "messageStart":
      sink.start("");
      break;
    case "contentBlockStart": {
      const { toolUse } = readRecord(frame.start);
      if (isRecord(toolUse)) sink.call(key, readString(toolUse.toolUseId), readString(toolUse.name), "");
      break;
    }
    case "contentBlockDelta": {
      const { text, toolUse, reasoningContent } = readRecord(frame.delta);
      if (isRecord(reasoningContent)) {
        sink.text("reasoning", readString(reasoningContent.text));
        sink.sign(readString(reasoningContent.signature));
        sink.redact(readString(reasoningContent.redactedContent));
      }
      sink.text("text", readString(text));
      if (isRecord(toolUse)) sink.call(key, "", "", readString(toolUse.input));
      break;
    }
    case "messageStop":
      sink.finish(readStopReason(frame.stopReason), false);
      break;
    case "metadata":
      sink.usage(readUsageObject(frame.usage));
      sink.close();
      break;
  }
};
