import { randomAlphanumeric } from "@tollgate/accounts/random-text";
import type { User } from "@tollgate/accounts/users";
import { getOauthState } from "@tollgate/contract/api/session";
import { bindByCode, signInByCode, signInByRedirect } from "@tollgate/contract/api/sign-in";
import type { ExternalAccount } from "@tollgate/contract/sign-in/exchange-code";
import { SIGN_IN_METHODS, type SignInMethod, stateQueryOf } from "@tollgate/contract/sign-in/methods";
import { foldEmail } from "@tollgate/contract/values/fold-email";
import { USER_ENABLED } from "@tollgate/contract/values/statuses";
import { Failure } from "../failure";
import { implement, type Route, type RouteContext, readSessionUser } from "../route";
import type { Services } from "../services";
import { beginSignIn } from "../session";
import { createUser } from "../users/create-user";
import { isEmail, withConflicts } from "./account-rules";
import { checkFreshSignIn } from "./fresh-sign-in";
import { createOauthState } from "./oauth-state";
import { signInFailure } from "./sign-in-failure";

const MAX_USERNAME = 12;
const MAX_NAME = 20;

const randomUsername = (prefix: string): string => `${prefix.slice(0, 2)}_${randomAlphanumeric(9)}`;

/** A free name like "github_12"; random when that is taken or too long. */
const freeUsername = async ({ accounts, storage }: Services, prefix: string): Promise<string> => {
  const numbered = `${prefix}_${(await storage.read.users.count()) + 1}`;
  const isFree = numbered.length <= MAX_USERNAME && !accounts.users.findByName(numbered);
  return isFree ? numbered : randomUsername(prefix);
};

const register = async (
  services: Services,
  method: SignInMethod,
  { subject, displayName, email: given = "" }: ExternalAccount,
) => {
  const { storage, options } = services;
  const email = foldEmail(given);
  if (!options.isOn("RegisterEnabled")) throw new Failure("register-off");
  const isFree = isEmail(email) && !(await storage.read.users.findBy("email", email));
  const create = (username: string): Promise<User> =>
    createUser(services, {
      username,
      password: undefined,
      displayName: [...displayName].slice(0, MAX_NAME).join(""),
      external: { method, subject },
      ...(isFree ? { email } : {}),
    });
  try {
    return await create(await freeUsername(services, method.name));
  } catch (error) {
    // Another newcomer was given the same number meanwhile, and the code is used up.
    if (error instanceof Failure && error.key === "username-taken")
      return create(randomUsername(method.name));
    throw error;
  }
};

/** Signing in with, and binding, external accounts (contract section 1.2), for `contract/sign-in/methods.ts`. */
export const oauthRoutes = (services: Services): Route[] => {
  const { accounts, storage, options, codeExchanges, notices, now } = services;
  const oauthState = createOauthState(services);

  /** @throws Failure when the method is disabled, or the code is missing. */
  const checkCode = (method: SignInMethod, code = ""): string => {
    if (!options.isOn(method.switch.option)) throw signInFailure(method, "off");
    if (code === "") throw new Failure("invalid-parameter");
    return code;
  };

  /** Signs in the owner of an external account, and registers them if no user has it yet. */
  const signIn = async (
    { request, reply }: Pick<RouteContext<"none", unknown>, "request" | "reply">,
    method: SignInMethod,
    account: ExternalAccount,
  ) => {
    const known = await storage.read.users.findByIdentity({ method: method.name, subject: account.subject });
    const user = (known && accounts.users.find(known.id)) ?? (await register(services, method, account));
    if (user.status !== USER_ENABLED) throw new Failure("user-disabled");
    return beginSignIn(services, user, request, reply);
  };

  const bind = async (user: User, method: SignInMethod, { subject }: ExternalAccount): Promise<void> => {
    // Checked again: the sign-in service took time in between.
    if (user.status !== USER_ENABLED) throw new Failure("user-disabled");
    const before = await storage.read.users.find(user.id);
    const identity = { method: method.name, subject };
    await withConflicts(accounts.users.change(user.id, { identity }), signInFailure(method, "taken"));
    if (before && before.identities[method.name] !== subject) notices.accountChanged(before, method);
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
      if (!user) return signIn(context, method, account);
      await bind(user, method, account);
      return { isBound: true as const };
    }),
  ];

  /** Routes of a method whose code people type in. */
  const typedCodeRoutes = (method: SignInMethod): Route[] => [
    implement(signInByCode(method), async (context) => {
      return signIn(
        context,
        method,
        await codeExchanges.identify(method, checkCode(method, context.query.code)),
      );
    }),
    implement(bindByCode(method), async ({ caller, query, request }) => {
      checkFreshSignIn(services, caller, request);
      await bind(caller, method, await codeExchanges.identify(method, checkCode(method, query.code)));
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
