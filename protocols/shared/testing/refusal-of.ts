import { RequestInvalid } from "@tollgate/contract/relay/protocol";
import type { RequestFault } from "@tollgate/contract/relay/request-fault";

/** The refusal thrown by a call. @throws Error without one. */
export const refusalOf = (act: () => unknown): { fault: RequestFault; param: string | undefined } => {
  try {
    act();
  } catch (error) {
    if (error instanceof RequestInvalid) return { fault: error.fault, param: error.param };
    throw error;
  }
  throw new Error("nothing was refused");
};
