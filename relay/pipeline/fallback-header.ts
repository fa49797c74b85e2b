/** Names the fallback model that answered in place of the requested one. */
export const FALLBACK_HEADER = "x-tollgate-fallback-model";

/** Names the used up budget because of which another model or group answered, as the API names it: `daily_quota`. */
export const BUDGET_HEADER = "x-tollgate-at-budget";

/**
 * Encodes a model's name for a header: characters other than printable ASCII are percent-encoded; lone surrogates are
 * lost.
 */
export const toHeaderValue = (model: string): string =>
  /^[\x21-\x7e]+$/.test(model) ? model : encodeURIComponent(Buffer.from(model).toString());
