import type { RequestInvalid } from "@tollgate/contract/relay/protocol";
import type { MemoryRefused } from "../memory-refused";
import type { Refusal } from "../ports/client";

/** Errors that are not failures of this program, distinguished by name. */
type Refusing = RequestInvalid | MemoryRefused;

const isRefusing = (error: unknown): error is Refusing =>
  error instanceof Error && (error.name === "RequestInvalid" || error.name === "MemoryRefused");

/** The refusal for an error that a task or a port threw; undefined when this program is at fault. */
export const refusalOfError = (error: unknown): Refusal | undefined => {
  if (!isRefusing(error)) return undefined;
  if (error.name === "MemoryRefused") return error.refusal;
  return {
    code: "request-invalid",
    fault: error.fault,
    ...(error.param === undefined ? {} : { field: error.param }),
    ...(error.code === undefined ? {} : { wireCode: error.code }),
  };
};
