const JSON_TYPE = /^\s*(?:application|text)\/(?:[\w.-]+\+)?json\b/i;

/**
 * Whether a media type is JSON, in any case and with any parameters
 * (https://www.rfc-editor.org/rfc/rfc6839#section-3.1).
 */
export const isJsonType = (mediaType: string): boolean => JSON_TYPE.test(mediaType);
