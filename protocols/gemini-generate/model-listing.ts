import type { ModelListing, ModelPage } from "@tollgate/contract/relay/protocol";
import { objectsOf } from "../shared/answer/model-listing";

const PATH = "/v1beta/models?pageSize=1000";

/** Methods of useful models: at least one is required. */
const METHODS: ReadonlySet<unknown> = new Set(["generateContent", "embedContent", "predict"]);

/** https://ai.google.dev/api/models: names start with "models/", which requests omit. */
export const modelListing: ModelListing = {
  path: PATH,
  read({ models, nextPageToken }): ModelPage | undefined {
    const entries = objectsOf(models);
    const isMore = typeof nextPageToken === "string" && nextPageToken !== "";
    return (
      entries && {
        names: entries
          .filter(
            ({ supportedGenerationMethods: methods }) =>
              !Array.isArray(methods) || methods.some((method) => METHODS.has(method)),
          )
          .map(({ name }) => (typeof name === "string" ? name.replace(/^models\//, "") : name)),
        next: isMore ? `${PATH}&pageToken=${encodeURIComponent(nextPageToken)}` : undefined,
      }
    );
  },
};
