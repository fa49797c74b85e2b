import { idHash } from "../shared/json/stable-hash";

/**
 * A tool call's id in a form this API accepts. Other ids are mapped deterministically, so that a repeated conversation
 * stays the same for prompt caches.
 */
export const buildToolId = (id: string): string =>
  /^[a-zA-Z0-9_-]{1,64}$/.test(id) ? id : `toolu_${idHash(id).slice(0, 24)}`;
