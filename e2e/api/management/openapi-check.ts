import { checkSchema, type JsonSchema } from "./schema-check";

interface DescribedAnswer {
  content?: Record<string, { schema: JsonSchema }>;
}

interface DescribedOperation {
  summary?: string;
  parameters: { name: string; in: string }[];
  responses: Record<string, DescribedAnswer>;
}

/** The part of an OpenAPI document that answers are checked against. */
export interface OpenApiDocument {
  paths: Record<string, Record<string, DescribedOperation>>;
}

/** Whose answers have no envelope: a provider of payments wants its own words (payments.test.ts). */
const CALLBACKS = "/api/payment/{provider}";

/** "GET /api/user/{id}": a call with an envelope as the description names it. */
export const describedRoutes = ({ paths }: OpenApiDocument): string[] =>
  Object.entries(paths)
    .filter(([path]) => path !== CALLBACKS)
    .flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
    );

const fits = (template: string, path: string): boolean => {
  const parts = template.split("/");
  const given = path.split("/");
  return parts.length === given.length && parts.every((part, i) => part.startsWith("{") || part === given[i]);
};

const placeholders = (template: string): number => template.split("{").length;

/**
 * The described path that a call goes to: without its query and closing slash, a literal path before one with a
 * placeholder.
 */
export const findTemplate = (document: OpenApiDocument, method: string, path: string): string | undefined => {
  const plain = (path.split("?")[0] ?? path).replace(/\/$/, "");
  return Object.keys(document.paths)
    .filter((template) => fits(template, plain) && document.paths[template]?.[method.toLowerCase()])
    .sort((a, b) => placeholders(a) - placeholders(b))[0];
};

/** What of a call's query the description does not name. */
export const undescribedQuery = (document: OpenApiDocument, method: string, path: string): string[] => {
  const template = findTemplate(document, method, path) ?? "";
  const parameters = document.paths[template]?.[method.toLowerCase()]?.parameters ?? [];
  const described = new Set(parameters.filter((each) => each.in === "query").map(({ name }) => name));
  const query = path.includes("?") ? new URLSearchParams(path.slice(path.indexOf("?"))) : [];
  return [...query].map(([name]) => name).filter((name) => !described.has(name));
};

/**
 * Checks an answer against the API's description. A refused call (`success: false`) owes no data.
 * @returns what does not fit; nothing for a call that the description does not name.
 */
export const checkAnswer = (
  document: OpenApiDocument,
  method: string,
  path: string,
  status: number,
  body: Record<string, unknown>,
): string[] => {
  const template = findTemplate(document, method, path);
  if (template === undefined) return [];
  const operation = document.paths[template]?.[method.toLowerCase()];
  const described = operation?.responses[String(status)];
  if (!described) return [`${method} ${template} is not described to answer ${status}`];
  const schema = described.content?.["application/json"]?.schema;
  if (!schema) return [];
  const complaints = checkSchema(schema, body, "answer");
  const owesData = body.success === true && body.message === "" && schema.properties?.data !== undefined;
  if (owesData && body.data === undefined) complaints.push(`${method} ${template} answers no data`);
  return complaints;
};
