import { readFileSync } from "node:fs";

/*
 * The declarations of OpenAI's own SDK for the Responses API, used as a schema of each object. They are generated from
 * the API's specification, so that a new version shows new fields.
 */

type JsonRecord = Record<string, unknown>;

const isRecord = (value: unknown): value is JsonRecord =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const SDK = readFileSync(
  new URL("../node_modules/openai/resources/responses/responses.d.ts", import.meta.url),
  "utf8",
);

/** The lines of a declaration, "Tool.Mcp" being Mcp inside the namespace Tool. */
const declarationOf = (name: string): string => {
  const [outer = "", inner] = name.split(".");
  const scope =
    inner === undefined
      ? SDK
      : SDK.slice(SDK.search(new RegExp(`^export declare namespace ${outer} \\{`, "m")));
  const start = scope.search(new RegExp(`^ *(?:export )?interface ${inner ?? outer}\\b`, "m"));
  if (start === -1) throw new Error(`the SDK declares no ${name}`);
  const rest = scope.slice(start);
  const indent = /^ */.exec(rest)?.[0] ?? "";
  return rest.slice(0, rest.indexOf(`\n${indent}}`));
};

const membersOf = (union: string): string[] =>
  (new RegExp(`^export type ${union} = ([^;]*);`, "m").exec(SDK)?.[1] ?? "").split(" | ");

/** The texts that a field of an object may have. */
export const literalsOf = (name: string, field: string): string[] => {
  const type = new RegExp(`^ *${field}\\??: ([^;]*);`, "m").exec(declarationOf(name))?.[1] ?? "";
  return [...type.matchAll(/'([^']+)'/g)].map(([, text = ""]) => text);
};

/** The values of `type` that the members of a union have. */
export const typesOf = (union: string): string[] =>
  membersOf(union).flatMap((member) => literalsOf(member, "type"));

/** Faults of an object of a union, by its `type`. */
export const faultsInUnion = (union: string, value: unknown): string[] => {
  const type = isRecord(value) ? String(value.type) : "";
  const member = membersOf(union).find((name) => literalsOf(name, "type").includes(type));
  return member === undefined ? [`${union} has no "${type}"`] : faultsIn(member, value);
};

/** Faults of an object: missing fields, and plain values of another type than declared. */
export const faultsIn = (name: string, value: unknown): string[] => {
  if (!isRecord(value)) return [`${name} is no object`];
  const declaration = declarationOf(name);
  const indent = /^ */.exec(declaration)?.[0] ?? "";
  const fields = declaration.matchAll(new RegExp(`^${indent} {4}(\\w+)(\\??): ([^;{]*);$`, "gm"));
  return [...fields].flatMap(([, field = "", optional, type = ""]) =>
    faultIn(name, value, field, optional === "?", type),
  );
};

/** Made by the SDK itself from the output. */
const SDK_ONLY = "output_text";

const faultIn = (
  name: string,
  value: JsonRecord,
  field: string,
  isOptional: boolean,
  type: string,
): string[] => {
  const found = value[field];
  // Optional fields are null in the API's own answers.
  if (field === SDK_ONLY || ((found === undefined || found === null) && isOptional)) return [];
  if (found === undefined) return [`${name}.${field} is missing`];
  const kinds = type.split(" | ");
  const isPlain = kinds.every((kind) =>
    /^(?:string|number|boolean|null|'[^']*'|\(string & \{\}\))$/.test(kind),
  );
  return isPlain && !kinds.some((kind) => isOfKind(found, kind))
    ? [`${name}.${field} is ${JSON.stringify(found)}`]
    : [];
};

const isOfKind = (value: unknown, kind: string): boolean =>
  kind === "null"
    ? value === null
    : kind.startsWith("'")
      ? value === kind.slice(1, -1)
      : typeof value === kind || (kind.startsWith("(string") && typeof value === "string");
