import {
  listOwnIdentities,
  type OwnIdentity,
  unbindIdentity,
} from "@tollgate/contract/api/sign-in-providers";
import { providerKeyOf } from "@tollgate/contract/records/sign-in-provider-record";
import type { IdentityMethod } from "@tollgate/contract/records/user-record";
import { SIGN_IN_METHODS } from "@tollgate/contract/sign-in/methods";
import { audit } from "../audit";
import { existing, Failure } from "../failure";
import { implement, type Route } from "../route";
import type { Services } from "../services";
import { withConflicts } from "./account-rules";
import { checkFreshSignIn } from "./fresh-sign-in";
import { checkOwnPassword } from "./password-try";

type Listed = OwnIdentity & { name: IdentityMethod };

/** A user's accounts elsewhere, and the providers of which one can be bound. */
const identitiesOf = async ({ storage, options }: Services, userId: number): Promise<Listed[]> => {
  const { identities } = existing(await storage.read.users.find(userId));
  const bound = (name: IdentityMethod) => ({ name, subject: identities[name] ?? "", isLast: false });
  const all: Listed[] = [
    ...SIGN_IN_METHODS.map(({ name, title, switch: { option } }) => ({
      ...bound(name),
      ...{ title, slug: "", isOffered: options.isOn(option) },
    })).filter(({ subject }) => subject !== ""),
    ...(await storage.read.signInProviders.all())
      .map((provider) => ({
        ...bound(providerKeyOf(provider)),
        ...{ title: provider.name, slug: provider.slug, isOffered: provider.isEnabled },
      }))
      .filter(({ subject, isOffered }) => subject !== "" || isOffered),
  ];
  const usable = all.filter(({ subject, isOffered }) => subject !== "" && isOffered);
  return all.map((each) => ({
    ...each,
    isLast: each.subject !== "" && usable.every(({ name }) => name === each.name),
  }));
};

/** One's own accounts elsewhere, beyond those that the contract has in a user. */
export const identityRoutes: Route[] = [
  implement(listOwnIdentities, ({ services, caller }) => identitiesOf(services, caller.id)),

  implement(unbindIdentity, async (context) => {
    const { services, caller, params, body, request } = context;
    checkFreshSignIn(services, caller, request);
    const all = await identitiesOf(services, caller.id);
    const { name, title, isLast } = existing(
      all.find((each) => each.name === params.name && each.subject !== ""),
    );
    if (isLast) {
      // Only the password shows that there is one: accounts of newcomers have one that no person knows.
      if (!services.options.isOn("PasswordLoginEnabled") || !body.password)
        throw new Failure("last-identity");
      await checkOwnPassword(services, caller, body.password, request);
    }
    const keepsOneOf = isLast
      ? undefined
      : all.filter((each) => each.isOffered && each.name !== name).map((each) => each.name);
    const before = existing(await services.storage.read.users.find(caller.id));
    await withConflicts(services.accounts.users.change(caller.id, { unbinds: { method: name, keepsOneOf } }));
    await audit(services, context, "user.unbind", caller.id, { method: title }, caller);
    services.notices.accountChanged(before, { name, title, isUnbound: true });
    return undefined;
  }),
];
