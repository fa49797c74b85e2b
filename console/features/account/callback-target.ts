import { signInByRedirect } from "@tollgate/contract/api/sign-in";
import { finishProviderSignIn } from "@tollgate/contract/api/sign-in-providers";
import type { OfferedProvider } from "@tollgate/contract/api/status";
import type { DataOf } from "@tollgate/contract/resource/endpoint";
import { SIGN_IN_METHODS, type SignInMethod } from "@tollgate/contract/sign-in/methods";
import { callEndpoint } from "../../lib/call-endpoint";
import { offeredProviders } from "../../lib/status";

/** What a sign-in page sends back with a person. */
export interface CallbackAnswer {
  code: string;
  state: string;
  /** The issuer of a provider that says it (RFC 9207); "" otherwise. */
  iss: string;
}

/** A declared method or a provider that sends people to /oauth/<name>. */
export interface CallbackTarget {
  name: string;
  title: string;
  finish(answer: CallbackAnswer): Promise<DataOf<typeof finishProviderSignIn>>;
}

const ofMethod = (method: SignInMethod): CallbackTarget => ({
  name: method.name,
  title: method.title,
  finish: ({ code, state }) => callEndpoint(signInByRedirect(method), { query: { code, state } }),
});

const ofProvider = ({ slug, name }: OfferedProvider, call = finishProviderSignIn): CallbackTarget => ({
  name: slug,
  title: name,
  finish: ({ code, state, iss }) =>
    callEndpoint(call, { params: { slug }, body: { code, state, ...(iss === "" ? {} : { iss }) } }),
});

/** Finds what /oauth/<name> belongs to, by the stored status; undefined for nothing. */
export const findCallbackTarget = (name: string | undefined): CallbackTarget | undefined => {
  const method = SIGN_IN_METHODS.find((each) => each.name === name);
  if (method) return ofMethod(method);
  const provider = offeredProviders().find(({ slug }) => slug === name);
  return provider && ofProvider(provider);
};
