/* The playground: requests of the console's own page, made by the session of its user instead of an API key. */

/** Stands before the address of a client API, such as /pg/v1/chat/completions. */
export const PLAYGROUND_BASE = "/pg";

/**
 * Header that each request must have: the group to use, escaped as in a URL; empty for the groups of the user. A page
 * of another site cannot send a header of this name with the cookie of its visitor
 * (https://fetch.spec.whatwg.org/#cors-safelisted-request-header).
 */
export const PLAYGROUND_GROUP_HEADER = "x-playground-group";

/** Name of the key in the log, where requests of the playground stand beside those of real keys. */
export const PLAYGROUND_KEY_NAME = "Playground";

/**
 * Id of the key that stands for a user's playground. No stored key has an id below 1, and -1 stands in the log for
 * lines about accounts.
 */
export const playgroundKeyId = (userId: number): number => -1 - userId;
