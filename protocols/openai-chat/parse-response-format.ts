import { RequestInvalid } from "@tollgate/contract/relay/protocol";
import type { ChatRequest } from "@tollgate/contract/relay/request";
import { readDescription, requireRecord, requireText } from "../shared/request/request-fields";

/**
 * Parses `response_format` (https://platform.openai.com/docs/guides/structured-outputs).
 * @returns undefined for free text.
 * @throws RequestInvalid
 */
export const parseResponseFormat = (value: unknown): ChatRequest["responseFormat"] => {
  if (value === undefined || value === null) return undefined;
  const format = requireRecord(value, "response_format");
  switch (format.type) {
    case "text":
      return undefined;
    case "json_object":
      return { kind: "json" };
    case "json_schema": {
      const param = "response_format.json_schema";
      const declared = requireRecord(format.json_schema, param);
      return {
        kind: "json-schema",
        name: requireText(declared.name, `${param}.name`),
        ...readDescription(declared),
        schema: requireRecord(declared.schema, `${param}.schema`),
        isStrict: typeof declared.strict === "boolean" ? declared.strict : undefined,
      };
    }
    default:
      throw new RequestInvalid({
        code: "not-one-of",
        field: "response_format.type",
        allowed: ["text", "json_object", "json_schema"],
      });
  }
};
