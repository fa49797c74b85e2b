import type { Observation } from "@tollgate/contract/relay/protocol";
import { carriesError } from "../shared/error-details";
import { isRecord, readRecord, readString } from "../shared/json-values";
import { readOpenaiError } from "../shared/read-openai-error";
import { parseJson } from "../shared/safe-json";
import { readUsage } from "./read-usage";

/**
 * What every event with usage, the end or an error contains. Quotes inside an answer's text are escaped, so a text that
 * speaks of these does not match.
 */
export const LANDMARKS: readonly string[] = [
  '"response.completed"',
  '"response.incomplete"',
  '"response.failed"',
  '"error":{',
  '"error": {',
  '"type":"error"',
  '"type": "error"',
];

const NOTHING: Observation = {
  text: "",
  isDelivery: false,
  isFinish: false,
  isEnd: false,
  isUsageOnly: false,
};

/** Looks at one event of a passing stream. What cannot be read passes without a word. */
export const observe = (data: string): Observation => {
  const body = parseJson(data);
  if (!isRecord(body)) return NOTHING;
  const response = readRecord(body.response);
  if (carriesError(body)) return { ...NOTHING, error: readOpenaiError(200, {}, body) };
  if (carriesError(response)) return { ...NOTHING, error: readOpenaiError(200, {}, response) };
  const type = readString(body.type);
  switch (type) {
    case "response.failed":
      return { ...NOTHING, error: readOpenaiError(200, {}, response) };
    case "response.completed":
    case "response.incomplete": {
      // That the model simply stopped gives the client nothing.
      const isDelivery = type === "response.incomplete";
      return { ...NOTHING, usage: readUsage(response), isDelivery, isFinish: true, isEnd: true };
    }
    case "response.output_item.added": {
      const item = readRecord(body.item);
      const isGiven = item.type !== "message" && item.type !== "reasoning";
      return isGiven ? { ...NOTHING, text: readString(item.name), isDelivery: true } : NOTHING;
    }
    default: {
      const text = type.endsWith(".delta") ? readString(body.delta) : "";
      return text === "" ? NOTHING : { ...NOTHING, text, isDelivery: true };
    }
  }
};
