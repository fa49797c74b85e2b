import type { AnswerStream } from "../pipeline/answer-stream";

/**
 * Runs all pending steps of a stream immediately.
 * @param bytes the result of the call that left them.
 * @param onStep called before each step.
 * @returns all bytes for the client.
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
