import type { Option } from "@tollgate/contract/api/options";
import type { Terms, TermsAcceptance, TermsVersion } from "@tollgate/contract/api/terms";
import type { NewTerms, TermsSummary } from "@tollgate/contract/records/terms-record";

export interface TermsQueries {
  /** @returns undefined for a version that does not exist. */
  find(version: number): Promise<Terms | undefined>;
  /** Returns one page, the newest first. */
  page(offset: number, limit: number): Promise<TermsVersion[]>;
  /** The newest version that a user accepted; undefined for none. */
  acceptedBy(userId: number): Promise<TermsAcceptance | undefined>;
  /** The versions that a user accepted, the newest first. */
  acceptances(userId: number, limit: number): Promise<TermsAcceptance[]>;
}

export interface TermsChanges {
  /**
   * Stores a version, and the summary beside the options.
   * @returns every option afterwards, secrets in clear; undefined if the version exists already.
   */
  publish(terms: NewTerms, summary: TermsSummary): Promise<Option[] | undefined>;
  /** Records a user's consent; a repeated one keeps the time of the first. */
  accept(userId: number, version: number, now: number): Promise<void>;
}
