import { randomAlphanumeric } from "@tollgate/accounts/random-text";
import type { User } from "@tollgate/accounts/users";
import type { ExternalAccount } from "@tollgate/contract/sign-in/exchange-code";
import { foldEmail } from "@tollgate/contract/values/fold-email";
import { USER_ENABLED } from "@tollgate/contract/values/statuses";
import { Failure } from "../failure";
import type { RouteContext } from "../route";
import type { Services } from "../services";
import { beginSignIn } from "../session";
import { createUser } from "../users/create-user";
import { isEmail, withConflicts } from "./account-rules";
import { type SignInService, signInFailure } from "./sign-in-failure";

/* The rules of all accounts elsewhere, of declared methods (contract/sign-in/) and of providers that root adds. */

const MAX_USERNAME = 12;
const MAX_NAME = 20;

/** What a service says of a person, and what it lets them have here. */
export interface Newcomer extends ExternalAccount {
  /** The groups of a new user, a comma list; absent for the default. */
  group?: string | undefined;
}

/** A service with the beginning of its new users' names. */
export interface RegisteringService extends SignInService {
  prefix: string;
}

const randomUsername = (prefix: string): string => `${prefix.slice(0, 2)}_${randomAlphanumeric(9)}`;

/** A free name like "github_12"; random when that is taken or too long. */
const freeUsername = async ({ accounts, storage }: Services, prefix: string): Promise<string> => {
  const numbered = `${prefix}_${(await storage.read.users.count()) + 1}`;
  const isFree = numbered.length <= MAX_USERNAME && !accounts.users.findByName(numbered);
  return isFree ? numbered : randomUsername(prefix);
};

/** Registers a person. An address that another account has is left out: no account is taken over by its address. */
const register = async (
  services: Services,
  method: RegisteringService,
  { subject, displayName, email: given = "", group }: Newcomer,
): Promise<User> => {
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
      ...(group === undefined ? {} : { group }),
    });
  try {
    return await create(await freeUsername(services, method.prefix));
  } catch (error) {
    // Another newcomer was given the same number meanwhile, and the code is used up.
    if (error instanceof Failure && error.key === "username-taken")
      return create(randomUsername(method.prefix));
    throw error;
  }
};

/** The user who has bound an account elsewhere; undefined for none. */
export const findExternal = async (
  { storage, accounts }: Services,
  method: SignInService,
  subject: string,
): Promise<User | undefined> => {
  const known = await storage.read.users.findByIdentity({ method: method.name, subject });
  return known && accounts.users.find(known.id);
};

/** Signs in the owner of an external account, and registers them if no user has it yet. */
export const signInExternal = async (
  services: Services,
  { request, reply }: Pick<RouteContext<"none", unknown>, "request" | "reply">,
  method: RegisteringService,
  newcomer: Newcomer,
) => {
  const user =
    (await findExternal(services, method, newcomer.subject)) ?? (await register(services, method, newcomer));
  if (user.status !== USER_ENABLED) throw new Failure("user-disabled");
  return beginSignIn(services, user, request, reply);
};

/** Binds an account elsewhere to a user. @throws Failure when another user has it. */
export const bindExternal = async (
  { accounts, storage, notices }: Services,
  user: User,
  { name, title }: SignInService,
  { subject }: ExternalAccount,
): Promise<void> => {
  // Checked again: the sign-in service took time in between.
  if (user.status !== USER_ENABLED) throw new Failure("user-disabled");
  const before = await storage.read.users.find(user.id);
  const identity = { method: name, subject };
  await withConflicts(accounts.users.change(user.id, { identity }), signInFailure({ name, title }, "taken"));
  if (before && before.identities[name] !== subject) notices.accountChanged(before, { name, title });
};
