import { isRecord, type JsonRecord, readArray } from "../json/json-values";

/**
 * Whether OpenAI accepts a schema as strict: every object lists all of its fields as required and allows no others
 * (https://platform.openai.com/docs/guides/structured-outputs#supported-schemas). Other vendors allow optional fields
 * in strict schemas; OpenAI would refuse those.
 */
export const isStrictSchema = (schema: JsonRecord | undefined): boolean =>
  schema !== undefined && isObjectSchema(schema) && isStrictWithin(schema, 0);

/** Deeper schemas are refused as strict ones anyway. */
const MAX_DEPTH = 10;

const isObjectSchema = ({ type, properties }: JsonRecord): boolean =>
  type === "object" || isRecord(properties);

const isStrictWithin = (value: unknown, depth: number): boolean => {
  if (!isRecord(value)) return true;
  if (depth > MAX_DEPTH || value.allOf !== undefined || value.oneOf !== undefined) return false;
  if (isObjectSchema(value) && !isClosed(value)) return false;
  const inner = [
    ...Object.values(isRecord(value.properties) ? value.properties : {}),
    ...Object.values(isRecord(value.$defs) ? value.$defs : {}),
    ...Object.values(isRecord(value.definitions) ? value.definitions : {}),
    ...readArray(value.anyOf),
    value.items,
  ];
  return inner.every((one) => isStrictWithin(one, depth + 1));
};

const isClosed = ({ properties, required, additionalProperties }: JsonRecord): boolean => {
  const names = readArray(required);
  return (
    additionalProperties === false &&
    Object.keys(isRecord(properties) ? properties : {}).every((name) => names.includes(name))
  );
};
