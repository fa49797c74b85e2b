import type { Directory, Refusal } from "../ports";

/**
 * Why a group cannot use a model for which there is no candidate: no channel offers it, which stays so, or those who do are
 * out of use for now.
 */
export const modelRefusal = (
  directory: Pick<Directory, "isListed">,
  group: string,
  model: string,
): Refusal => ({
  code: directory.isListed(group, model) ? "channel-unavailable" : "model-unknown",
  params: { group, model },
});
