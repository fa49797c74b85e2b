import type { Refusal } from "../ports/client";
import type { Directory } from "../ports/directory";

/**
 * The refusal when a group has no candidate for a model: no channel offers it, which is permanent, or those that do are
 * currently disabled.
 */
export const modelRefusal = (
  directory: Pick<Directory, "isListed">,
  group: string,
  model: string,
): Refusal => ({
  code: directory.isListed(group, model) ? "channel-unavailable" : "model-unknown",
  params: { group, model },
});
