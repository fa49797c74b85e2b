import type { Feature, FieldTable } from "@tollgate/contract/relay/features";
import {
  asks,
  asksAll,
  holder,
  INFERENCE_GEO,
  openHolder,
  READ,
  readAll,
  STORE,
} from "../shared/json/field-nodes";
import { isRecord, readString } from "../shared/json/json-values";

const PART = openHolder({
  ...readAll("text", "inlineData", "fileData", "functionCall", "thought", "thoughtSignature"),
  functionResponse: openHolder({
    ...readAll("id", "name", "response", "parts"),
    ...asksAll("history", "scheduling", "willContinue"),
  }),
  mediaResolution: asks("imageDetail"),
  videoMetadata: asks("videoDetails"),
  mediaProcessing: asks("videoDetails"),
});

const CONTENT = openHolder({ role: READ, parts: PART });

/** Thresholds that let more pass than Google's own default. */
const LOOSE = new Set(["", "OFF", "BLOCK_NONE", "BLOCK_ONLY_HIGH", "HARM_BLOCK_THRESHOLD_UNSPECIFIED"]);

const safetyFeature = (setting: unknown): Feature =>
  LOOSE.has(isRecord(setting) ? readString(setting.threshold) : "") ? "looseSafety" : "strictSafety";

/** The feature that each field of a generateContent request requires, in camel case. */
export const fields: FieldTable = {
  // `models` and `route` are the gateway's own; `cachedContent` is refused.
  ...readAll("model", "models", "route", "cachedContent"),
  contents: CONTENT,
  systemInstruction: CONTENT,
  generationConfig: holder({
    ...readAll("candidateCount", "responseModalities"),
    ...asksAll("format", "responseSchema", "responseJsonSchema"),
    maxOutputTokens: asks("outputLimit"),
    temperature: asks("temperature", 1),
    topP: asks("topP", 1),
    topK: asks("topK"),
    seed: asks("seed"),
    presencePenalty: asks("presencePenalty", 0),
    frequencyPenalty: asks("frequencyPenalty", 0),
    stopSequences: asks("stop"),
    responseLogprobs: asks("logprobs", false),
    logprobs: asks("logprobs", 0),
    responseMimeType: asks("format", "text/plain"),
    responseFormat: asks("unknown"),
    thinkingConfig: holder({
      thinkingBudget: asks("reasoning", -1),
      thinkingLevel: asks("reasoning", "THINKING_LEVEL_UNSPECIFIED"),
      includeThoughts: asks("reasoningShown", false),
    }),
    mediaResolution: asks("imageDetail", "MEDIA_RESOLUTION_UNSPECIFIED"),
    ...asksAll(
      "spokenAnswer",
      "speechConfig",
      "enableAffectiveDialog",
      "audioTimestamp",
      "audioTranscriptionConfig",
      "translationConfig",
    ),
    imageConfig: asks("pictureAnswer"),
    ...asksAll("routing", "routingConfig", "modelSelectionConfig"),
    enableEnhancedCivicAnswers: asks("strictSafety", false),
  }),
  safetySettings: { featureOf: safetyFeature },
  modelArmorConfig: asks("strictSafety"),
  tools: holder({
    functionDeclarations: holder({
      ...readAll("name", "description", "parameters", "parametersJsonSchema"),
      behavior: asks("toolCallers"),
      response: asks("toolResponses"),
      responseJsonSchema: asks("toolResponses"),
    }),
    googleSearch: {
      feature: "webSearch",
      isSwitch: true,
      fields: {
        excludeDomains: asks("blockedDomains"),
        timeRangeFilter: asks("searchDates"),
        blockingConfidence: asks("strictSafety"),
        searchTypes: asks("searchKinds"),
      },
    },
    googleSearchRetrieval: {
      feature: "webSearch",
      isSwitch: true,
      fields: { dynamicRetrievalConfig: asks("unknown") },
    },
  }),
  toolConfig: holder({
    functionCallingConfig: {
      featureOf: (value) =>
        isRecord(value) && readString(value.mode).toUpperCase() === "ANY" ? "toolChoice" : undefined,
      fields: {
        ...readAll("mode", "allowedFunctionNames"),
        streamFunctionCallArguments: asks("toolStreaming"),
      },
    },
    retrievalConfig: holder({ latLng: asks("searchCoordinates"), languageCode: asks("searchCoordinates") }),
    includeServerSideToolInvocations: asks("history"),
  }),
  serviceTier: asks("vendorTier", "standard"),
  inferenceGeo: INFERENCE_GEO,
  store: STORE,
  labels: asks("labels"),
  ...asksAll("history", "continuationToken", "automaticContinuation"),
  generationOutputConfig: asks("unknown"),
};
