import * as z from "zod/mini";
import { wholeNumber } from "../management/wire";
import { endpoint, PAGE_PARAMETER } from "../resource/endpoint";
import { codecOf, flag, int, text } from "../resource/fields";
import { listOf, resource, type ValueOf } from "../resource/resource";

/*
 * Terms of the site: a user agreement and a privacy policy, in numbered versions, and who accepted which. Beyond the
 * contract; another server answers these calls with 404.
 */

/** Characters of one text. */
export const MAX_TERMS_TEXT = 50_000;
/** Versions in all. */
export const MAX_TERMS_VERSIONS = 1000;

const termsFields = {
  /** Counts from 1; 0 while nothing was published. */
  version: int("version"),
  /** Markdown, HTML or an https address, as the about page; "" for none. */
  userAgreement: text("user_agreement"),
  privacyPolicy: text("privacy_policy"),
  /** Unix seconds. */
  publishedAt: int("published_at"),
};

/** One version of the terms, as all visitors see it. */
export const terms = resource(termsFields);
export type Terms = ValueOf<typeof terms>;

const termsVersionFields = {
  /** The number of the version. */
  id: int("version"),
  userAgreement: termsFields.userAgreement,
  privacyPolicy: termsFields.privacyPolicy,
  publishedAt: termsFields.publishedAt,
  /** Users who accepted an earlier version were asked to accept this one. */
  asksAgain: flag("asks_again"),
  /** Name of the root user who published it. */
  author: text("author"),
  /** Users who accepted exactly this version. */
  acceptances: int("acceptances"),
};

/** A version in root's list. */
export const termsVersion = resource(termsVersionFields);
export type TermsVersion = ValueOf<typeof termsVersion>;

/** A user's consent to one version. */
export const termsAcceptance = resource({
  version: int("version"),
  /** Unix seconds. */
  acceptedAt: int("accepted_at"),
});
export type TermsAcceptance = ValueOf<typeof termsAcceptance>;

export const ownTerms = resource({
  /** The current version; 0 for none. */
  version: int("version"),
  /** Whether the user must accept it before creating keys and paying. */
  isDue: flag("is_due"),
  /** The newest version that the user accepted; 0 for none. */
  acceptedVersion: int("accepted_version"),
  /** Unix seconds; 0 for never. */
  acceptedAt: int("accepted_at"),
});

const longText = z.string().check(z.maxLength(MAX_TERMS_TEXT));

export const publishTermsBody = codecOf(termsVersionFields, {
  /** The version that the author has edited: another one published meanwhile is not overwritten. */
  id: wholeNumber,
  userAgreement: longText,
  privacyPolicy: longText,
  asksAgain: z.boolean(),
});

export const getTerms = endpoint({
  method: "GET",
  path: "/api/terms",
  guard: "none",
  summary: "The current terms of the site, or an earlier version of them",
  query: { version: "The number of a version; the current one without it." },
  data: terms,
  reads: "terms",
  isRepeated: true,
});

export const publishTerms = endpoint({
  method: "POST",
  path: "/api/terms",
  guard: "root",
  summary: "Publishes a new version of the terms; two empty texts withdraw them",
  body: publishTermsBody,
  data: terms,
  bodyLimitBytes: 8 * MAX_TERMS_TEXT,
  changes: ["terms", "status"],
});

export const listTermsVersions = endpoint({
  method: "GET",
  path: "/api/terms/versions",
  guard: "root",
  summary: "A page of the versions of the terms, the newest first",
  query: PAGE_PARAMETER,
  data: listOf(termsVersion),
  reads: "terms",
});

export const getOwnTerms = endpoint({
  method: "GET",
  path: "/api/user/terms",
  guard: "user",
  summary: "Which version of the terms one accepted, and whether the current one must be accepted",
  data: ownTerms,
  reads: "terms",
});

export const acceptTerms = endpoint({
  method: "POST",
  path: "/api/user/terms",
  guard: "user",
  isForPeople: true,
  summary: "Accepts the current version of the terms",
  body: codecOf(termsFields, { version: wholeNumber }),
  changes: ["terms"],
});

export const listAcceptances = endpoint({
  method: "GET",
  path: "/api/user/:id/terms",
  guard: "admin",
  area: "users",
  summary: "The versions of the terms that a user accepted, the newest first",
  data: listOf(termsAcceptance),
  reads: "terms",
});
