/** An OpenID Connect provider that root has added (contract/api/sign-in-providers.ts). */
export interface SignInProviderRecord {
  id: number;
  slug: string;
  name: string;
  issuer: string;
  clientId: string;
  /** Stored sealed; "" for a public client. */
  clientSecret: string;
  /** Separated by spaces. */
  scopes: string;
  /** Comma lists; "" for no condition. */
  emailDomains: string;
  requiredGroups: string;
  groupClaim: string;
  isEnabled: boolean;
  mayRegister: boolean;
  /** Unix seconds. */
  createdTime: number;
}

export type NewSignInProvider = Omit<SignInProviderRecord, "id">;

/** Fields that a change may set. */
export type SignInProviderChange = Partial<Omit<NewSignInProvider, "slug" | "issuer" | "createdTime">>;

/**
 * The name of a provider among the sign-in methods of identities. Ids are never reused, so that the accounts of a removed
 * provider belong to no later one.
 */
export type ProviderKey = `oidc_${number}`;

export const providerKeyOf = ({ id }: Pick<SignInProviderRecord, "id">): ProviderKey => `oidc_${id}`;

export interface SignInProviderQueries {
  /** All of them, the oldest first. */
  all(): Promise<SignInProviderRecord[]>;
  /** How many users have bound an account of each, by the provider's key. */
  bound(): Promise<ReadonlyMap<string, number>>;
}

export interface SignInProviderChanges {
  /**
   * @param most providers stored in all. @returns undefined where there are as many.
   * @throws StorageConflict "provider-slug-taken"
   */
  create(provider: NewSignInProvider, most: number): Promise<SignInProviderRecord | undefined>;
  /** @returns undefined without such a provider. */
  change(id: number, change: SignInProviderChange): Promise<SignInProviderRecord | undefined>;
  /** Removes a provider with all accounts of it that are bound. @returns their number; undefined without a provider. */
  remove(id: number): Promise<number | undefined>;
}
