/** The media type of a Content-Type: without parameters, in lower case; "" for none. */
export const mediaTypeOf = (contentType: string | undefined): string =>
  (contentType ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";

/** Whether people can read content of this media type. */
export const isTextType = (mediaType: string): boolean =>
  mediaType.startsWith("text/") || /^application\/(?:[\w.-]+\+)?(?:json|xml|x-ndjson)$/.test(mediaType);
