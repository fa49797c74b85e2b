import type { FeatureCarriers } from "@tollgate/contract/relay/features";

/** Places of features in a request of this protocol. */
export const carries: FeatureCarriers = {
  outputLimit: "generationConfig.maxOutputTokens",
  temperature: "generationConfig.temperature",
  topP: "generationConfig.topP",
  topK: "generationConfig.topK",
  seed: "generationConfig.seed",
  presencePenalty: "generationConfig.presencePenalty",
  frequencyPenalty: "generationConfig.frequencyPenalty",
  logprobs: "generationConfig.responseLogprobs",
  stop: "generationConfig.stopSequences|(cut)",
  reasoning: "generationConfig.thinkingConfig",
  reasoningShown: "generationConfig.thinkingConfig.includeThoughts",
  format: "generationConfig.responseMimeType|(instructions)",
  strictFormat: "generationConfig.responseJsonSchema",
  toolChoice: "toolConfig",
  webSearch: "tools[].googleSearch",
  imageDetail: "generationConfig.mediaResolution",
};
