import type { UpstreamError } from "@tollgate/contract/relay/error";
import type { UpstreamFault } from "@tollgate/contract/relay/upstream-fault";
import { kindOfStatus, withKind } from "@tollgate/protocols/shared/errors/classify-error";
import type { FailureDetail } from "../ports/transport";
/** An error that the gateway itself finds in an answer. */
export const answerError = (
  kind: "empty" | "unknown",
  status: number,
  fault?: UpstreamFault,
): UpstreamError => ({ kind, status, message: "", code: "", fault });

/**
 * The error to act on: an operator's mapping takes precedence over the upstream's own status. @param status after the
 * channel's overrides.
 */
export const errorAsMapped = (error: UpstreamError, isMapped: boolean, status: number): UpstreamError =>
  isMapped ? withKind(error, kindOfStatus(status)) : error;

/** An upstream's error without secrets: some upstreams repeat the key they were sent. */
export const concealError = (error: UpstreamError, conceal: (text: string) => string): UpstreamError => ({
  ...error,
  message: conceal(error.message),
  code: conceal(error.code),
});

/** Details of an error for the operator's log. */
export const detailOf = ({ status, code, message, fault }: UpstreamError): FailureDetail =>
  fault && message === "" ? { ...fault, status } : `${status} ${code} ${message}`.trim();

const concealFault = <Fault extends UpstreamFault>(fault: Fault, conceal: (text: string) => string): Fault =>
  fault.code === "answer-packed" ? { ...fault, encoding: conceal(fault.encoding) } : fault;

/** The same as it may be written down. */
export const concealDetail = (detail: FailureDetail, conceal: (text: string) => string): FailureDetail =>
  typeof detail === "string" ? conceal(detail) : concealFault(detail, conceal);
