import { createAccessToken, randomAlphanumeric } from "@tollgate/accounts/random-text";
import type { User } from "@tollgate/accounts/users";
import { ROLE_USER } from "@tollgate/contract/values/roles";
import type { Services } from "../services";
import { withConflicts } from "../sign-in/account-rules";
import { hashPassword } from "../sign-in/passwords";
import { type SignInService, signInFailure } from "../sign-in/sign-in-failure";

/** A code that links to the inviter. Eight characters, so that a collision needs not be thought of. */
export const createAffCode = (): string => randomAlphanumeric(8);

export interface NewUser {
  username: string;
  /** undefined for a user with only an external account. */
  password: string | undefined;
  displayName: string;
  email?: string;
  /** The account elsewhere that they came with. */
  external?: { method: SignInService; subject: string };
  /** A comma list; absent for the default. */
  group?: string;
  /** The inviter's code, "" without an inviter. */
  affCode?: string;
}

/**
 * Creates an ordinary user with the grants of the options and their log lines (contract section 3.4). An unknown invite
 * code is ignored.
 * @throws Failure when a name, an address or an identity is taken.
 */
export const createUser = async (
  { accounts, storage, options, notices, now }: Services,
  newUser: NewUser,
): Promise<User> => {
  const { external } = newUser;
  const inviter = await storage.read.users.findBy("aff_code", newUser.affCode ?? "");
  const gifts = {
    newUser: options.number("QuotaForNewUser"),
    invitee: options.number("QuotaForInvitee"),
    inviter: options.number("QuotaForInviter"),
  };
  const created = await withConflicts(
    accounts.users.create(
      {
        username: newUser.username,
        // Without a password no sign-in with one works until it is set.
        passwordHash: await hashPassword(newUser.password ?? randomAlphanumeric(40)),
        displayName: newUser.displayName,
        role: ROLE_USER,
        group: newUser.group ?? "default",
        email: newUser.email ?? "",
        identity: external && { method: external.method.name, subject: external.subject },
        affCode: createAffCode(),
        accessToken: createAccessToken(),
        createdTime: now(),
      },
      gifts,
      inviter,
    ),
    external && signInFailure(external.method, "taken"),
  );
  notices.raise({
    event: "user-created",
    subject: created.id,
    params: { id: created.id, username: created.username },
  });
  return created;
};
