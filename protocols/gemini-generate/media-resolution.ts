import type { ChatRequest, ImagePart, Turn } from "@tollgate/contract/relay/request";
import { isRecord, type JsonRecord, readString } from "../shared/json/json-values";
import { readField } from "./read-field";

/** https://ai.google.dev/gemini-api/docs/media-resolution; a middle one has no name elsewhere. */
const DETAILS: ReadonlyMap<string, string> = new Map([
  ["MEDIA_RESOLUTION_LOW", "low"],
  ["MEDIA_RESOLUTION_HIGH", "high"],
]);

const RESOLUTIONS: ReadonlyMap<string | undefined, string> = new Map(
  [...DETAILS].map(([resolution, detail]) => [detail, resolution]),
);

/** The detail of images, from `generationConfig.mediaResolution`. */
export const readDetail = (config: JsonRecord): string | undefined =>
  DETAILS.get(readString(readField(config, "mediaResolution")));

/** Detail of one part, which takes precedence over the common one. */
export const readPartDetail = (part: JsonRecord): string | undefined => {
  const resolution = readField(part, "mediaResolution");
  return DETAILS.get(isRecord(resolution) ? readString(resolution.level) : readString(resolution));
};

const imagesOf = (turns: readonly Turn[]): ImagePart[] =>
  turns.flatMap((turn) =>
    turn.role === "user"
      ? turn.parts
          .flatMap((part) => (part.kind === "tool-result" ? part.content : [part]))
          .filter((part) => part.kind === "image")
      : [],
  );

/** Sets the common detail on images without their own. */
export const applyDetail = (turns: readonly Turn[], detail: string | undefined): void => {
  if (detail === undefined) return;
  for (const image of imagesOf(turns)) image.detail ??= detail;
};

/** The common resolution of all images; undefined when they differ, or Google has no equivalent. */
export const buildResolution = ({ turns }: ChatRequest): string | undefined => {
  const details = new Set(imagesOf(turns).map(({ detail }) => detail));
  const [only] = details;
  return details.size === 1 ? RESOLUTIONS.get(only) : undefined;
};
