import { tryParseJson } from "@tollgate/contract/values/parse-json";
import * as z from "zod/mini";

/** A picture: its content as base64, or the address where its provider keeps it. */
export interface Picture {
  data?: string;
  address?: string;
}

/** Pictures of one answer: no request asks for more. */
const MAX_PICTURES = 10;

const BASE64 = /^[\w+/=-]+$/;

const pictureSchema = z.object({
  data: z.array(
    z.object({
      b64_json: z.catch(z.optional(z.nullable(z.string())), undefined),
      url: z.catch(z.optional(z.nullable(z.string())), undefined),
    }),
  ),
});

/** The pictures of an answer. An address other than of the web leads nowhere. @throws Error without any. */
export const readPictures = (text: string): Picture[] => {
  const { data } = pictureSchema.parse(tryParseJson(text));
  const pictures = data.slice(0, MAX_PICTURES).flatMap(({ b64_json: content, url }): Picture[] => {
    if (content && BASE64.test(content)) return [{ data: content }];
    if (url?.startsWith("data:image/")) return [{ data: url.slice(url.indexOf(",") + 1) }];
    return url && /^https?:\/\//i.test(url) ? [{ address: url }] : [];
  });
  if (pictures.length === 0) throw new Error("no picture");
  return pictures;
};

const vectorSchema = z.object({ data: z.array(z.object({ embedding: z.array(z.number()) })) });

/** The vector of an answer. @throws Error without one. */
export const readVector = (text: string): number[] => {
  const [first] = vectorSchema.parse(tryParseJson(text)).data;
  if (!first || first.embedding.length === 0) throw new Error("no vector");
  return first.embedding;
};

/** Euclidean length. */
export const normOf = (vector: readonly number[]): number =>
  Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));

/** A type that plays sound and never opens as a page, whatever the answer says that it is. */
export const soundType = (contentType: string | null): string => {
  const type = (contentType ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
  return /^audio\/[\w.+-]+$/.test(type) ? type : "audio/mpeg";
};
