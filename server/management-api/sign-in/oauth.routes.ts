import { getOauthState } from "@tollgate/contract/api/session";
import { bindByCode, signInByCode, signInByRedirect } from "@tollgate/contract/api/sign-in";
import { SIGN_IN_METHODS, type SignInMethod, stateQueryOf } from "@tollgate/contract/sign-in/methods";
import { Failure } from "../failure";
import { implement, type Route, readSessionUser } from "../route";
import type { Services } from "../services";
import { bindExternal, type RegisteringService, signInExternal } from "./external-sign-in";
import { checkFreshSignIn } from "./fresh-sign-in";
import { createOauthState } from "./oauth-state";
import { signInFailure } from "./sign-in-failure";

const serviceOf = ({ name, title }: SignInMethod): RegisteringService => ({ name, title, prefix: name });

/** Signing in with, and binding, external accounts (contract section 1.2), for `contract/sign-in/methods.ts`. */
export const oauthRoutes = (services: Services): Route[] => {
  const { accounts, options, codeExchanges, now } = services;
  const oauthState = createOauthState(services);

  /** @throws Failure when the method is disabled, or the code is missing. */
  const checkCode = (method: SignInMethod, code = ""): string => {
    if (!options.isOn(method.switch.option)) throw signInFailure(method, "off");
    if (code === "") throw new Failure("invalid-parameter");
    return code;
  };

  /** Routes of a method whose page redirects back with a code and the state. */
  const redirectRoutes = (method: SignInMethod): Route[] => [
    implement(signInByRedirect(method), async (context) => {
      const { query, request, reply } = context;
      oauthState.check(query.state, stateQueryOf(method).method, request);
      const code = checkCode(method, query.code);
      const user = readSessionUser(accounts, request, now());
      if (user) checkFreshSignIn(services, user, request);
      const account = await codeExchanges.identify(method, code);
      // While the method cannot be reached, the page tries again with the same state.
      oauthState.end(request, reply);
      if (!user) return signInExternal(services, context, serviceOf(method), account);
      await bindExternal(services, user, method, account);
      return { isBound: true as const };
    }),
  ];

  /** Routes of a method whose code people type in. */
  const typedCodeRoutes = (method: SignInMethod): Route[] => [
    implement(signInByCode(method), async (context) => {
      return signInExternal(
        services,
        context,
        serviceOf(method),
        await codeExchanges.identify(method, checkCode(method, context.query.code)),
      );
    }),
    implement(bindByCode(method), async ({ caller, query, request }) => {
      checkFreshSignIn(services, caller, request);
      await bindExternal(
        services,
        caller,
        method,
        await codeExchanges.identify(method, checkCode(method, query.code)),
      );
      return undefined;
    }),
  ];

  return [
    implement(getOauthState, ({ query, request, reply }) => oauthState.begin(query.method, request, reply)),
    ...SIGN_IN_METHODS.flatMap((method) =>
      method.entry.kind === "redirect" ? redirectRoutes(method) : typedCodeRoutes(method),
    ),
  ];
};
