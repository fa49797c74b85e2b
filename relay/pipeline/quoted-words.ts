import { Buffer } from "node:buffer";
import type { UpstreamError } from "@tollgate/contract/relay/error";
import { withKind } from "@tollgate/protocols/shared/errors/classify-error";
import type { ClientHeaders } from "./pass-client-headers";

/** The request as the client sent it. */
interface SentRequest {
  rawBody: Uint8Array;
  clientHeaders: ClientHeaders;
}

/** A larger request is not searched, because that would hold up others: its words count as quoted. */
const MAX_SEARCHED_BYTES = 4 * 1024 * 1024;

/** Escapes of JSON and of file names in forms, by which a request contains a character without its own byte. */
const ESCAPED = /\\u([0-9a-f]{4})|%([0-9a-f]{2})/gi;

const decode = (text: string): string =>
  text.replace(ESCAPED, (_, unit: string | undefined, byte: string | undefined) =>
    String.fromCharCode(Number.parseInt(unit ?? byte ?? "", 16)),
  );

/** @param phrase in lower case. */
const says = ({ rawBody, clientHeaders }: SentRequest, phrase: string): boolean => {
  if (rawBody.byteLength > MAX_SEARCHED_BYTES) return true;
  const { buffer, byteOffset, byteLength } = rawBody;
  const text = `${Buffer.from(buffer, byteOffset, byteLength).toString("utf8")}\n${Object.values(clientHeaders).join("\n")}`;
  return decode(text).toLowerCase().includes(phrase);
};

/**
 * The error to act on: vendors quote the part of a request that they refuse, and a client that writes "api key not
 * valid" into its request must not take a key out of use.
 */
export const withoutQuotedWords = (error: UpstreamError, request: SentRequest): UpstreamError => {
  const { worded } = error;
  return worded && says(request, worded.phrase) ? withKind(error, worded.otherwise) : error;
};
