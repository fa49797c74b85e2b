import type { OperationInput, OperationSummary, UpstreamOperation } from "@tollgate/contract/relay/operation";
import type { ProtocolName } from "@tollgate/contract/relay/protocol";
import { RequestInvalid } from "@tollgate/contract/relay/protocol";
import { recordWav } from "@tollgate/testkit/answer-shapes/recording";
import { OPERATIONS } from "../openai-operations/openai-operations";

/* Requests for speech and transcripts, as a translation reads them. */

export const find = (
  operations:
    | Readonly<Partial<Record<ProtocolName, Readonly<Record<string, UpstreamOperation>>>>>
    | undefined,
  protocol: ProtocolName,
  name: string,
): UpstreamOperation => {
  const found = operations?.[protocol]?.[name];
  if (!found) throw new Error(`${protocol} has no ${name}`);
  return found;
};

export const speechOf = (fields: Record<string, unknown> = {}): OperationInput => ({
  fields: { input: "Hello", voice: "alloy", ...fields },
  uploads: [],
});

/** Three seconds. */
export const RECORDING = recordWav(3);
export const recordingOf = (
  fields: Record<string, unknown> = {},
  bytes: Uint8Array = RECORDING,
): OperationInput => ({
  fields,
  uploads: [{ field: "file", filename: "a.wav", bytes }],
});

export const summaryOf = (name: keyof typeof OPERATIONS, input: OperationInput): OperationSummary =>
  OPERATIONS[name].summarizeRequest(input, "m");

/** The fault of a request that is refused before anything is held. */
export const faultOf = (
  operation: UpstreamOperation,
  name: keyof typeof OPERATIONS,
  input: OperationInput,
) => {
  try {
    operation.summarize?.(input, summaryOf(name, input), "m");
    return undefined;
  } catch (error) {
    if (error instanceof RequestInvalid) return error.fault;
    throw error;
  }
};

/** What the client gets of a vendor's answer, and what is charged for it; undefined where it is no answer. */
export const answerOf = (
  operation: UpstreamOperation,
  name: keyof typeof OPERATIONS,
  input: OperationInput,
  answer: unknown,
) => {
  const declared = OPERATIONS[name];
  const body = operation.translation ? operation.translation.readBody(answer, input, "m") : answer;
  const summary = operation.summarize?.(input, summaryOf(name, input), "m") ?? summaryOf(name, input);
  return {
    body,
    reading: declared.readAnswer({ body, text: JSON.stringify(answer) }, input, summary),
    summary,
  };
};
