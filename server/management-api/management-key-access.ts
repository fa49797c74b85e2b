import { parseNetworks } from "@tollgate/accounts/parse-networks";
import type { User } from "@tollgate/accounts/users";
import { MANAGEMENT_KEY_PREFIX } from "@tollgate/contract/management/management-key";
import { type GuardedCall, kindOf } from "@tollgate/contract/management/permission-areas";
import type { ManagementKeyRecord } from "@tollgate/contract/records/management-key-record";
import { splitList } from "@tollgate/contract/values/split-list";
import type { FastifyRequest } from "fastify";
import { Failure } from "./failure";
import type { Services } from "./services";

/** A use this soon after the last one from the same address is not stored, in seconds. */
const USE_SECONDS = 60;

export const isManagementKey = (token: string): boolean => token.startsWith(MANAGEMENT_KEY_PREFIX);

/** The rights of a key; its owner's are narrower or wider, and both count. */
export const rightsOf = ({ permissions }: ManagementKeyRecord): ReadonlySet<string> =>
  new Set(splitList(permissions));

const noteUse = (
  { storage, logger, now }: Services,
  { id, lastUsedTime, lastAddress }: ManagementKeyRecord,
  address: string,
): void => {
  const at = now();
  if (at - lastUsedTime < USE_SECONDS && address === lastAddress) return;
  storage.write.managementKeys.noteUse(id, at, address).catch((error: Error) => {
    logger.error({ error: error.message }, "the use of a management key could not be stored");
  });
};

/**
 * Looks a management key up in storage: a key that was revoked on whichever node is refused by the next request.
 * @throws Failure for a key that is unknown, revoked or expired, or used from another address than its owner allows.
 */
export const readManagementKey = async (
  services: Services,
  token: string,
  request: FastifyRequest,
): Promise<{ user: User; key: ManagementKeyRecord }> => {
  const { storage, accounts, addresses, now } = services;
  const key = await storage.read.managementKeys.findBySecret(token);
  const user = key && accounts.users.find(key.userId);
  if (!user || (key.expiresTime !== 0 && key.expiresTime <= now()))
    throw new Failure("management-key-invalid", {}, 401);
  const address = addresses.of(request.raw);
  if (key.networks !== "") {
    const networks = parseNetworks(key.networks);
    if ("fault" in networks || !networks.has(address))
      throw new Failure("management-key-address", { address });
  }
  noteUse(services, key, address);
  return { user, key };
};

/** @throws Failure for a call that no key makes, or one that this key's rights do not include. */
export const checkKey = (
  key: ManagementKeyRecord | undefined,
  call: GuardedCall & { readonly isForPeople?: boolean },
): void => {
  if (!key || call.guard === "admin") return;
  if (call.guard === "root" || call.isForPeople) throw new Failure("management-key-refused");
  const rights = rightsOf(key);
  const kind = kindOf(call);
  if (call.guard === "user" && !rights.has("own:change") && !(kind === "read" && rights.has("own:read")))
    throw new Failure("permission-missing-key", { permission: `own:${kind}` });
};
