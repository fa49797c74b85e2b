import { hexHash } from "../json/stable-hash";

/**
 * An id for a tool call without one from the upstream. Derived from the answer's id and the call's position and name,
 * so that the same answer always gives the same id.
 */
export const makeCallId = (answerId: string, position: number, name: string): string =>
  `call_${hexHash(`${answerId}\n${position}\n${name}`).slice(0, 24)}`;
