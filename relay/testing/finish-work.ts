import type { AnswerStream } from "../pipeline/answer-stream";

/**
 * Does at once what a stream has left to do in steps.
 * @param bytes what the call gave that left it.
 * @param onStep called before each step.
 * @returns all that the client is given.
 */
export const finishWork = (
  stream: Pick<AnswerStream, "work">,
  bytes: Uint8Array | string | undefined,
  onStep: () => void = () => {},
): Buffer => {
  const pieces = [Buffer.from((bytes ?? "") as Uint8Array)];
  const { work } = stream;
  while (work) {
    onStep();
    const step = work.next();
    if (step.done) break;
    if (step.value) pieces.push(Buffer.from(step.value));
  }
  return Buffer.concat(pieces);
};
