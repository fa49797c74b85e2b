import { parseNetworks } from "@tollgate/accounts/parse-networks";
import { createManagementKey as createSecret } from "@tollgate/accounts/random-text";
import {
  createManagementKey,
  listManagementKeys,
  type ManagementKey,
  revokeManagementKey,
} from "@tollgate/contract/api/management-keys";
import { MANAGEMENT_KEY_PREFIX, MAX_MANAGEMENT_KEYS } from "@tollgate/contract/management/management-key";
import { isPermission, permits } from "@tollgate/contract/management/permission-areas";
import type { ManagementKeyRecord } from "@tollgate/contract/records/management-key-record";
import { isAdmin } from "@tollgate/contract/values/roles";
import { splitList } from "@tollgate/contract/values/split-list";
import { audit } from "../audit";
import { existing, Failure } from "../failure";
import { permissionsOf } from "../permissions";
import { implement, type RouteContext } from "../route";
import { checkPresence, hasSession } from "../sign-in/fresh-sign-in";

/** Shown characters of a secret: its prefix and six more. */
const SHOWN = MANAGEMENT_KEY_PREFIX.length + 6;

const show = ({ id, name, start, permissions, networks, ...record }: ManagementKeyRecord): ManagementKey => ({
  id,
  name,
  start,
  permissions: splitList(permissions),
  networks,
  created_time: record.createdTime,
  expires_time: record.expiresTime,
  last_used_time: record.lastUsedTime,
  last_address: record.lastAddress,
});

/** @throws Failure for a right that the owner does not have: the key would not have it either. */
const checkRights = (
  { services, caller }: Pick<RouteContext<"user", unknown>, "services" | "caller">,
  rights: readonly string[],
): void => {
  const own = permissionsOf(services, caller);
  for (const right of rights.filter(isPermission)) {
    const [area, kind] = right.split(":") as [Parameters<typeof permits>[1], "read" | "change"];
    if (!isAdmin(caller.role) || !permits(own, area, kind))
      throw new Failure("management-key-scope", { permission: right });
  }
};

/** @throws Failure */
const checkNetworks = (networks: string): void => {
  const parsed = parseNetworks(networks);
  if ("fault" in parsed) throw new Failure("management-key-networks", { entry: parsed.fault });
};

/** One's own keys for scripts (docs/guides/management-keys.md). */
export const managementKeyRoutes = [
  implement(listManagementKeys, async ({ services, caller }) =>
    (await services.storage.read.managementKeys.ofUser(caller.id)).map(show),
  ),

  implement(createManagementKey, async (context) => {
    const { services, caller, body, request } = context;
    const { name, permissions, networks = "", expires_time: expiresTime = 0 } = body;
    // A stolen access token makes no credentials that outlive it.
    if (!hasSession(services, caller, request)) throw new Failure("management-key-needs-session");
    checkPresence(services, caller, request);
    if (expiresTime !== 0 && expiresTime <= services.now()) throw new Failure("management-key-expiry");
    checkRights(context, permissions);
    checkNetworks(networks);
    const key = createSecret();
    const made = await services.storage.write.managementKeys.create(
      {
        userId: caller.id,
        name,
        start: key.slice(0, SHOWN),
        permissions: [...new Set(permissions)].join(","),
        networks: networks.trim(),
        createdTime: services.now(),
        expiresTime,
      },
      key,
      MAX_MANAGEMENT_KEYS,
    );
    if (!made) throw new Failure("management-keys-too-many", { max: MAX_MANAGEMENT_KEYS });
    const detail = {
      name,
      permissions: made.permissions,
      networks: made.networks,
      expires_time: expiresTime,
    };
    await audit(services, context, "management-key.create", made.id, detail, caller);
    return { ...show(made), key };
  }),

  implement(revokeManagementKey, async (context) => {
    const { services, caller, params } = context;
    const removed = existing(await services.storage.write.managementKeys.remove(caller.id, params.id));
    await audit(services, context, "management-key.revoke", removed.id, { name: removed.name }, caller);
    return undefined;
  }),
];
