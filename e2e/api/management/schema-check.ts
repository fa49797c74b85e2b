/** The part of JSON Schema that the API's description uses. */
export interface JsonSchema {
  type?: string;
  properties?: Record<string, JsonSchema>;
  propertyNames?: JsonSchema;
  required?: string[];
  additionalProperties?: boolean | JsonSchema;
  items?: JsonSchema;
  const?: unknown;
  enum?: unknown[];
  anyOf?: JsonSchema[];
  minimum?: number;
  maximum?: number;
}

/** Keywords that say nothing about what is valid. */
const ANNOTATIONS = new Set(["description", "title", "default", "examples"]);
const KNOWN = new Set<string>([
  "type",
  "properties",
  "required",
  "additionalProperties",
  "propertyNames",
  "items",
  "const",
  "enum",
  "anyOf",
  "minimum",
  "maximum",
]);

/** Names of an object's members are texts in any case. */
const isAnyName = (schema: JsonSchema | undefined): boolean =>
  schema === undefined ||
  Object.entries(schema).every(([key, value]) => key === "type" && value === "string");

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const hasType = (type: string, value: unknown): boolean => {
  switch (type) {
    case "object":
      return isObject(value);
    case "array":
      return Array.isArray(value);
    case "integer":
      return Number.isInteger(value);
    case "null":
      return value === null;
    default:
      // "string", "number" and "boolean" are named as in JavaScript; JSON knows no NaN.
      return typeof value === type;
  }
};

const checkObject = (schema: JsonSchema, value: Record<string, unknown>, at: string): string[] => {
  const { properties = {}, required = [], additionalProperties = true } = schema;
  const complaints = required.filter((name) => !(name in value)).map((name) => `${at}.${name} is missing`);
  for (const [name, member] of Object.entries(value)) {
    const known = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (known !== undefined) complaints.push(...checkSchema(known, member, `${at}.${name}`));
    else if (additionalProperties === false) complaints.push(`${at}.${name} is not described`);
    else if (additionalProperties !== true) {
      complaints.push(...checkSchema(additionalProperties, member, `${at}.${name}`));
    }
  }
  return complaints;
};

/**
 * Checks a JSON value against a schema.
 * @param at what the value is called in complaints.
 * @returns one sentence for everything that does not fit; none when the value is valid.
 * @throws Error for a keyword that it does not know: a check that skips one would pass everything.
 */
export const checkSchema = (schema: JsonSchema, value: unknown, at: string): string[] => {
  for (const keyword of Object.keys(schema)) {
    if (!KNOWN.has(keyword) && !ANNOTATIONS.has(keyword)) {
      throw new Error(`the schema check knows no keyword "${keyword}"`);
    }
  }
  const shown = JSON.stringify(value)?.slice(0, 80);
  if (schema.type !== undefined && !hasType(schema.type, value)) {
    return [`${at} is no ${schema.type}: ${shown}`];
  }
  if ("const" in schema && value !== schema.const) return [`${at} is not ${JSON.stringify(schema.const)}`];
  if (schema.enum && !schema.enum.includes(value)) return [`${at} is none of the allowed values: ${shown}`];
  if (schema.anyOf && !schema.anyOf.some((each) => checkSchema(each, value, at).length === 0)) {
    return [`${at} fits none of the allowed shapes: ${shown}`];
  }
  const complaints: string[] = [];
  if (typeof value === "number") {
    if (schema.minimum !== undefined && value < schema.minimum)
      complaints.push(`${at} is too small: ${shown}`);
    if (schema.maximum !== undefined && value > schema.maximum)
      complaints.push(`${at} is too large: ${shown}`);
  }
  if (!isAnyName(schema.propertyNames)) throw new Error("the schema check knows no rules for names");
  if (isObject(value)) complaints.push(...checkObject(schema, value, at));
  if (Array.isArray(value) && schema.items) {
    for (const [index, item] of value.entries()) {
      complaints.push(...checkSchema(schema.items, item, `${at}[${index}]`));
    }
  }
  return complaints;
};
