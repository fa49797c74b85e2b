import type { ClientProtocol } from "@tollgate/contract/relay/protocol";
import { readRecord } from "../shared/json/json-values";
import { buildThinking } from "./build-thinking";
import { findModelRule } from "./model-rules";
import { readField } from "./read-field";

/** The name under which the client wrote a field, in either spelling. */
const spellingOf = (record: Readonly<Record<string, unknown>>, name: string, snake: string): string =>
  record[snake] !== undefined && record[name] === undefined ? snake : name;

/** Sets `generationConfig.thinkingConfig`, as the model wants it: a budget or a level. */
export const withReasoning: ClientProtocol["withReasoning"] = (body, reasoning, model) => {
  const name = spellingOf(body, "generationConfig", "generation_config");
  const config = readRecord(readField(body, "generationConfig"));
  const field = spellingOf(config, "thinkingConfig", "thinking_config");
  const { effort, budgetTokens } = reasoning;
  const thinking = buildThinking({ reasoning, showsReasoning: true }, findModelRule(model)) ?? {
    // Models of other vendors: read again when the request is translated.
    ...(effort === undefined ? { thinkingBudget: budgetTokens } : { thinkingLevel: effort }),
  };
  return { ...body, [name]: { ...config, [field]: thinking } };
};
