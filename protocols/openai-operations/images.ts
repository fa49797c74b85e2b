import { NO_MEDIA } from "@tollgate/contract/relay/content";
import type {
  DeliveredStream,
  Operation,
  OperationInput,
  OperationSummary,
  Units,
} from "@tollgate/contract/relay/operation";
import { PromptText } from "@tollgate/contract/relay/prompt-text";
import { type EventInspection, RequestInvalid } from "@tollgate/contract/relay/protocol";
import { carriesError } from "../shared/errors/error-details";
import { isRecord, type JsonRecord, readArray, readString } from "../shared/json/json-values";
import { COMMON_MARKERS, createEventView } from "./event-view";
import { isReported, readTokenUsage } from "./read-usage";
import { readTextInput, requireTextField } from "./text-input";

type Fields = Readonly<Record<string, unknown>>;

/** The contract's limits for a model (section 2.9). */
interface ImageRules {
  sizes: readonly string[];
  maxPromptCharacters: number;
  maxImages: number;
}

const DALL_E_2: ImageRules = {
  sizes: ["256x256", "512x512", "1024x1024"],
  maxPromptCharacters: 1000,
  maxImages: 10,
};
const DALL_E_3: ImageRules = {
  sizes: ["1024x1024", "1024x1792", "1792x1024"],
  maxPromptCharacters: 4000,
  maxImages: 1,
};
/** For other models only the number is checked, because it determines the price: the vendor checks the rest. */
const OTHERS: ImageRules = { sizes: [], maxPromptCharacters: Number.POSITIVE_INFINITY, maxImages: 10 };

const rulesOf = (model: string): ImageRules =>
  model === "dall-e-2" ? DALL_E_2 : model === "dall-e-3" ? DALL_E_3 : OTHERS;

/** Names of the number of images in the APIs of OpenAI and other vendors, and in those of open servers. */
const COUNTS = [
  "n",
  "batch_size",
  "num_images",
  "num_outputs",
  "num_samples",
  "images_per_prompt",
  "num_images_per_prompt",
  "number_of_images",
  "numberOfImages",
  "max_images",
  "sampleCount",
  "sample_count",
];

/** Objects that may contain such fields instead of the top level. */
const COUNT_SECTIONS = [
  "parameters",
  "options",
  "input",
  "extra_body",
  "sequential_image_generation_options",
];

/** "extra_body", "parameters". */
const DEEPEST_SECTION = 2;

/** A number, or its text in a form; 1 by default. */
const readCount = (value: unknown, field: string, max: number): number => {
  if (value === undefined || value === null || value === "") return 1;
  const count = typeof value === "string" && /^\d{1,6}$/.test(value) ? Number(value) : value;
  if (typeof count === "number" && Number.isInteger(count) && count >= 1 && count <= max) return count;
  const code = field === "n" ? "n_not_within_range" : undefined;
  throw new RequestInvalid({ code: "no-whole-number-within", field, min: 1, max }, undefined, code);
};

/**
 * Number of requested images: the largest under any name, because it is not known which of them the upstream reads.
 * @throws RequestInvalid
 */
const readImageCount = (fields: Fields, max: number, depth = 0): number => {
  let count = 1;
  for (const name of COUNTS) count = Math.max(count, readCount(fields[name], name, max));
  if (depth === DEEPEST_SECTION) return count;
  for (const name of COUNT_SECTIONS) {
    const section = fields[name];
    if (isRecord(section)) count = Math.max(count, readImageCount(section, max, depth + 1));
  }
  return count;
};

const readSize = (fields: Fields, { sizes }: ImageRules): string => {
  const size = readString(fields.size);
  if (sizes.length === 0) return size;
  if (size === "") return "1024x1024";
  if (sizes.includes(size)) return size;
  throw new RequestInvalid(
    { code: "not-one-of", field: "size", allowed: sizes },
    undefined,
    "size_not_supported",
  );
};

const readPrompt = (fields: Fields, { maxPromptCharacters }: ImageRules): string => {
  const prompt = requireTextField(fields, "prompt", "prompt_missing");
  if ([...prompt].length <= maxPromptCharacters) return prompt;
  throw new RequestInvalid(
    { code: "too-long", field: "prompt", max: maxPromptCharacters },
    undefined,
    "prompt_too_long",
  );
};

const summarizeImages = (
  { fields, uploads }: OperationInput,
  model: string,
  hasPrompt: boolean,
): OperationSummary => {
  const rules = rulesOf(model);
  const size = readSize(fields, rules);
  const prompt = hasPrompt ? readPrompt(fields, rules) : "";
  const count = readImageCount(fields, rules.maxImages);
  return {
    isStream: fields.stream === true || fields.stream === "true",
    wantsUsageChunk: true,
    prompt: new PromptText(readTextInput(prompt).pieces, 0, uploads.length),
    maxOutputTokens: 0,
    units: { kind: "images", count, size, quality: readString(fields.quality) },
  };
};

/** @throws RequestInvalid when a form brings no picture. */
const requirePicture = ({ uploads }: OperationInput): void => {
  if (uploads.some(({ field, bytes }) => /^image(?:\[\d*\])?$/.test(field) && bytes.length > 0)) return;
  throw new RequestInvalid({ code: "file-missing", field: "image" }, undefined, "required_field_missing");
};

const isPicture = (item: unknown): boolean =>
  isRecord(item) && (readString(item.url) !== "" || readString(item.b64_json) !== "");

/**
 * The delivered images, at most the requested number; in the size and quality that the answer names, if it does, but no
 * dearer than requested.
 */
const deliveredUnits = (body: JsonRecord, delivered: number, asked: Units | undefined): Units | undefined =>
  asked?.kind !== "images"
    ? undefined
    : {
        ...asked,
        asked: { size: asked.size, quality: asked.quality },
        count: Math.min(delivered, asked.count),
        size: readString(body.size) || asked.size,
        quality: readString(body.quality) || asked.quality,
      };

/** dall-e has a price per image, whatever tokens a relay reports; other models are charged by reported tokens. */
const isPricedByImage = (model: string): boolean => model.startsWith("dall-e-");

const inspectImageEvent = (event: JsonRecord): Partial<EventInspection> => {
  const type = readString(event.type);
  const usage = readTokenUsage(event.usage);
  const isDelivery = isPicture(event);
  const isImage = isDelivery && !type.endsWith(".partial_image");
  return {
    isDelivery,
    isFinish: type.endsWith(".completed"),
    ...(isImage ? { media: { ...NO_MEDIA, images: 1 } } : {}),
    ...(isReported(usage) ? { usage, isOfPart: isImage } : {}),
  };
};

/**
 * Images of a stream: those that came. A client that leaves pays for all of `n`, which the upstream completes, and so does
 * one whose stream shows its pictures in an unknown way; and for more if more came of another name's number, which the
 * upstream may not know.
 */
const streamedUnits = (
  fields: Fields,
  { images, isInterrupted }: DeliveredStream,
  asked: Units | undefined,
): Units | undefined => {
  if (asked?.kind !== "images") return undefined;
  const least = isInterrupted || images === 0 ? readCount(fields.n, "n", Infinity) : 1;
  return { ...asked, count: Math.min(asked.count, Math.max(least, images)) };
};

const createImages = (
  name: Operation["name"],
  input: Operation["input"],
  summarizeRequest: Operation["summarizeRequest"],
): Operation => ({
  name,
  input,
  defaultModel: "dall-e-2",
  isBinary: false,
  summarizeRequest,

  readAnswer: ({ body }, asked, { units }) => {
    if (!isRecord(body) || carriesError(body)) return undefined;
    const pictures = readArray(body.data ?? body.images).filter(isPicture);
    // A refused image is free (contract section 7.1 #5), and so is one that did not come.
    if (pictures.length === 0) return undefined;
    const usage = readTokenUsage(body.usage);
    const isByTokens = isReported(usage) && !isPricedByImage(readString(asked.fields.model) || "dall-e-2");
    const delivered = deliveredUnits(body, pictures.length, units);
    return isByTokens
      ? { usage, text: "", units: undefined, calls: delivered?.count }
      : { usage, text: "", units: delivered };
  },

  events: {
    inspectEvent: createEventView(inspectImageEvent),
    markers: [...COMMON_MARKERS, ".completed"],
    readStream: (stream, { fields }, { units: asked }) => {
      const { usage, text, isInterrupted } = stream;
      const units = streamedUnits(fields, stream, asked);
      const isByTokens = isReported(usage) && !isInterrupted;
      return { usage, text, units: isByTokens ? undefined : units, calls: units?.count };
    },
  },
});

/** POST /v1/images/generations: https://platform.openai.com/docs/api-reference/images/create */
export const imageGenerations = createImages("images/generations", "json", (input, model) =>
  summarizeImages(input, model, true),
);

/** POST /v1/images/edits: https://platform.openai.com/docs/api-reference/images/createEdit */
export const imageEdits = createImages("images/edits", "form", (input, model) => {
  requirePicture(input);
  return summarizeImages(input, model, true);
});

/** POST /v1/images/variations: https://platform.openai.com/docs/api-reference/images/createVariation */
export const imageVariations = createImages("images/variations", "form", (input, model) => {
  requirePicture(input);
  return summarizeImages(input, model, false);
});
