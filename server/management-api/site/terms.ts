import type { User } from "@tollgate/accounts/users";
import { isAdmin } from "@tollgate/contract/values/roles";
import { Failure } from "../failure";
import type { Services } from "../services";

/** Whether a user must accept the terms; administrators offer them. @param accepted the user's newest version, 0 for none. */
export const owesTerms = ({ options }: Services, user: Pick<User, "role">, accepted: number): boolean =>
  options.hasTerms && !isAdmin(user.role) && accepted < options.terms.askedVersion;

/**
 * Protects what makes a user a customer: a new key, and a payment. Keys that exist go on working.
 * @throws Failure while the user must accept the terms.
 */
export const checkTermsAccepted = async (services: Services, user: User): Promise<void> => {
  if (!owesTerms(services, user, 0)) return;
  const accepted = await services.storage.read.terms.acceptedBy(user.id);
  if (owesTerms(services, user, accepted?.version ?? 0)) throw new Failure("terms-first");
};

/** @throws Failure unless this is the current version: a person accepts only the texts that they saw. */
export const checkTermsVersion = ({ options }: Services, version: number | undefined): void => {
  if (!options.hasTerms) return;
  if (version === undefined || version === 0) throw new Failure("terms-not-accepted").at("terms_version");
  if (version !== options.terms.version) throw new Failure("terms-changed").at("terms_version");
};

/** Records that a user accepted the current version. @throws Failure for another one. */
export const recordConsent = async (services: Services, userId: number, version: number): Promise<void> => {
  const { storage, options, now } = services;
  checkTermsVersion(services, version);
  if (options.hasTerms) await storage.write.terms.accept(userId, version, now());
};
