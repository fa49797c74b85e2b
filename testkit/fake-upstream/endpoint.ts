import type { IncomingHttpHeaders } from "node:http";
import type { AnswerShape } from "../answer-shapes/answer";

/** What a request that arrived says, as far as its credential and its address go. */
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
  /** @param match what `path` found. */
  readModel(arrival: Arrival, match: RegExpExecArray): string;
  isStream(arrival: Arrival): boolean;
  isUsageWanted?(arrival: Arrival): boolean;
  /**
   * Checks the key or the signature as the vendor would.
   * @returns what is wrong with it, "" when nothing is.
   */
  checkCredential(arrival: Arrival): string;
}
