import type { ModelListing, ModelPage } from "@tollgate/contract/relay/protocol";
import { objectsOf } from "../shared/answer/model-listing";

const PATH = "/v1/models?limit=1000";

/** https://docs.anthropic.com/en/api/models-list */
export const modelListing: ModelListing = {
  path: PATH,
  read({ data, has_more, last_id }): ModelPage | undefined {
    const entries = objectsOf(data);
    const isMore = has_more === true && typeof last_id === "string";
    return (
      entries && {
        names: entries.map(({ id }) => id),
        next: isMore ? `${PATH}&after_id=${encodeURIComponent(last_id)}` : undefined,
      }
    );
  },
};
