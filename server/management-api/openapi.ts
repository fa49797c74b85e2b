import { areasOf, kindOf } from "@tollgate/contract/management/permission-areas";
import type { Guard } from "@tollgate/contract/resource/endpoint";
import { PRODUCT_VERSION } from "@tollgate/contract/version";
import { z } from "zod/mini";
import type { Route } from "./route";

/** An OpenAPI 3.1 document, as far as this product fills it in. */
export interface OpenApiDocument {
  openapi: string;
  info: { title: string; version: string; description: string };
  paths: Record<string, Record<string, unknown>>;
  components: unknown;
}

const GUARDS: Record<Guard, string> = {
  none: "Everybody.",
  user: "Signed-in users.",
  admin: "Administrators.",
  root: "Root.",
};

/** The callers of a route, with the right that a set of permissions or a management key needs for it. */
const describeGuard = (route: Route): string => {
  const rights = areasOf(route).map((area) => `\`${area}:${kindOf(route)}\``);
  return rights.length === 0
    ? GUARDS[route.guard]
    : `${GUARDS[route.guard]} A set of permissions needs ${rights.length === 1 ? rights[0] : `one of ${rights.join(", ")}`}.`;
};

/** @param fields further fields of the answer, by name */
const envelope = (fields: object = {}) => ({
  type: "object",
  required: ["success", "message"],
  properties: {
    success: { type: "boolean" },
    message: {
      type: "string",
      description: "Empty on success; otherwise a sentence in the reader's language.",
    },
    field: {
      type: "string",
      description: "The field of the body or the query that a refusal is about, if it is about one.",
    },
    ...fields,
  },
});

const FILES = {
  "text/csv": { schema: { type: "string" } },
  "application/x-ndjson": { schema: { type: "string" } },
};

const refusal = (description: string) => ({
  description,
  content: { "application/json": { schema: envelope() } },
});

const toJsonSchema = (schema: z.ZodMiniType, io: "input" | "output") => {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  return json;
};

const fieldsOf = ({ data, isEnvelope }: Route): object | undefined => {
  if (data === undefined) return undefined;
  const schema = toJsonSchema(data, "output");
  return isEnvelope ? schema.properties : { data: schema };
};

/** Values of `sort`: each column, and each with a minus sign before it. */
const orders = (columns: readonly string[]): string[] => columns.flatMap((column) => [column, `-${column}`]);

/** Root's calls, and those of an account's security, take no management key. */
const securityOf = ({ guard, isForPeople }: Route): object[] => [
  { session: [] },
  { accessToken: [] },
  ...(guard === "root" || isForPeople ? [] : [{ managementKey: [] }]),
];

const describeRoute = (route: Route): unknown => ({
  summary: route.summary,
  description: describeGuard(route),
  tags: [route.path.split("/")[2] ?? ""],
  security: route.guard === "none" ? [] : securityOf(route),
  parameters: [
    ...[...route.path.matchAll(/:(\w+)/g)].map(([, name]) => ({
      name,
      in: "path",
      required: true,
      schema: { type: name === "id" ? "integer" : "string" },
    })),
    ...Object.entries(route.query ?? {}).map(([name, description]) => ({
      name,
      in: "query",
      description,
      schema: { type: "string", ...(name === "sort" && route.sorts ? { enum: orders(route.sorts) } : {}) },
    })),
  ],
  ...(route.body
    ? {
        requestBody: {
          required: true,
          content: { "application/json": { schema: toJsonSchema(route.body, "input") } },
        },
      }
    : {}),
  responses: {
    200: {
      description: "Done, or refused with `success: false`.",
      content: {
        ...(route.isFile ? FILES : {}),
        "application/json": { schema: envelope(fieldsOf(route)) },
      },
    },
    ...(route.guard === "none" && !route.mayRefuseGuests ? {} : { 401: refusal("Not signed in.") }),
    ...(route.mayRefuseGuests ? { 304: { description: "Nothing has changed since." } } : {}),
    ...(route.method === "GET" && !route.changesState && !route.mayRefuseGuests
      ? {}
      : { 403: refusal("Another site's page may not do this.") }),
    ...(route.body ? { 413: refusal("The body is too large.") } : {}),
    ...(route.invalidBodyStatus === undefined
      ? {}
      : { [route.invalidBodyStatus]: refusal("The body does not fit.") }),
    ...(route.path.includes(":") ? { 404: { description: "The path cannot be decoded." } } : {}),
    429: { description: "Too many calls from this address." },
  },
});

const templateOf = (path: string): string => path.replace(/:(\w+)/g, "{$1}");

/** A call that is not served by a route: it has no envelope. */
export interface OtherCall {
  methods: readonly string[];
  path: string;
  summary: string;
  description: string;
}

const describeOther = ({ path, summary, description }: OtherCall): unknown => ({
  summary,
  description,
  tags: [path.split("/")[2] ?? ""],
  security: [],
  parameters: [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string" },
  })),
  responses: { default: { description: "As the provider wants to be answered." } },
});

/** Describes the management API from the very routes that serve it. */
export const createOpenApiDocument = (
  routes: readonly Route[],
  others: readonly OtherCall[] = [],
): OpenApiDocument => {
  const paths: OpenApiDocument["paths"] = {};
  const add = (method: string, path: string, described: unknown): void => {
    const template = templateOf(path);
    paths[template] = { ...paths[template], [method.toLowerCase()]: described };
  };
  for (const route of routes) add(route.method, route.path, describeRoute(route));
  for (const other of others)
    for (const method of other.methods) add(method, other.path, describeOther(other));
  return {
    openapi: "3.1.0",
    info: {
      title: "Tollgate management API",
      version: PRODUCT_VERSION,
      description:
        "Business errors answer 200 with `success: false`. Every path is served with and without a slash at its end. Lists are paged by `p`, from 0.",
    },
    paths,
    components: {
      securitySchemes: {
        session: { type: "apiKey", in: "cookie", name: "session" },
        accessToken: { type: "apiKey", in: "header", name: "Authorization" },
        managementKey: {
          type: "http",
          scheme: "bearer",
          description: "A management key (`mk-…`) with the right that the call needs.",
        },
      },
    },
  };
};

/** Endpoints that are served but not described. @param served "GET /api/user/:id" */
export const undescribed = ({ paths }: OpenApiDocument, served: readonly string[]): string[] =>
  served.filter((call) => {
    const [method = "", path = ""] = call.split(" ");
    return paths[templateOf(path)]?.[method.toLowerCase()] === undefined;
  });
