import { stringifyInSteps } from "@tollgate/protocols/shared/json/stringify-in-steps";
import { concatInSteps } from "../concat-in-steps";
import { inSteps } from "../in-steps";
import type { EncodedAnswer } from "./task";

/** From this size on, an answer is read and written in steps. */
export const LARGE_ANSWER_BYTES = 2 * 1024 * 1024;

function* writeInSteps(value: unknown): Generator<undefined, Buffer> {
  return yield* concatInSteps(yield* stringifyInSteps(value));
}

/**
 * An answer in one piece as JSON.
 * @param madeOfBytes size of the upstream's answer and of the answer's other sources.
 * @returns a promise when writing it takes too long for one turn of the event loop.
 */
export const encodeJson = (value: unknown, madeOfBytes: number): EncodedAnswer | Promise<EncodedAnswer> => {
  const contentType = "application/json";
  if (madeOfBytes <= LARGE_ANSWER_BYTES) return { contentType, body: JSON.stringify(value) };
  return inSteps(writeInSteps(value)).then((body) => ({ contentType, body }));
};
