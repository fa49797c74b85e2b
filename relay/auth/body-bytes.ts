import type { UpstreamRequest } from "../ports/transport";

/** A request's body in one piece, as it is signed. */
export const bodyBytes = (body: UpstreamRequest["body"]): Uint8Array =>
  typeof body === "string" || body instanceof Uint8Array ? Buffer.from(body) : Buffer.concat(body);
