import type { User } from "@tollgate/accounts/users";
import { beginProviderSignIn, finishProviderSignIn } from "@tollgate/contract/api/sign-in-providers";
import { providerKeyOf, type SignInProviderRecord } from "@tollgate/contract/records/sign-in-provider-record";
import { splitList } from "@tollgate/contract/values/split-list";
import type { FastifyRequest } from "fastify";
import { RateLimit } from "../../http/rate-limit";
import { audit } from "../audit";
import { existing, Failure } from "../failure";
import { implement, type Route, readSessionUser } from "../route";
import type { Services } from "../services";
import { bindExternal, findExternal, type RegisteringService, signInExternal } from "./external-sign-in";
import { checkFreshSignIn } from "./fresh-sign-in";
import { isSubject } from "./is-subject";
import { createOauthState, STATE_SECONDS } from "./oauth-state";
import { type BegunSignIn, consentAddress, identifyByCode, type ProviderAccount } from "./open-id";
import { type SignInFault, signInFailure } from "./sign-in-failure";

/** Lines of the audit about refused sign-ins with a provider: any stranger can cause them. The log has all. */
const AUDIT_LINES = 100;
const AUDIT_WINDOW_MS = 3_600_000;

/** The state of a provider is good for no other, nor for a declared method. */
const stateNameOf = (provider: SignInProviderRecord): string => `provider ${provider.id}`;

const serviceOf = (provider: SignInProviderRecord): RegisteringService => ({
  name: providerKeyOf(provider),
  title: provider.name,
  prefix: provider.slug,
});

/**
 * Verifier and nonce follow from the state, by the master key: every node can finish what another one began, and the
 * browser learns no verifier.
 */
const begunOf = (
  { options, secrets }: Services,
  { slug }: SignInProviderRecord,
  state: string,
): BegunSignIn => ({
  back: `${options.serverAddress()}/oauth/${slug}`,
  state,
  verifier: secrets.hash(JSON.stringify(["openid verifier", slug, state])),
  nonce: secrets.hash(JSON.stringify(["openid nonce", slug, state])),
});

/** @throws Failure for an unknown provider, or one that is switched off. */
const findOffered = async ({ storage }: Services, slug: string): Promise<SignInProviderRecord> => {
  const provider = existing((await storage.read.signInProviders.all()).find((each) => each.slug === slug));
  if (!provider.isEnabled) throw signInFailure(serviceOf(provider), "off");
  return provider;
};

/** Why a provider's account is not let in; undefined if it is. */
const faultOf = (
  { emailDomains, requiredGroups }: SignInProviderRecord,
  { subject, email, groups }: ProviderAccount,
): SignInFault | undefined => {
  if (!isSubject(subject)) return "nobody";
  const domains = splitList(emailDomains);
  const domain = email.slice(email.lastIndexOf("@") + 1).toLowerCase();
  if (domains.length > 0 && !domains.includes(domain)) return "email-domain";
  const required = splitList(requiredGroups);
  if (required.length > 0 && !groups.some((group) => required.includes(group))) return "group";
  return undefined;
};

/** The groups of the site that a person has at the provider, as a comma list; undefined for none. */
const siteGroupsOf = ({ pricing }: Services, { groups }: ProviderAccount): string | undefined => {
  const known = pricing.groups().filter((name) => groups.includes(name));
  return known.length === 0 ? undefined : known.join(",");
};

/** Gives a user the groups that the provider says by now. */
const takeGroups = async (
  services: Services,
  user: User,
  group: string | undefined,
  slug: string,
  request: FastifyRequest,
): Promise<void> => {
  const before = await services.storage.read.users.find(user.id);
  if (group === undefined || before === undefined || before.group === group) return;
  await services.accounts.users.change(user.id, { group });
  const gateway = { id: 0, username: "" };
  await audit(
    services,
    { caller: gateway, request },
    "user.update",
    user.id,
    { group, provider: slug },
    user,
  );
};

/** Signing in with, and binding accounts of, OpenID Connect providers. */
export const providerSignInRoutes = (services: Services): Route[] => {
  const { accounts, storage, now } = services;
  const oauthState = createOauthState(services);
  const lines = new RateLimit(AUDIT_LINES, AUDIT_WINDOW_MS);

  /** Records an answer that must not sign in, and throws its sentence. */
  const refuse = async (
    provider: SignInProviderRecord,
    user: User | undefined,
    request: FastifyRequest,
    reason: SignInFault | "replayed",
  ): Promise<never> => {
    const caller = user ?? { id: 0, username: "" };
    services.logger.warn({ provider: provider.slug, reason }, "a sign-in with a provider was refused");
    if (lines.take(provider.slug, Date.now()) === 0)
      await audit(services, { caller, request }, "sign-in-provider.refuse", provider.slug, { reason });
    throw reason === "replayed"
      ? new Failure("oauth-state-invalid", {}, 403)
      : signInFailure(serviceOf(provider), reason);
  };

  return [
    implement(beginProviderSignIn, async ({ params, request, reply }) => {
      const provider = await findOffered(services, params.slug);
      const state = oauthState.begin(stateNameOf(provider), request, reply);
      const address = await consentAddress(provider, begunOf(services, provider, state));
      if (typeof address === "string") throw signInFailure(serviceOf(provider), address);
      await storage.write.verifications.put("sign-in", state, state, now() + STATE_SECONDS);
      return { address: address.href };
    }),

    implement(finishProviderSignIn, async (context) => {
      const { params, body, request, reply } = context;
      const provider = await findOffered(services, params.slug);
      const service = serviceOf(provider);
      oauthState.check(body.state, stateNameOf(provider), request);
      if (body.code === "") throw new Failure("invalid-parameter");
      const user = readSessionUser(accounts, request, now());
      if (user) checkFreshSignIn(services, user, request);
      const account = await identifyByCode(
        provider,
        begunOf(services, provider, body.state),
        body.code,
        body.iss,
      );
      // While the provider cannot be reached, the page tries again with the same state.
      if (account === "unreachable") throw signInFailure(service, account);
      // One of two at once may have used the code up: the other one is not to take its state.
      if (account === "refused") return refuse(provider, user, request, account);
      oauthState.end(request, reply);
      const isFirst = await storage.write.verifications.use("sign-in", body.state, body.state, now());
      if (!isFirst) return refuse(provider, user, request, "replayed");
      if (typeof account === "string") return refuse(provider, user, request, account);
      const fault = faultOf(provider, account);
      if (fault !== undefined) return refuse(provider, user, request, fault);
      if (user) {
        await bindExternal(services, user, service, account);
        return { isBound: true as const };
      }
      const group = siteGroupsOf(services, account);
      const known = await findExternal(services, service, account.subject);
      if (!known && !provider.mayRegister) throw signInFailure(service, "newcomers");
      if (known) await takeGroups(services, known, group, provider.slug, request);
      return signInExternal(services, context, service, { ...account, group });
    }),
  ];
};
