import type { ModelTrait } from "@tollgate/contract/api/pricing";
import type { Modality } from "@tollgate/contract/values/model-abilities";
import type { ModelFacts } from "@tollgate/vendors/catalogue/sheet";
import {
  CHAT_ENDPOINT_TYPES,
  IMAGE_ENDPOINT_TYPE,
  RERANK_ENDPOINT_TYPE,
} from "@tollgate/vendors/price-sources/endpoint-types";

/** What a model is used for that is charged by tokens. */
const useOf = (outputs: readonly Modality[] = ["text"]): "chat" | "image" | "speech" => {
  if (outputs.includes("text")) return "chat";
  return outputs.includes("image") ? "image" : "speech";
};

/** The traits of a model, only from the catalogue: a name's prefix implies nothing. */
export const traitsOf = ({ price, writesNothing, abilities }: ModelFacts): ModelTrait[] => {
  if (price === "unknown") return [];
  if ("perImage" in price) return ["image"];
  if ("perMinute" in price) return ["transcription"];
  if ("perMillionCharacters" in price) return ["speech"];
  if ("perThousandSearches" in price) return ["rerank"];
  if (writesNothing) return ["vectors"];
  const entries = "input" in price ? [price] : price;
  const has = (name: "cacheRead" | "audioInput" | "audioOutput"): boolean =>
    entries.some((entry) => entry[name] !== undefined);
  const use = useOf(abilities?.outputs);
  return [
    use,
    ...(has("audioInput") || has("audioOutput") ? (["audio"] as const) : []),
    ...(has("cacheRead") ? (["cache"] as const) : []),
  ];
};

/** The kinds of endpoints that serve a model with these traits, by new-api's names. */
export const endpointsOf = (traits: readonly ModelTrait[]): string[] => {
  if (traits.includes("chat")) return [...CHAT_ENDPOINT_TYPES];
  if (traits.includes("image")) return [IMAGE_ENDPOINT_TYPE];
  return traits.includes("rerank") ? [RERANK_ENDPOINT_TYPE] : [];
};
