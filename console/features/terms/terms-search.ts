import * as z from "zod/mini";

const termsSearch = z.object({
  version: z.catch(z.optional(z.coerce.number().check(z.int(), z.positive())), undefined),
});

export type TermsSearch = z.infer<typeof termsSearch>;

/** Parses the address of a text of the terms: an earlier version may be named. */
export const readTermsSearch = (search: Record<string, unknown>): TermsSearch => termsSearch.parse(search);
