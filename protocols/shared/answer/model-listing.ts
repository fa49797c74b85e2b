import type { ModelListing, ModelPage } from "@tollgate/contract/relay/protocol";
import { isRecord } from "../json/json-values";

/** The objects of a list; undefined for anything other than a list. */
export const objectsOf = (value: unknown): Record<string, unknown>[] | undefined =>
  Array.isArray(value) ? value.filter(isRecord) : undefined;

/** Model lists of OpenAI's shape: https://platform.openai.com/docs/api-reference/models/list */
export const modelListing: ModelListing = {
  path: "/v1/models",
  read({ data }): ModelPage | undefined {
    const entries = objectsOf(data);
    return entries && { names: entries.map(({ id }) => id) };
  },
};
