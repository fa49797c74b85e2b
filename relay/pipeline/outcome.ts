import type { Delivery } from "@tollgate/metering/log-content";
import type { AnswerStream, ReceivedStream } from "./answer-stream";
import { type Ending, tailEnding } from "./client-writer";
import type { Counts } from "./settle";
import type { EncodedAnswer, WholeAnswer } from "./task";

/** The outcome of an answer: its charge and its delivery. */
export type Outcome =
  | {
      readonly kind: "stream";
      readonly stream: AnswerStream;
      /** Output of the last read, not yet written. */
      readonly rest: Uint8Array | string | undefined;
    }
  | { readonly kind: "whole"; readonly answer: WholeAnswer }
  /** The whole stream, to a client that did not get all of it. */
  | { readonly kind: "drained"; readonly stream: AnswerStream }
  | {
      readonly kind: "interrupted";
      readonly received: ReceivedStream;
      readonly delivery: Delivery;
      /** The error sent to the client, if it is still connected. */
      readonly code: "shutting-down" | "upstream-interrupted" | "internal";
    };

/** Delivery status for the log. */
export const deliveryOf = (outcome: Outcome): Delivery => {
  switch (outcome.kind) {
    case "stream":
    case "whole":
      return "whole";
    case "drained":
      return "drained";
    case "interrupted":
      return outcome.delivery;
  }
};

const wholeEnding = (answer: EncodedAnswer): Ending => ({ kind: "whole", answer });

/**
 * The rest of the output, to be written once the charge is durable.
 * @returns a promise when it takes too long for one turn of the event loop.
 * @throws the error that prevents writing it.
 */
export const endingOf = (outcome: Outcome, counts: Counts): Ending | Promise<Ending> => {
  switch (outcome.kind) {
    case "stream": {
      const { rest } = outcome;
      const tail = outcome.stream.tail(counts);
      return tail instanceof Promise ? tail.then((bytes) => tailEnding(rest, bytes)) : tailEnding(rest, tail);
    }
    case "whole": {
      const answer = outcome.answer.encode(counts);
      return "then" in answer ? answer.then(wholeEnding) : wholeEnding(answer);
    }
    case "interrupted":
      return { kind: "error", refusal: { code: outcome.code } };
    case "drained":
      return { kind: "nothing" };
  }
};
