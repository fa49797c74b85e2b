import type { ChatRequest } from "@tollgate/contract/relay/request";
import { forModel } from "./for-model";

type Format = NonNullable<ChatRequest["responseFormat"]>;

/** Requests the answer's format in words. */
export const formatWords = (format: Format): string =>
  format.kind === "json"
    ? forModel`Answer with a single JSON object only.`
    : forModel`Answer with a single JSON object only, which matches this JSON schema: ${JSON.stringify(format.schema)}`;

/**
 * Whether a text of the conversation mentions JSON: OpenAI and others refuse their JSON mode otherwise
 * (https://platform.openai.com/docs/guides/structured-outputs#json-mode). Results of tools do not count everywhere.
 */
export const mentionsJson = ({ turns, system }: Pick<ChatRequest, "turns" | "system">): boolean =>
  [{ parts: system }, ...turns].some(({ parts }) =>
    parts.some((part) => part.kind === "text" && /json/i.test(part.text)),
  );
