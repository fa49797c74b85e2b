import { idHash } from "../shared/json/stable-hash";

/**
 * A tool call's id as this API accepts it. Ids of other spellings are mapped, always to the same, so that a repeated
 * conversation stays the same for prompt caches.
 */
export const buildToolId = (id: string): string =>
  /^[a-zA-Z0-9_-]{1,64}$/.test(id) ? id : `toolu_${idHash(id).slice(0, 24)}`;
