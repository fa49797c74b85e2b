/** Tells a client that another model than the one it named has answered, by that one's name. */
export const FALLBACK_HEADER = "x-tollgate-fallback-model";

/** A model's name as a header may hold it: what is no printable ASCII is escaped as in addresses, halves of characters lost. */
export const toHeaderValue = (model: string): string =>
  /^[\x21-\x7e]+$/.test(model) ? model : encodeURIComponent(Buffer.from(model).toString());
