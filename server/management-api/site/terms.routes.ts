import {
  acceptTerms,
  getOwnTerms,
  getTerms,
  listAcceptances,
  listTermsVersions,
  MAX_TERMS_VERSIONS,
  publishTerms,
  type Terms,
} from "@tollgate/contract/api/terms";
import { PAGE_SIZE } from "@tollgate/contract/management/envelope";
import { audit } from "../audit";
import { existing, Failure } from "../failure";
import { implement, readPage } from "../route";
import { checkFreshSignIn } from "../sign-in/fresh-sign-in";
import { findVisibleUser } from "../users/find-visible-user";
import { owesTerms, recordConsent } from "./terms";

const NONE: Terms = { version: 0, userAgreement: "", privacyPolicy: "", publishedAt: 0 };

// Line breaks and tabs belong to Markdown; other control characters do not.
const CONTROL_CHARACTERS = /[^\P{Cc}\n\r\t]/u;

/** The site's terms and the consent of its users (docs/guides/terms.md); beyond the contract. */
export const termsRoutes = [
  implement(getTerms, async ({ services, query }) => {
    const { version } = services.options.terms;
    const wanted = query.version === undefined ? version : Number(query.version);
    if (wanted === 0) return NONE;
    // Versions are small numbers; storage refuses larger ones than it can compare.
    if (!(Number.isInteger(wanted) && wanted > 0 && wanted <= version)) throw new Failure("record-not-found");
    return existing(await services.storage.read.terms.find(wanted));
  }),

  implement(publishTerms, async (context) => {
    const { services, caller, request, body } = context;
    checkFreshSignIn(services, caller, request);
    const { userAgreement, privacyPolicy, asksAgain } = body;
    if (CONTROL_CHARACTERS.test(userAgreement + privacyPolicy)) throw new Failure("invalid-parameter");
    const before = services.options.terms;
    const version = before.version + 1;
    if (body.id !== before.version || version > MAX_TERMS_VERSIONS) throw new Failure("terms-changed");
    const hasAgreement = userAgreement.trim() !== "";
    const hasPolicy = privacyPolicy.trim() !== "";
    // Users accepted nothing before the first version, or agreed to terms that were withdrawn meanwhile.
    const isFirst = !before.hasAgreement && !before.hasPolicy;
    const askedVersion = asksAgain || isFirst ? version : before.askedVersion;
    const published = {
      version,
      userAgreement,
      privacyPolicy,
      asksAgain: askedVersion === version,
      author: caller.username,
      publishedAt: services.now(),
    };
    const stored = await services.storage.write.terms.publish(published, {
      version,
      askedVersion,
      hasAgreement,
      hasPolicy,
    });
    if (!stored) throw new Failure("terms-changed");
    services.options.refresh(stored);
    await audit(services, context, "terms.publish", version, {
      asksAgain: published.asksAgain,
      agreementLength: userAgreement.length,
      policyLength: privacyPolicy.length,
    });
    return published;
  }),

  implement(listTermsVersions, ({ services, query }) =>
    services.storage.read.terms.page(readPage(query) * PAGE_SIZE, PAGE_SIZE),
  ),

  implement(getOwnTerms, async ({ services, caller }) => {
    const accepted = await services.storage.read.terms.acceptedBy(caller.id);
    return {
      version: services.options.hasTerms ? services.options.terms.version : 0,
      isDue: owesTerms(services, caller, accepted?.version ?? 0),
      acceptedVersion: accepted?.version ?? 0,
      acceptedAt: accepted?.acceptedAt ?? 0,
    };
  }),

  implement(acceptTerms, async ({ services, caller, body }) => {
    await recordConsent(services, caller.id, body.version);
    return undefined;
  }),

  implement(listAcceptances, async ({ services, caller, params }) => {
    const { id } = findVisibleUser(services, caller, params.id);
    return services.storage.read.terms.acceptances(id, PAGE_SIZE);
  }),
];
