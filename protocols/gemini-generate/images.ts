import type { OperationTranslation, UpstreamOperation } from "@tollgate/contract/relay/operation";
import { RequestInvalid } from "@tollgate/contract/relay/protocol";
import { encodeImages, pictureOfData } from "../shared/answer/images";
import { isRecord, type JsonRecord, readArray, readRecord, readString } from "../shared/json/json-values";
import {
  type ImageAbilities,
  type ImageRequest,
  type ImageSize,
  type Picture,
  ratioOf,
  readImageRequest,
  refuseEarly,
} from "../shared/request/image-request";
import { callPath } from "./call-path";
import { imagenEdits, imagenGenerations, isImagen, predictPath } from "./imagen";
import { readUsage } from "./read-usage";

/*
 * Pictures of Gemini's models: https://ai.google.dev/gemini-api/docs/image-generation. One call makes one picture, and
 * answers with data. Imagen has separate calls (imagen.ts).
 */

/** https://ai.google.dev/gemini-api/docs/image-generation#aspect_ratios */
const RATIOS = ["1:1", "2:3", "3:2", "3:4", "4:3", "4:5", "5:4", "9:16", "16:9", "21:9"];
/** https://ai.google.dev/gemini-api/docs/image-generation#use-14-images: later models than 2.5 take so many. */
const MAX_PICTURES = 14;
const MAX_PICTURES_OF_25 = 3;

const isOf25 = (model: string): boolean => model.includes("gemini-2.");

const abilitiesOf = (model: string, isEdit: boolean): ImageAbilities => ({
  maxCount: 1,
  maxPictures: isEdit ? (isOf25(model) ? MAX_PICTURES_OF_25 : MAX_PICTURES) : 0,
  // Larger pictures are the only choice of quality, and the oldest models have none.
  qualities: isOf25(model) ? [] : ["hd", "high"],
  ownFields: ["aspect_ratio"],
  hasAddresses: false,
});

/** Pixels up to which a size is called 1K and 2K; the rectangles of a name differ by their ratio. */
const MAX_PIXELS_1K = 2_100_000;
const MAX_PIXELS_2K = 6_000_000;

const SIZE_NAMES = ["1K", "2K", "4K"];

/** `imageSize`; undefined for models with one size. @throws RequestInvalid */
const nameSize = (
  model: string,
  size: ImageSize | string | undefined,
  quality: string,
): string | undefined => {
  if (typeof size === "string" || size === undefined) {
    const named = size ?? (quality === "" ? undefined : "2K");
    const allowed = isOf25(model) ? ["1K"] : SIZE_NAMES;
    if (named !== undefined && !allowed.includes(named))
      throw new RequestInvalid({ code: "not-one-of", field: "size", allowed });
    return isOf25(model) ? undefined : named;
  }
  const pixels = size.width * size.height;
  if (isOf25(model)) {
    if (pixels <= MAX_PIXELS_1K) return undefined;
    throw new RequestInvalid({
      code: "unsupported-value-instead",
      field: "size",
      value: `${size.width}x${size.height}`,
      instead: ["1024x1024", "1024x1536", "1536x1024"],
    });
  }
  if (pixels > MAX_PIXELS_2K) return "4K";
  return pixels > MAX_PIXELS_1K || quality !== "" ? "2K" : "1K";
};

const toPart = ({ mediaType, data }: Picture): JsonRecord => ({ inlineData: { mimeType: mediaType, data } });

const buildBody = (request: ImageRequest, model: string): unknown => {
  const { pictures, prompt, size, quality, own } = request;
  const aspectRatio = ratioOf(
    typeof size === "string" ? undefined : size,
    readString(own.aspect_ratio),
    RATIOS,
  );
  const imageSize = nameSize(model, size, quality);
  const imageConfig = {
    ...(aspectRatio === undefined ? {} : { aspectRatio }),
    ...(imageSize === undefined ? {} : { imageSize }),
  };
  return {
    contents: [{ role: "user", parts: [...pictures.map(toPart), { text: prompt }] }],
    generationConfig: {
      // Words would be paid for and have no place in the answer.
      responseModalities: ["IMAGE"],
      ...(Object.keys(imageConfig).length === 0 ? {} : { imageConfig }),
    },
  };
};

const partsOf = (body: unknown): JsonRecord[] =>
  readArray(readRecord(body).candidates).flatMap((candidate) =>
    readArray(readRecord(readRecord(candidate).content).parts).filter(isRecord),
  );

/** Drafts of models that think are no answer. */
const isAnswer = ({ thought }: JsonRecord): boolean => thought !== true;

const encodeUsage = (body: unknown): Readonly<Record<string, unknown>> => {
  const { inputTokens, outputTokens } = readUsage(body);
  if (inputTokens === undefined && outputTokens === undefined) return {};
  const [read, written] = [inputTokens ?? 0, outputTokens ?? 0];
  return { usage: { input_tokens: read, output_tokens: written, total_tokens: read + written } };
};

const readBody: OperationTranslation["readBody"] = (body) => {
  const found = partsOf(body)
    .filter(isAnswer)
    .map((part) => pictureOfData(readRecord(part.inlineData ?? part.inline_data).data));
  return encodeImages(found, 1, encodeUsage(body));
};

/** Most words of a model that explains why it made no picture. */
const MAX_WORDS = 500;

/** An answer without a picture: the reason of the filter, or the words of the model. */
const errorIn: OperationTranslation["errorIn"] = (body) => {
  const { candidates, promptFeedback } = readRecord(body);
  if (promptFeedback === undefined && !Array.isArray(candidates)) return undefined;
  const { blockReason, blockReasonMessage } = readRecord(promptFeedback);
  const { finishReason, finishMessage } = readRecord(readArray(candidates)[0]);
  const words = partsOf(body)
    .filter(isAnswer)
    .map(({ text }) => readString(text))
    .join("")
    .slice(0, MAX_WORDS);
  const reason = readString(blockReason) || readString(finishReason) || "NO_IMAGE";
  const message = readString(blockReasonMessage) || readString(finishMessage) || words;
  // An end without a picture is the model's own refusal.
  return { error: { status: reason === "STOP" ? "NO_IMAGE" : reason, message: message || reason } };
};

const geminiImages = (isEdit: boolean): OperationTranslation => ({
  buildBody: (input, model) => buildBody(readImageRequest(input, abilitiesOf(model, isEdit)), model),
  readBody,
  errorIn,
});

const createImages = (isEdit: boolean, imagen: OperationTranslation): UpstreamOperation => {
  const gemini = geminiImages(isEdit);
  const isPredicted = (body: unknown): boolean => isRecord(body) && "predictions" in body;
  const translation: OperationTranslation = {
    buildBody: (input, model, fields) => (isImagen(model) ? imagen : gemini).buildBody(input, model, fields),
    readBody: (body, input, model) => (isPredicted(body) ? imagen : gemini).readBody(body, input, model),
    errorIn: (body) => (isPredicted(body) ? imagen : gemini).errorIn?.(body),
  };
  return {
    path: (model) => (isImagen(model) ? predictPath(model) : callPath(model, false)),
    summarize: refuseEarly(translation),
    translation,
  };
};

export const imageGenerations = createImages(false, imagenGenerations);
/** Google's own API has no edits of Imagen. */
export const imageEdits = createImages(true, imagenEdits(false));
export const vertexImageEdits = createImages(true, imagenEdits(true));
