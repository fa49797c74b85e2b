import type { User } from "@tollgate/accounts/users";
import type { OwnUser, User as StoredUser } from "@tollgate/contract/api/user";
import type {
  PermissionArea,
  PermissionKind,
  Permissions,
} from "@tollgate/contract/management/permission-areas";
import { permissionsOfSet } from "@tollgate/contract/management/permission-set";
import { isRoot } from "@tollgate/contract/values/roles";
import { Failure } from "./failure";
import type { Services } from "./services";

/** The rights of a user's set, as of this moment; undefined for all that the role gives. */
export const permissionsOf = (
  { options }: Pick<Services, "options">,
  { role, permissionSet }: Pick<User, "role" | "permissionSet">,
): Permissions =>
  isRoot(role) || permissionSet === ""
    ? undefined
    : permissionsOfSet(permissionSet, options.permissionSets());

/** The refusal of a call whose right the caller's set does not include. */
export const permissionMissing = (area: PermissionArea | undefined, kind: PermissionKind): Failure =>
  new Failure("permission-missing", { permission: `${area ?? ""}:${kind}` });

/** A user as it is shown to itself: with the rights of its set. */
export const withPermissions = <Shown extends StoredUser>(
  services: Pick<Services, "options">,
  user: Shown,
): Shown & OwnUser => {
  const { role, permissionSet = "" } = user;
  const permissions = permissionsOf(services, { role, permissionSet });
  return permissions ? { ...user, permissions: [...permissions].join(",") } : user;
};
