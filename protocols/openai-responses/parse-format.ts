import { RequestInvalid } from "@tollgate/contract/relay/protocol";
import type { ChatRequest } from "@tollgate/contract/relay/request";
import { readDescription, requireRecord, requireText } from "../shared/request/request-fields";

/**
 * Parses `text.format` (https://platform.openai.com/docs/guides/structured-outputs).
 * @returns undefined for free text.
 * @throws RequestInvalid
 */
export const parseFormat = (text: unknown): ChatRequest["responseFormat"] => {
  if (text === undefined || text === null) return undefined;
  const { format: value } = requireRecord(text, "text");
  if (value === undefined || value === null) return undefined;
  const format = requireRecord(value, "text.format");
  switch (format.type) {
    case "text":
      return undefined;
    case "json_object":
      return { kind: "json" };
    case "json_schema":
      return {
        kind: "json-schema",
        name: requireText(format.name, "text.format.name"),
        ...readDescription(format),
        schema: requireRecord(format.schema, "text.format.schema"),
        isStrict: typeof format.strict === "boolean" ? format.strict : undefined,
      };
    default:
      throw new RequestInvalid({
        code: "not-one-of",
        field: "text.format.type",
        allowed: ["text", "json_object", "json_schema"],
      });
  }
};
