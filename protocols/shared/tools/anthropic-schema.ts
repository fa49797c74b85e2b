import { isRecord, type JsonRecord, readArray } from "../json/json-values";

/** Limits of a schema that the API compiles; larger ones are "too complex". */
const MAX_DEPTH = 20;
const MAX_SCHEMAS = 500;
const MAX_OPTIONAL = 24;
const MAX_UNIONS = 16;

/** Keywords that are sent unchanged. */
const KEPT: ReadonlySet<string> = new Set(["type", "title", "description", "default", "enum", "const"]);
/** Keywords that are replaced, or have no meaning for a model. */
const DROPPED: ReadonlySet<string> = new Set([
  ...["properties", "required", "additionalProperties", "items", "anyOf", "oneOf", "allOf"],
  ...["$ref", "$defs", "definitions", "$schema", "$id", "$comment"],
]);
/** Keywords of which each schema has one. */
const DEFINING = ["type", "enum", "const", "anyOf"] as const;
/** Keywords that a description cannot replace. */
const STRUCTURAL = ["patternProperties", "prefixItems", "additionalItems", "$dynamicRef"] as const;

const FORMATS: ReadonlySet<unknown> = new Set(
  "date-time time date duration email hostname uri ipv4 ipv6 uuid".split(" "),
);

/** Thrown inside: the schema has no equivalent. */
class Unfit extends Error {}

interface Fitting {
  root: JsonRecord;
  /** Fitted definitions, by their references; undefined while one is being fitted. */
  definitions: Map<string, JsonRecord | undefined>;
  schemas: number;
  optional: number;
  unions: number;
}

/**
 * Fits a JSON schema to Anthropic's structured outputs
 * (https://platform.claude.com/docs/en/build-with-claude/structured-outputs#json-schema-limitations): closes every
 * object, and moves unsupported constraints into descriptions.
 * @returns undefined if this would change the meaning: an object with arbitrary fields, a value of any type, recursion.
 */
export const fitSchema = (schema: JsonRecord): JsonRecord | undefined => {
  const fitting: Fitting = { root: schema, definitions: new Map(), schemas: 0, optional: 0, unions: 0 };
  try {
    const fitted = fit(schema, fitting, 0);
    if (fitting.optional > MAX_OPTIONAL || fitting.unions > MAX_UNIONS) return undefined;
    for (const [reference, definition] of fitting.definitions) {
      const [, holder = "", name = ""] = reference.split("/");
      fitted[holder] = { ...(fitted[holder] as JsonRecord | undefined), [name]: definition };
    }
    return fitted;
  } catch (error) {
    if (error instanceof Unfit) return undefined;
    throw error;
  }
};

const fit = (value: unknown, fitting: Fitting, depth: number): JsonRecord => {
  fitting.schemas += 1;
  if (!isRecord(value) || depth > MAX_DEPTH || fitting.schemas > MAX_SCHEMAS) throw new Unfit();
  if (STRUCTURAL.some((keyword) => value[keyword] !== undefined)) throw new Unfit();
  if (typeof value.$ref === "string") return fitReference(value.$ref, fitting, depth);
  if (value.allOf !== undefined) return fit(onlyOf(value), fitting, depth + 1);
  const within = (one: unknown): JsonRecord => fit(one, fitting, depth + 1);
  const fitted = fitKeywords(value);
  const union = value.anyOf ?? value.oneOf;
  if (union !== undefined) fitted.anyOf = nonEmpty(union).map(within);
  if (union !== undefined || Array.isArray(value.type)) fitting.unions += 1;
  if (isOf(value, "object") || isRecord(value.properties)) closeObject(value, fitted, fitting, within);
  if (isOf(value, "array")) fitted.items = within(value.items);
  // A value of any type includes open objects.
  if (!DEFINING.some((keyword) => fitted[keyword] !== undefined)) throw new Unfit();
  return fitted;
};

/** The keywords without schemas in them; unsupported ones become part of the description. */
const fitKeywords = (value: JsonRecord): JsonRecord => {
  const fitted: JsonRecord = {};
  const moved: JsonRecord = {};
  for (const [keyword, content] of Object.entries(value)) {
    if (KEPT.has(keyword) || isSupported(keyword, content)) fitted[keyword] = content;
    else if (!DROPPED.has(keyword)) moved[keyword] = content;
  }
  if (readArray(value.enum).some((one) => typeof one === "object" && one !== null)) throw new Unfit();
  if (Object.keys(moved).length > 0) fitted.description = describe(value.description, moved);
  return fitted;
};

const isOf = ({ type }: JsonRecord, name: string): boolean =>
  type === name || (Array.isArray(type) && type.includes(name));

const isSupported = (keyword: string, content: unknown): boolean =>
  (keyword === "format" && FORMATS.has(content)) ||
  (keyword === "minItems" && (content === 0 || content === 1));

const nonEmpty = (value: unknown): readonly unknown[] => {
  if (!Array.isArray(value) || value.length === 0) throw new Unfit();
  return value;
};

const closeObject = (
  { type, properties, required, additionalProperties }: JsonRecord,
  fitted: JsonRecord,
  fitting: Fitting,
  within: (one: unknown) => JsonRecord,
): void => {
  if (!isRecord(properties) || (additionalProperties ?? false) !== false) throw new Unfit();
  const names = readArray(required);
  if (names.some((name) => typeof name !== "string" || !Object.hasOwn(properties, name))) throw new Unfit();
  const entries = Object.entries(properties).map(([name, one]) => [name, within(one)] as const);
  fitting.optional += entries.length - names.length;
  fitted.type = type ?? "object";
  fitted.properties = Object.fromEntries(entries);
  if (names.length > 0) fitted.required = names;
  fitted.additionalProperties = false;
};

/** The only schema of `allOf`, as generators wrap a reference: two closed objects would exclude each other. */
const onlyOf = ({ allOf, ...rest }: JsonRecord): JsonRecord => {
  const [only, ...others] = nonEmpty(allOf);
  if (!isRecord(only) || others.length > 0) throw new Unfit();
  return { ...only, ...rest };
};

/** A definition is fitted once; one that refers to itself has no end. */
const fitReference = (reference: string, fitting: Fitting, depth: number): JsonRecord => {
  const { definitions, root } = fitting;
  if (!definitions.has(reference)) {
    const [start, holder = "", name = "", ...rest] = reference.split("/");
    const holding = root[holder];
    if (start !== "#" || rest.length > 0 || (holder !== "$defs" && holder !== "definitions"))
      throw new Unfit();
    if (!isRecord(holding) || !Object.hasOwn(holding, name)) throw new Unfit();
    definitions.set(reference, undefined);
    definitions.set(reference, fit(holding[name], fitting, depth + 1));
  } else if (definitions.get(reference) === undefined) throw new Unfit();
  return { $ref: reference };
};

const describe = (description: unknown, moved: JsonRecord): string => {
  const constraints = JSON.stringify(moved);
  return typeof description === "string" && description !== ""
    ? `${description}\n\n${constraints}`
    : constraints;
};
