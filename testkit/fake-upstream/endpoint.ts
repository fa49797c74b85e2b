import type { IncomingHttpHeaders } from "node:http";
import type { AnswerShape } from "../answer-shapes/answer";

/** A received request, as far as needed for its credential and its address. */
export interface Arrival {
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  rawBody: Buffer;
  body: Record<string, unknown>;
}

/** One address of a vendor's API. */
export interface Endpoint {
  path: RegExp;
  shape: AnswerShape;
  /** @param match the match of `path`. */
  readModel(arrival: Arrival, match: RegExpExecArray): string;
  isStream(arrival: Arrival): boolean;
  isUsageWanted?(arrival: Arrival): boolean;
  /**
   * Checks the key or the signature like the vendor.
   * @returns the fault, "" for none.
   */
  checkCredential(arrival: Arrival): string;
}
