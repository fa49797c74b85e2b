import type { AnswerFlaw } from "@tollgate/contract/relay/upstream-fault";

/** Bytes of an upstream that are no HTTP/1.1 answer. */
export class MalformedAnswer extends Error {
  override readonly name = "MalformedAnswer";
  constructor(readonly flaw: AnswerFlaw) {
    super(flaw);
  }
}
