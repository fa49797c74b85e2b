import type { MessageKey } from "../locales/catalogue";

/** A business error: HTTP 200 with `success: false` (contract section 0.1), unless another status is named. */
export class Failure extends Error {
  override readonly name = "Failure";
  constructor(
    readonly key: MessageKey,
    readonly params: Record<string, string | number> = {},
    readonly status = 200,
    /** Whole seconds after which another try makes sense. */
    readonly retryAfterSeconds?: number,
  ) {
    super(key);
  }
}

/** Returns a record that a call needs. @throws Failure where storage found none. */
export const existing = <Found>(found: Found | undefined): Found => {
  if (found === undefined) throw new Failure("record-not-found");
  return found;
};
