import { isAdmin, isRoot, type Role } from "./roles";

/**
 * Whether a person of one role may move money, or a price, towards a person of another. Administrators run the site's money, so
 * root alone decides about theirs; otherwise two of them could enrich each other.
 * @param decider role of the person who decides; a person who is gone counts as an ordinary user.
 */
export const mayFavour = (decider: Role, beneficiary: Role): boolean =>
  isRoot(decider) || !isAdmin(beneficiary);
