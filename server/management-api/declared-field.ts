import type { Endpoint } from "@tollgate/contract/resource/endpoint";
import * as z from "zod/mini";

/** The part of a JSON schema that is followed. */
interface Declared {
  properties?: Readonly<Record<string, Declared>>;
  items?: Declared;
  anyOf?: readonly Declared[];
}

/** The parts of a value that a schema declares; a value with several forms has the parts of all. */
const partsOf = ({ properties, anyOf = [] }: Declared): Map<string, Declared> =>
  new Map([...anyOf.flatMap((form) => [...partsOf(form)]), ...Object.entries(properties ?? {})]);

const itemOf = ({ items, anyOf = [] }: Declared): Declared | undefined =>
  items ?? anyOf.map(itemOf).find((item) => item !== undefined);

/** The names of a path as far as a schema declares them: keys of a table are a client's own words, and end it. */
const declaredPart = (schema: Declared, [step, ...rest]: readonly PropertyKey[]): string[] => {
  if (step === undefined) return [];
  if (typeof step === "number") return declaredPart(itemOf(schema) ?? {}, rest);
  const part = partsOf(schema).get(String(step));
  return part ? [String(step), ...declaredPart(part, rest)] : [];
};

/** Kept, because callers may be refused often. */
const schemas = new WeakMap<z.ZodMiniType, Declared>();

const bodySchema = ({ body }: Pick<Endpoint, "body">): Declared => {
  if (!body) return {};
  const known = schemas.get(body);
  if (known) return known;
  const schema = z.toJSONSchema(body, { io: "input", unrepresentable: "any" }) as Declared;
  schemas.set(body, schema);
  return schema;
};

/** The declared field at the path of a body's mistake, with dots between nested names; undefined for none. */
export const fieldAt = (route: Pick<Endpoint, "body">, path: readonly PropertyKey[]): string | undefined =>
  declaredPart(bodySchema(route), path).join(".") || undefined;

/** Whether a call's body or query has a field, or the one that a nested name such as `fields.url` begins with. */
export const hasField = (route: Pick<Endpoint, "body" | "query">, field: string): boolean => {
  const [name = ""] = field.split(".");
  return Object.hasOwn(route.query ?? {}, name) || partsOf(bodySchema(route)).has(name);
};
