import type { MessageKey } from "../locales/catalogue";
import { REFUSED_FIELDS } from "./refused-fields";

/** A business error: HTTP 200 with `success: false` (contract section 0.1), unless another status is named. */
export class Failure extends Error {
  override readonly name = "Failure";
  /** The field that it is about, by its name on the wire. */
  field: string | undefined;
  constructor(
    readonly key: MessageKey,
    readonly params: Record<string, string | number> = {},
    readonly status = 200,
    /** Whole seconds after which another try makes sense. */
    readonly retryAfterSeconds?: number,
  ) {
    super(key);
    this.field = REFUSED_FIELDS[key];
  }

  /** Names the field where the key alone does not. Never a client's own word. */
  at(field: string | undefined): this {
    this.field = field;
    return this;
  }
}

/** Returns a record that a call needs. @throws Failure where storage found none. */
export const existing = <Found>(found: Found | undefined): Found => {
  if (found === undefined) throw new Failure("record-not-found");
  return found;
};
