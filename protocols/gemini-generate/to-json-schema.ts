import { isRecord, type JsonRecord } from "../shared/json/json-values";
import { readField } from "./read-field";

/** Fields that mean the same in JSON Schema. */
const SAME = [
  "title",
  "description",
  "enum",
  "default",
  "pattern",
  "minimum",
  "maximum",
  "required",
  "format",
] as const;
/** Numbers that Google writes as text, as it does with all of 64 bits. */
const COUNTS = ["minItems", "maxItems", "minLength", "maxLength", "minProperties", "maxProperties"] as const;

/**
 * Converts Google's Schema (https://ai.google.dev/api/caching#Schema), a subset of OpenAPI's, to JSON Schema: types in
 * lower case, `nullable` as a separate type. A non-object becomes an empty schema, which accepts everything.
 */
export const toJsonSchema = (value: unknown): JsonRecord => {
  if (!isRecord(value)) return {};
  const schema: JsonRecord = {};
  const type = typeof value.type === "string" ? value.type.toLowerCase() : undefined;
  if (type !== undefined && type !== "type_unspecified")
    schema.type = value.nullable === true ? [type, "null"] : type;
  for (const field of SAME) if (value[field] !== undefined) schema[field] = value[field];
  // "enum" is not a real format: it only means that `enum` applies.
  if (schema.format === "enum") delete schema.format;
  for (const field of COUNTS) {
    const count = readField(value, field);
    if (count !== undefined) schema[field] = Number(count);
  }
  const anyOf = readField(value, "anyOf");
  if (Array.isArray(anyOf)) schema.anyOf = anyOf.map(toJsonSchema);
  if (value.items !== undefined) schema.items = toJsonSchema(value.items);
  if (isRecord(value.properties)) {
    schema.properties = Object.fromEntries(
      Object.entries(value.properties).map(([name, property]) => [name, toJsonSchema(property)]),
    );
  }
  return schema;
};
