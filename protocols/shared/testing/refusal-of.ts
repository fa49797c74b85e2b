import { RequestInvalid } from "@tollgate/contract/relay/protocol";

/** The refusal that a call ends in. @throws Error when it ends in none. */
export const refusalOf = (act: () => unknown): { message: string; param: string | undefined } => {
  try {
    act();
  } catch (error) {
    if (error instanceof RequestInvalid) return { message: error.message, param: error.param };
    throw error;
  }
  throw new Error("nothing was refused");
};
