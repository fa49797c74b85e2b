import type { Accounts } from "@tollgate/accounts/accounts";
import { createAccessToken } from "@tollgate/accounts/random-text";
import { ROLE_ROOT } from "@tollgate/contract/values/roles";
import { StorageConflict } from "@tollgate/storage/errors";
import type { Stores } from "@tollgate/storage/stores";
import type { Services } from "../services";
import { endAccess } from "../session";
import { DEFAULT_ROOT_PASSWORD, hashPassword, NO_PASSWORD, verifyPassword } from "./passwords";
import type { RootSetup } from "./root-setup";

/**
 * Creates the root user of an installation without users, before anything is in memory. It has no password. If several
 * nodes start at the same time, one of them creates it.
 * @param now unix seconds.
 */
export const ensureRootUser = async (
  { read, write }: Pick<Stores, "read" | "write">,
  now: number,
): Promise<void> => {
  if ((await read.users.count()) > 0) return;
  const root = {
    username: "root",
    passwordHash: NO_PASSWORD,
    displayName: "Root User",
    role: ROLE_ROOT,
    quota: 100_000_000,
    group: "default",
    email: "",
    inviterId: 0,
    affCode: "",
    accessToken: createAccessToken(),
    createdTime: now,
  };
  try {
    await write.users.create(root, 0, []);
  } catch (error) {
    if (!(error instanceof StorageConflict && error.kind === "username-taken")) throw error;
  }
};

/**
 * Gives root its first own password. Addresses, identities and a second factor of before are let go: with the default
 * password any person could have bound theirs, and come back through them.
 * @param before the hash that root was seen to have, where another node may give it a password in the same moment.
 * @throws StorageConflict "not-found" where it has another one by now.
 */
export const setRootPassword = async (
  accounts: Accounts,
  userId: number,
  password: string,
  before?: string,
): Promise<void> => {
  const passwordHash = await hashPassword(password);
  const condition = before === undefined ? {} : { onlyWithPasswordHash: before };
  await accounts.users.change(userId, { passwordHash, ...condition, email: "", unbindsAll: true });
  await endAccess(accounts, userId, undefined);
};

/** Root password settings from the environment. */
export interface RootSettings {
  initialRootPassword: string | undefined;
  allowsDefaultPassword: boolean;
}

/**
 * Sees to it at start that root has a password that is not public: the one that the environment names, else one that
 * is set with the code that this returns. A root that still has the default password counts as one without.
 * @returns undefined when nothing is to be set.
 */
export const prepareRoot = async (
  { accounts, storage }: Pick<Services, "accounts" | "storage">,
  setup: RootSetup,
  { initialRootPassword, allowsDefaultPassword }: RootSettings,
  nowMs: number,
): Promise<string | undefined> => {
  const user = await storage.read.users.findByRole(ROLE_ROOT);
  const root = user && accounts.users.find(user.id);
  if (!root) return undefined;
  const hasNone = root.passwordHash === NO_PASSWORD;
  if (!hasNone && !(await verifyPassword(root.passwordHash, DEFAULT_ROOT_PASSWORD))) return undefined;
  if (initialRootPassword !== undefined) {
    await setRootPassword(accounts, root.id, initialRootPassword);
    return undefined;
  }
  if (allowsDefaultPassword) {
    if (hasNone) await setRootPassword(accounts, root.id, DEFAULT_ROOT_PASSWORD);
    return undefined;
  }
  await endAccess(accounts, root.id, undefined);
  return setup.open(root.id, nowMs);
};
