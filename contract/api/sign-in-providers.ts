import * as z from "zod/mini";
import { maybe } from "../management/wire";
import { endpoint } from "../resource/endpoint";
import { codecOf, flag, int, text } from "../resource/fields";
import { listOf, plain, readerOf, resource, type ValueOf } from "../resource/resource";
import { OAUTH_PATH } from "../resource/served-paths";
import { redirectOutcome } from "./sign-in";

/*
 * OpenID Connect providers that root adds, and the accounts elsewhere of one's own. Not part of the one-api contract;
 * another server answers these calls with 404.
 */

/** Providers stored in all. */
export const MAX_PROVIDERS = 20;
export const MAX_PROVIDER_NAME = 30;
/** Of an issuer's address, a client id, a secret, a list. */
export const MAX_PROVIDER_TEXT = 1000;
/** Part of the callback address, and beginning of new users' usernames. */
export const PROVIDER_SLUG = /^[a-z][a-z0-9-]{1,29}$/;

/** A provider, without its secret. */
const providerFields = {
  id: int("id"),
  /** Part of its callback address; fixed after the creation. */
  slug: text("slug"),
  /** On its button. */
  name: text("name"),
  /** Fixed after the creation: a subject belongs to its issuer. */
  issuer: text("issuer"),
  clientId: text("client_id"),
  hasSecret: flag("has_secret"),
  /** Separated by spaces; "openid" is always among them. */
  scopes: text("scopes"),
  /** A comma list of mail domains, one of which a verified address must have; "" for all people. */
  emailDomains: text("email_domains"),
  /** The claim with a person's groups; "" for none. */
  groupClaim: text("group_claim"),
  /** A comma list of values of that claim, of which a person must have one; "" for all people. */
  requiredGroups: text("required_groups"),
  isEnabled: flag("is_enabled"),
  /** Whether people without an account are registered. */
  mayRegister: flag("may_register"),
  /** How many users have bound an account of it. */
  bound: int("bound"),
  createdTime: int("created_time"),
};

const provider = resource(providerFields);
export type SignInProvider = ValueOf<typeof provider>;

const boundedText = maybe(z.string().check(z.maxLength(MAX_PROVIDER_TEXT)));

/** A new provider, or the changed fields of one; absent and null fields keep their values. */
const providerBody = codecOf(
  { ...providerFields, clientSecret: text("client_secret") },
  {
    slug: boundedText,
    name: boundedText,
    issuer: boundedText,
    clientId: boundedText,
    /** "" keeps the stored one. */
    clientSecret: boundedText,
    scopes: boundedText,
    emailDomains: boundedText,
    groupClaim: boundedText,
    requiredGroups: boundedText,
    isEnabled: maybe(z.boolean()),
    mayRegister: maybe(z.boolean()),
  },
);
export type SignInProviderBody = z.output<typeof providerBody>;

const PATH = "/api/sign-in-provider/";

export const listSignInProviders = endpoint({
  method: "GET",
  path: PATH,
  guard: "root",
  summary: "All OpenID Connect providers, without their secrets",
  data: listOf(provider),
  reads: "sign-in-providers",
});

export const createSignInProvider = endpoint({
  method: "POST",
  path: PATH,
  guard: "root",
  summary: "Adds an OpenID Connect provider whose issuer answers, in a session of root's",
  body: providerBody,
  data: provider,
  changes: ["sign-in-providers", "status", "identities"],
});

export const changeSignInProvider = endpoint({
  method: "PUT",
  path: `${PATH}:id`,
  guard: "root",
  summary: 'Changes a provider, in a session of root\'s; a secret that is "" stays unchanged',
  body: providerBody,
  data: provider,
  changes: ["sign-in-providers", "status", "identities"],
});

const removed = z.object({ bound: z.int() });

export const deleteSignInProvider = endpoint({
  method: "DELETE",
  path: `${PATH}:id`,
  guard: "root",
  summary: "Removes a provider, in a session of root's; returns how many users have lost an account of it",
  data: plain(removed, readerOf(z.object({ bound: z.catch(z.int(), 0) }))),
  changes: ["sign-in-providers", "status", "identities"],
});

const AT_PROVIDER = `${OAUTH_PATH}/provider/:slug` as const;

const consentPage = z.object({ address: z.string() });

export const beginProviderSignIn = endpoint({
  method: "POST",
  path: AT_PROVIDER,
  guard: "none",
  summary: "Returns the address at which a provider asks for consent; its cookie is good for ten minutes",
  data: plain(consentPage, readerOf(consentPage)),
  isCritical: true,
});

const callbackParameter = z.string().check(z.maxLength(4000));

export const finishProviderSignIn = endpoint({
  method: "POST",
  path: `${AT_PROVIDER}/finish`,
  guard: "none",
  summary: "Signs in with a provider's code, or binds its account to the session's user (message: bind)",
  body: z.object({ code: callbackParameter, state: callbackParameter, iss: maybe(callbackParameter) }),
  data: redirectOutcome,
  isEnvelope: true,
  isCritical: true,
  changes: ["identities"],
});

const identity = resource({
  /** A sign-in method's name, or the key of a provider. */
  name: text("name"),
  /** Of the method or provider, for people. */
  title: text("title"),
  /** The permanent id of the account there; "" where none is bound. */
  subject: text("subject"),
  /** The provider's callback name; "" for a method. */
  slug: text("slug"),
  /** Whether one can sign in with it now. */
  isOffered: flag("offered"),
  /** Whether it is the last account elsewhere that signs in: only a password lets go of it. */
  isLast: flag("last"),
});
export type OwnIdentity = ValueOf<typeof identity>;

export const listOwnIdentities = endpoint({
  method: "GET",
  path: "/api/user/identities",
  guard: "user",
  isForPeople: true,
  summary: "One's own accounts elsewhere, and the providers of which one can be bound",
  data: listOf(identity),
  reads: "identities",
});

export const unbindIdentity = endpoint({
  method: "POST",
  path: "/api/user/identities/:name/unbind",
  guard: "user",
  isForPeople: true,
  summary: "Lets go of one's own account elsewhere; of the last one with one's password alone",
  body: z.object({ password: maybe(z.string()) }),
  changes: ["identities", "users"],
});
