import { isRecord } from "@tollgate/protocols/shared/json/json-values";
import type { UpstreamTarget } from "./ports/directory";
import type { AuthTools } from "./ports/transport";
import { modelListingOf } from "./routing/model-listing";
import { askJson } from "./transport/guarded-fetch";

/** Reason why an upstream did not list its models. */
export type ModelListFault =
  /** The vendor has no such endpoint, or the channel's key has no access to it. */
  | { kind: "unsupported" }
  | { kind: "unreachable" }
  | { kind: "status"; status: number }
  | { kind: "unreadable" };

export type ModelList = { kind: "models"; models: string[] } | ModelListFault;

/** Lists the models of upstreams. */
export interface ModelLister {
  /** @returns the names as requests carry them, sorted; without those that no channel could list. */
  list(entry: UpstreamTarget): Promise<ModelList>;
}

/** Far more than any upstream has. */
const MAX_MODELS = 5_000;
const MAX_PAGES = 10;
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;
const TIMEOUT_MS = 10_000;

const MAX_NAME = 200;
/**
 * A channel's models are a comma-separated list; control characters and marks of text direction never belong in a name.
 */
const UNLISTABLE = /[,\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u;

const isName = (name: unknown): name is string =>
  typeof name === "string" &&
  name !== "" &&
  name.length <= MAX_NAME &&
  name.trim() === name &&
  !UNLISTABLE.test(name);

/** The headers of a request with the channel's credential; undefined when the credential is not available. */
const authorized = (
  entry: UpstreamTarget,
  path: string,
  tools: AuthTools,
): Promise<Readonly<Record<string, string>> | undefined> =>
  new Promise((resolve) => {
    const { authorizer, origin, headers, proxy } = entry;
    if (!authorizer) {
      resolve(headers);
      return;
    }
    authorizer.authorize({ origin, path, headers: { ...headers }, body: "", proxy }, tools, (authorization) =>
      resolve("request" in authorization ? authorization.request.headers : undefined),
    );
  });

/** Uses the channel's own proxy and the outbound guard; does not follow redirects, which would leak the key. */
export const createModelLister = (tools: AuthTools): ModelLister => ({
  async list(entry) {
    const listing = modelListingOf(entry);
    if (!listing) return { kind: "unsupported" };
    const models = new Set<string>();
    let path: string | undefined = listing.path;
    for (let page = 0; path !== undefined && page < MAX_PAGES; page += 1) {
      const headers = await authorized(entry, path, tools);
      if (!headers) return { kind: "unreachable" };
      const request = { headers: { ...headers }, proxy: entry.proxy, maxBytes: MAX_ANSWER_BYTES };
      const answer = await askJson(entry.origin + path, request, TIMEOUT_MS);
      if (answer.kind !== "json") return answer;
      const read = isRecord(answer.value) ? listing.read(answer.value) : undefined;
      if (!read) return { kind: "unreadable" };
      for (const name of read.names) if (isName(name) && models.size < MAX_MODELS) models.add(name);
      path = read.next;
    }
    return { kind: "models", models: [...models].sort() };
  },
});
