import { getTerms, listTermsVersions } from "@tollgate/contract/api/terms";
import { endpointPages } from "../../lib/endpoint-lists";
import { endpointQuery } from "../../lib/endpoint-query";

/** Servers with only the one-api contract have no terms. */
const extra = { isExtra: true };

/** @param version undefined for the current one */
export const termsQuery = (version: number | undefined) => ({
  ...endpointQuery(getTerms, { query: version === undefined ? {} : { version: String(version) } }),
  meta: extra,
});

export const versionPages = endpointPages(listTermsVersions, {}, extra);
