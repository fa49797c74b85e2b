import * as z from "zod/mini";

/** What every request of the console needs of the terms: in memory, as an entry beside the options. */
export const termsSummary = z.object({
  /** The current version; 0 for none. */
  version: z.int().check(z.gte(0)),
  /** The oldest version whose acceptance suffices. */
  askedVersion: z.int().check(z.gte(0)),
  hasAgreement: z.boolean(),
  hasPolicy: z.boolean(),
});
export type TermsSummary = z.infer<typeof termsSummary>;

export const NO_TERMS: TermsSummary = { version: 0, askedVersion: 0, hasAgreement: false, hasPolicy: false };

/** Key of the summary among the options. It is not a setting: publishing a version writes it. */
export const TERMS_SUMMARY = "TermsSummary";

/** A version of the terms that is to be published. */
export interface NewTerms {
  readonly version: number;
  readonly userAgreement: string;
  readonly privacyPolicy: string;
  readonly asksAgain: boolean;
  readonly author: string;
  /** Unix seconds. */
  readonly publishedAt: number;
}
