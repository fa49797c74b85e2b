import {
  MAX_PROVIDER_NAME,
  PROVIDER_SLUG,
  type SignInProviderBody,
} from "@tollgate/contract/api/sign-in-providers";
import type { NewSignInProvider } from "@tollgate/contract/records/sign-in-provider-record";
import { SIGN_IN_METHODS } from "@tollgate/contract/sign-in/methods";
import { splitList } from "@tollgate/contract/values/split-list";
import type { MessageKey } from "../../locales/catalogue";
import { Failure } from "../failure";
import { isProviderAddress } from "./open-id";

/** Fields of a provider that root chooses. */
export type ProviderSettings = Omit<NewSignInProvider, "createdTime">;

const NEW_PROVIDER: ProviderSettings = {
  ...{ slug: "", name: "", issuer: "", clientId: "", clientSecret: "", scopes: "openid profile email" },
  ...{ emailDomains: "", groupClaim: "", requiredGroups: "", isEnabled: true, mayRegister: true },
};

/** Addresses below /oauth and /api/oauth that no provider may have. */
const RESERVED_SLUGS: ReadonlySet<string> = new Set([
  ...SIGN_IN_METHODS.map(({ name }) => name),
  ...["state", "email", "provider"],
]);

const DOMAIN = /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{1,62}$/;
/** RFC 6749, section 3.3. */
const SCOPE = /^[\x21\x23-\x5B\x5D-\x7E]+$/;
const DISCOVERY_PATH = /\/\.well-known\/openid-configuration$/;

const check = (isGood: boolean, key: MessageKey, field: string): void => {
  if (!isGood) throw new Failure(key, { limit: MAX_PROVIDER_NAME }).at(field);
};

/** An issuer, also where root has pasted the address of its description. */
const readIssuer = (text: string): string => {
  const issuer = text.trim().replace(DISCOVERY_PATH, "");
  check(URL.canParse(issuer), "provider-issuer-invalid", "issuer");
  const { search, hash, username, password } = new URL(issuer);
  check(
    isProviderAddress(new URL(issuer)) && search + hash + username + password === "",
    "provider-issuer-invalid",
    "issuer",
  );
  return issuer;
};

const readScopes = (text: string): string => {
  const scopes = [...new Set(["openid", ...text.split(/\s+/).filter((scope) => scope !== "")])];
  check(
    scopes.every((scope) => SCOPE.test(scope)),
    "provider-scopes-invalid",
    "scopes",
  );
  return scopes.join(" ");
};

const readDomains = (text: string): string => {
  const domains = splitList(text.toLowerCase()).map((domain) => domain.replace(/^@/, ""));
  check(
    domains.every((domain) => DOMAIN.test(domain)),
    "provider-domains-invalid",
    "email_domains",
  );
  return domains.join(",");
};

/**
 * The settings of a provider after an edit, as they are stored.
 * @param before undefined for a new one; its slug and its issuer stay.
 * @throws Failure at the field
 */
export const readProvider = (
  body: SignInProviderBody,
  before: ProviderSettings | undefined,
): ProviderSettings => {
  const given = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
  const edited: ProviderSettings = { ...NEW_PROVIDER, ...before, ...given };
  const name = edited.name.trim();
  check(
    name !== "" && [...name].length <= MAX_PROVIDER_NAME && !/\p{C}/u.test(name),
    "provider-name-length",
    "name",
  );
  const slug = before?.slug ?? edited.slug.trim();
  check(PROVIDER_SLUG.test(slug) && !RESERVED_SLUGS.has(slug), "provider-slug-invalid", "slug");
  const issuer = before?.issuer ?? readIssuer(edited.issuer);
  const clientId = edited.clientId.trim();
  check(clientId !== "" && !/\p{C}/u.test(clientId), "provider-client-missing", "client_id");
  const groupClaim = edited.groupClaim.trim();
  const requiredGroups = splitList(edited.requiredGroups).join(",");
  check(requiredGroups === "" || groupClaim !== "", "provider-groups-need-claim", "group_claim");
  return {
    ...{ name, slug, issuer, clientId, groupClaim, requiredGroups },
    clientSecret: edited.clientSecret.trim() || (before?.clientSecret ?? ""),
    scopes: readScopes(edited.scopes),
    emailDomains: readDomains(edited.emailDomains),
    isEnabled: edited.isEnabled,
    mayRegister: edited.mayRegister,
  };
};
