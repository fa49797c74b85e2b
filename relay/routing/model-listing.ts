import type { UpstreamTarget } from "../ports";
import { upstreamPath } from "./addressing";

/*
 * How an upstream is asked for its models, and its answer read: what follows from its protocol, and where vendors differ, from the
 * addressing or the list that a route declares.
 */

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const objectsOf = (value: unknown): Record<string, unknown>[] | undefined =>
  Array.isArray(value) ? value.filter(isObject) : undefined;

/** One page of a list: its names, and the path of the next page. */
interface Page {
  names: unknown[];
  next?: string | undefined;
}

/** How a list is asked for and read. */
export interface ModelListing {
  path: string;
  /** @returns undefined where the answer is no list. */
  read(answer: Record<string, unknown>): Page | undefined;
}

const openai = (path: string): ModelListing => ({
  path,
  read(answer) {
    const entries = objectsOf(answer.data);
    return entries && { names: entries.map(({ id }) => id) };
  },
});

/** https://docs.anthropic.com/en/api/models-list */
const anthropic = (path: string): ModelListing => ({
  path: `${path}?limit=1000`,
  read({ data, has_more, last_id }) {
    const entries = objectsOf(data);
    const isMore = has_more === true && typeof last_id === "string";
    return (
      entries && {
        names: entries.map(({ id }) => id),
        next: isMore ? `${path}?limit=1000&after_id=${encodeURIComponent(last_id)}` : undefined,
      }
    );
  },
});

const GEMINI_METHODS: ReadonlySet<unknown> = new Set(["generateContent", "embedContent", "predict"]);

/** https://ai.google.dev/api/models: names begin with "models/", which requests do without. */
const gemini = (path: string): ModelListing => ({
  path: `${path}?pageSize=1000`,
  read({ models, nextPageToken }) {
    const entries = objectsOf(models);
    const isMore = typeof nextPageToken === "string" && nextPageToken !== "";
    return (
      entries && {
        names: entries
          .filter(
            ({ supportedGenerationMethods: methods }) =>
              !Array.isArray(methods) || methods.some((method) => GEMINI_METHODS.has(method)),
          )
          .map(({ name }) => (typeof name === "string" ? name.replace(/^models\//, "") : name)),
        next: isMore ? `${path}?pageSize=1000&pageToken=${encodeURIComponent(nextPageToken)}` : undefined,
      }
    );
  },
});

/** https://docs.ollama.com/api/tags */
const ollama = (path: string): ModelListing => ({
  path,
  read({ models }) {
    const entries = objectsOf(models);
    return entries && { names: entries.map(({ name }) => name) };
  },
});

/** https://docs.cohere.com/reference/list-models */
const cohere = (path: string): ModelListing => ({
  path: `${path}?page_size=1000`,
  read({ models, next_page_token: token }) {
    const entries = objectsOf(models);
    const isMore = typeof token === "string" && token !== "";
    return (
      entries && {
        names: entries.map(({ name }) => name),
        next: isMore ? `${path}?page_size=1000&page_token=${encodeURIComponent(token)}` : undefined,
      }
    );
  },
});

/**
 * https://learn.microsoft.com/rest/api/azureopenai/models/list: the models that the resource may use. Its deployments are told to
 * the management plane alone, whose credentials no channel has.
 */
const azure = (path: string): ModelListing => ({
  path: `${path}?api-version=2024-10-21`,
  read({ data }) {
    const entries = objectsOf(data);
    return (
      entries && {
        names: entries
          .filter(({ capabilities }) => !isObject(capabilities) || capabilities.inference !== false)
          .map(({ id }) => id),
      }
    );
  },
});

/** What Cohere's addresses of OpenAI's shape end in, beside which its own API stands. */
const COHERE_COMPATIBLE = /\/compatibility(?:\/v1)?$/;

/** How an upstream is asked for its models; undefined where its vendor tells none. */
export const modelListingOf = (entry: UpstreamTarget): ModelListing | undefined => {
  const { route, protocol, basePath } = entry;
  if (route.isSocket) return undefined;
  switch (route.addressing) {
    case "vertex":
      return undefined;
    case "azure-deployments":
      return entry.hasVersion ? undefined : azure(`${basePath}/openai/models`);
    case "cohere":
      return cohere(`${basePath.replace(COHERE_COMPATIBLE, "")}/v1/models`);
    case undefined:
      break;
  }
  if (route.modelList === "ollama") return ollama(`${basePath.replace(/\/v1$/, "")}/api/tags`);
  switch (protocol.name) {
    case "openai-chat":
    case "openai-responses":
      return openai(upstreamPath(entry, "/v1/models"));
    case "anthropic-messages":
      return anthropic(upstreamPath(entry, "/v1/models"));
    case "gemini-generate":
      return gemini(upstreamPath(entry, "/v1beta/models"));
    default:
      return undefined;
  }
};
