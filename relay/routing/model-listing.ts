import type { ModelListing } from "@tollgate/contract/relay/protocol";
import { objectsOf } from "@tollgate/protocols/shared/answer/model-listing";
import { isRecord } from "@tollgate/protocols/shared/json/json-values";
import type { UpstreamTarget } from "../ports/directory";
import { upstreamPath } from "./addressing";

/*
 * The upstream's endpoint for listing models, when it does not follow from its protocol alone but from the addressing
 * or the list of its vendor's route. Paths are relative to the origin.
 */

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
 * https://learn.microsoft.com/rest/api/azureopenai/models/list: the models available to the resource. Its deployments
 * are listed only by the management plane, whose credentials no channel has.
 */
const azure = (path: string): ModelListing => ({
  path: `${path}?api-version=2024-10-21`,
  read({ data }) {
    const entries = objectsOf(data);
    return (
      entries && {
        names: entries
          .filter(({ capabilities }) => !isRecord(capabilities) || capabilities.inference !== false)
          .map(({ id }) => id),
      }
    );
  },
});

/** The end of Cohere's OpenAI-compatible addresses, next to which its own API is served. */
const COHERE_COMPATIBLE = /\/compatibility(?:\/v1)?$/;

/** The protocol's own listing, at the entry's address. */
const ofProtocol = (entry: UpstreamTarget): ModelListing | undefined => {
  const { modelListing: listing } = entry.protocol;
  return (
    listing && {
      path: upstreamPath(entry, listing.path),
      read(answer) {
        const page = listing.read(answer);
        return page?.next === undefined ? page : { ...page, next: upstreamPath(entry, page.next) };
      },
    }
  );
};

/** The endpoint for listing an upstream's models; undefined when its vendor has none. */
export const modelListingOf = (entry: UpstreamTarget): ModelListing | undefined => {
  const { route, basePath } = entry;
  if (route.isSocket) return undefined;
  switch (route.addressing) {
    case "vertex":
      return undefined;
    case "azure-deployments":
      return entry.hasVersion ? undefined : azure(`${basePath}/openai/models`);
    case "cohere":
      return cohere(`${basePath.replace(COHERE_COMPATIBLE, "")}/v1/models`);
    case undefined:
      return route.modelList === "ollama"
        ? ollama(`${basePath.replace(/\/v1$/, "")}/api/tags`)
        : ofProtocol(entry);
  }
};
