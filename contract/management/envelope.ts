import * as z from "zod/mini";

/** Envelope of every /api answer (contract section 0.1). `message` is empty on success, except "bind". */
export interface Envelope<T = unknown> {
  success: boolean;
  message: string;
  data?: T;
  /** The name of the field that a refusal is about, on the wire; beyond the contract. */
  field?: string | undefined;
  /** "presence" for a refusal until the user confirms to be at the browser (POST /api/user/confirm); beyond the contract. */
  needs?: "presence" | undefined;
}

export const envelopeSchema = z.looseObject({
  success: z.catch(z.boolean(), false),
  message: z.catch(z.string(), ""),
  data: z.optional(z.unknown()),
  field: z.catch(z.optional(z.string()), undefined),
  needs: z.catch(z.optional(z.literal("presence")), undefined),
});

/** How many rows this gateway sends per page (contract section 1). Clients must not count on it. */
export const PAGE_SIZE = 10;
