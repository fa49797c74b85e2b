import { randomBytes } from "node:crypto";
import type { Accounts } from "@tollgate/accounts/accounts";
import {
  changePermissionSet,
  createPermissionSet,
  deletePermissionSet,
  listPermissionSets,
  type PermissionSet,
  type PermissionSetBody,
} from "@tollgate/contract/api/permission-sets";
import {
  BUILT_IN_SETS,
  isBuiltInSet,
  MAX_PERMISSION_SETS,
  type StoredPermissionSet,
  type StoredPermissionSets,
} from "@tollgate/contract/management/permission-set";
import { audit } from "../audit";
import { existing, Failure } from "../failure";
import { implement, type Route } from "../route";
import type { Services } from "../services";

const findStored = (sets: StoredPermissionSets, id: string): StoredPermissionSet =>
  existing(Object.hasOwn(sets, id) ? sets[id] : undefined);

/** Whether a set has this id. */
export const isKnownSet = ({ options }: Pick<Services, "options">, id: string): boolean =>
  isBuiltInSet(id) || Object.hasOwn(options.permissionSets(), id);

/** A set's name for the audit; "" for none. */
export const describeSet = ({ options }: Pick<Services, "options">, id: string): string =>
  isBuiltInSet(id) || !isKnownSet({ options }, id) ? id : findStored(options.permissionSets(), id).name;

/** Numbers of users by the ids of their sets. */
const countUsers = ({ users }: Accounts): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  for (const id of users.ids()) {
    const { permissionSet = "" } = users.find(id) ?? {};
    if (permissionSet !== "") counts.set(permissionSet, (counts.get(permissionSet) ?? 0) + 1);
  }
  return counts;
};

const show = (
  services: Services,
  id: string,
  { name, permissions }: { name: string; permissions: readonly string[] },
): PermissionSet => ({
  id,
  name,
  permissions: [...permissions],
  administrators: countUsers(services.accounts).get(id) ?? 0,
});

/** @throws Failure where another set has the name. */
const checkName = (sets: StoredPermissionSets, { name }: PermissionSetBody, own?: string): void => {
  const isTaken = Object.entries(sets).some(
    ([id, other]) => id !== own && other.name.toLowerCase() === name.toLowerCase(),
  );
  if (isTaken || isBuiltInSet(name.toLowerCase())) throw new Failure("permission-set-name-taken");
};

const toStored = ({ name, permissions }: PermissionSetBody): StoredPermissionSet => ({
  name,
  permissions: [...new Set(permissions)],
});

/** Sets of permissions, which root makes and gives (docs/guides/permissions.md). */
export const permissionSetRoutes: Route[] = [
  implement(listPermissionSets, ({ services }) => [
    ...Object.entries(BUILT_IN_SETS).map(([id, permissions]) =>
      show(services, id, { name: "", permissions }),
    ),
    ...Object.entries(services.options.permissionSets()).map(([id, set]) => show(services, id, set)),
  ]),

  implement(createPermissionSet, async (context) => {
    const { services, body } = context;
    const id = randomBytes(6).toString("hex");
    await services.options.changePermissionSets((sets) => {
      if (Object.keys(sets).length >= MAX_PERMISSION_SETS)
        throw new Failure("permission-sets-too-many", { max: MAX_PERMISSION_SETS });
      checkName(sets, body);
      return { ...sets, [id]: toStored(body) };
    });
    const { name, permissions } = toStored(body);
    await audit(services, context, "permission-set.create", id, { name, permissions });
    return show(services, id, { name, permissions });
  }),

  implement(changePermissionSet, async (context) => {
    const { services, body, params } = context;
    let before: StoredPermissionSet | undefined;
    await services.options.changePermissionSets((sets) => {
      before = findStored(sets, params.set);
      checkName(sets, body, params.set);
      return { ...sets, [params.set]: toStored(body) };
    });
    const { name, permissions } = toStored(body);
    const detail = { name, permissions, name_before: before?.name, permissions_before: before?.permissions };
    await audit(services, context, "permission-set.update", params.set, detail);
    return show(services, params.set, { name, permissions });
  }),

  implement(deletePermissionSet, async (context) => {
    const { services, params } = context;
    let removed: StoredPermissionSet | undefined;
    await services.options.changePermissionSets((sets) => {
      removed = findStored(sets, params.set);
      const count = countUsers(services.accounts).get(params.set) ?? 0;
      if (count > 0) throw new Failure("permission-set-in-use", { count });
      return Object.fromEntries(Object.entries(sets).filter(([id]) => id !== params.set));
    });
    await audit(services, context, "permission-set.delete", params.set, { ...removed });
    return undefined;
  }),
];
