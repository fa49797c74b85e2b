import type { User } from "@tollgate/accounts/users";
import type { ManageUserBody, UpdateUserBody, UserAction } from "@tollgate/contract/api/users";
import { pickLimits } from "@tollgate/contract/management/limits";
import type { UserChange } from "@tollgate/contract/records/user-record";
import { ROLE_ADMIN, ROLE_ROOT, ROLE_USER } from "@tollgate/contract/values/roles";
import { USER_DISABLED, USER_ENABLED } from "@tollgate/contract/values/statuses";
import { audit } from "../audit";
import { existing, Failure } from "../failure";
import { permissionMissing } from "../permissions";
import type { RouteContext } from "../route";
import type { Services } from "../services";
import { endAccess } from "../session";
import {
  checkDisplayName,
  checkGroups,
  checkLimits,
  checkNewUsername,
  checkPassword,
  withConflicts,
} from "../sign-in/account-rules";
import { checkPresence, isFreshlySignedIn } from "../sign-in/fresh-sign-in";
import { hashPassword } from "../sign-in/passwords";
import { endUnsafeSessions } from "../sign-in/second-factor";
import { checkAliases } from "./check-aliases";
import { describeSet, isKnownSet } from "./permission-set.routes";
import { removeUser } from "./remove-user";

/* The rules of an administrator's changes of users, which hold for one and for many at once. */

/** The call of an administrator that changes users. */
export type EditContext<Body> = Pick<
  RouteContext<"admin", Body>,
  "services" | "caller" | "body" | "request" | "permits" | "isByKey"
>;

const isNobodysRank = (role: number): boolean =>
  role !== ROLE_USER && role !== ROLE_ADMIN && role !== ROLE_ROOT;

/** @throws Failure where the target has the caller's own rank or a higher one, which only root may change. */
export const checkRank = (caller: { role: number }, target: { role: number }): void => {
  if (caller.role < ROLE_ROOT && target.role >= caller.role) throw new Failure("user-rank-change");
};

type ActionChange = Pick<UserChange, "role" | "status" | "permissionSet">;

/**
 * Refuses a management key that changes an administrator or a rank: with another password, or as another
 * administrator, its holder would have more rights than the key.
 * @throws Failure
 */
export const checkReach = ({ isByKey }: Pick<EditContext<unknown>, "isByKey">, ...roles: number[]): void => {
  if (isByKey && roles.some((role) => role !== ROLE_USER)) throw new Failure("management-key-refused");
};

/** Returns an action's changes to a user's role and status. @throws Failure when it is not allowed. */
const applyAction = (caller: User, target: User, action: UserAction): ActionChange => {
  const isRootTarget = target.role >= ROLE_ROOT;
  switch (action) {
    case "disable":
      if (isRootTarget) throw new Failure("root-cannot-disable");
      return { status: USER_DISABLED };
    case "enable":
      return { status: USER_ENABLED };
    case "delete":
      if (isRootTarget) throw new Failure("root-cannot-delete");
      return {};
    case "promote":
      if (caller.role < ROLE_ROOT) throw new Failure("promote-needs-root");
      if (target.role >= ROLE_ADMIN) throw new Failure("already-admin");
      return { role: ROLE_ADMIN };
    case "demote":
      if (isRootTarget) throw new Failure("root-cannot-demote");
      if (target.role === ROLE_USER) throw new Failure("already-user");
      return { role: ROLE_USER, permissionSet: "" };
  }
};

/** Actions that hand over no account and no right, and can be taken back. */
const REVERSIBLE: ReadonlySet<string> = new Set<UserAction>(["disable", "enable", "demote"]);

/** Whether an action on users waits for the presence of its author. */
export const isFinal = (action: string): boolean => !REVERSIBLE.has(action);

/** Rights are checked when the action runs: meanwhile the user may have been promoted or deleted. */
export const manage = async (
  context: EditContext<ManageUserBody>,
  known: User,
): Promise<{ role: number; status: number }> => {
  const { services, body, caller } = context;
  const { accounts } = services;
  const target = accounts.users.find(known.id);
  if (!target) throw new Failure("user-not-found");
  checkRank(caller, target);
  if (isFinal(body.action)) checkPresence(services, caller, context.request);
  const change = applyAction(caller, target, body.action);
  checkReach(context, target.role, change.role ?? ROLE_USER);
  const { role, status, username } = { ...target, ...change };
  if (body.action === "delete") await removeUser(services, target.id);
  else await accounts.users.change(target.id, change);
  if (body.action === "promote") await endUnsafeSessions(services);
  await audit(services, context, `user.${body.action}`, target.id, { username }, target);
  return { role, status };
};

/** @returns undefined for the role that the user has. @throws Failure where the caller may not give it. */
const readNewRole = (role: number, caller: User, target: User): number | undefined => {
  const isRoot = caller.role >= ROLE_ROOT;
  checkRank(caller, target);
  if (role === target.role) return undefined;
  if (isNobodysRank(role) || target.role >= ROLE_ROOT) throw new Failure("invalid-parameter");
  if (role >= caller.role || !isRoot) throw new Failure("user-rank-raise");
  return role;
};

/** The texts of an edit; an empty one leaves the stored one. @throws Failure */
const readTexts = (body: UpdateUserBody, target: User) => {
  const given = (text: string | undefined): string | undefined => (text === "" ? undefined : text);
  const username = given(body.username);
  const displayName = given(body.displayName);
  const password = given(body.password);
  const group = given(body.group);
  checkNewUsername(username, target.username);
  if (displayName !== undefined) checkDisplayName(displayName);
  if (password !== undefined) checkPassword(password);
  if (group !== undefined) checkGroups(group);
  return { username, displayName, password, group };
};

/**
 * The same as where users edit their own account: an access token alone takes none over.
 * @throws Failure
 */
const checkOwnAccess = (
  { services, caller, request }: EditContext<UpdateUserBody>,
  target: User,
  { username = target.username, password }: { username: string | undefined; password: string | undefined },
): void => {
  if (password === undefined && username === target.username) return;
  if (!isFreshlySignedIn(services, caller, request)) throw new Failure("current-password-needed");
};

/** The sets of permissions before and after an edit, for the audit. */
const describeChange = (services: Services, { permissionSet }: User, next: string) => ({
  permission_set_before: describeSet(services, permissionSet),
  permission_set: describeSet(services, next),
});

/** The limits and aliases of an edit; undefined leaves the stored one. @throws Failure */
const readRules = (body: UpdateUserBody, target: User) => {
  const limits = pickLimits(body);
  checkLimits(target.limits, limits);
  const modelAliases = body.modelAliases?.trim();
  checkAliases(modelAliases ?? "");
  return { limits, modelAliases };
};

/**
 * The set of permissions of an edit; undefined leaves the stored one. Users who are no longer administrators lose theirs.
 * @throws Failure unless root gives an existing set to an administrator.
 */
const readPermissionSet = (
  { services, caller, body }: EditContext<UpdateUserBody>,
  target: User,
  newRole = target.role,
): string | undefined => {
  const given = body.permissionSet ?? target.permissionSet;
  if (given !== target.permissionSet && caller.role < ROLE_ROOT)
    throw new Failure("permission-set-root-only");
  if (newRole !== ROLE_ADMIN) {
    if (given !== "" && given !== target.permissionSet) throw new Failure("permission-set-admins-only");
    return target.permissionSet === "" ? undefined : "";
  }
  if (given === target.permissionSet) return undefined;
  if (given !== "" && !isKnownSet(services, given)) throw new Failure("permission-set-unknown");
  return given;
};

/**
 * The balance before an edit that names one; undefined for another edit.
 * @throws Failure where the caller's rights do not include a change of it.
 */
const balanceBefore = async (
  { services, body, permits }: EditContext<UpdateUserBody>,
  target: User,
  quota: number | undefined,
): Promise<number | undefined> => {
  if (body.quota === undefined) return undefined;
  const before = (await services.storage.read.users.find(target.id))?.quota;
  if (quota !== undefined && quota !== before && !permits("balances", "change"))
    throw permissionMissing("balances", "change");
  return before;
};

/** Ends what a user could do before another role or another password. */
const endFormerAccess = async (
  { services, caller, request }: EditContext<UpdateUserBody>,
  changed: Parameters<Services["notices"]["accountChanged"]>[0] & { id: number },
  { newRole, password }: { newRole: number | undefined; password: string | undefined },
): Promise<void> => {
  if (newRole !== undefined) await endUnsafeSessions(services);
  if (password === undefined) return;
  await endAccess(services.accounts, changed.id, caller.id === changed.id ? request : undefined);
  services.notices.accountChanged(changed, "password");
};

/**
 * Changes a user; the quota is adjusted by the difference to the current balance.
 * @param movement why the quota changes, for the ledger and the audit, and a reference for which it is set once.
 */
export const update = async (
  context: EditContext<UpdateUserBody>,
  { reason, reference }: { reason?: string | undefined; reference?: string } = {},
): Promise<undefined> => {
  const { services, body, caller } = context;
  const { accounts } = services;
  const target = existing(accounts.users.find(body.id));
  const newRole = readNewRole(body.role || target.role, caller, target);
  checkReach(context, target.role, newRole ?? ROLE_USER);
  const texts = readTexts(body, target);
  const { username, displayName, password, group } = texts;
  const isOwn = caller.id === target.id;
  if (isOwn) checkOwnAccess(context, target, texts);
  // A form sends the quota that it showed: usage since then must not be refunded.
  const quota = body.quota === body.originalQuota ? undefined : body.quota;
  const permissionSet = readPermissionSet(context, target, newRole);
  // A person who found an open browser would hand over an account, a right or money.
  const handedOver = [isOwn ? undefined : password, newRole, quota, permissionSet];
  if (handedOver.some((given) => given !== undefined)) checkPresence(services, caller, context.request);
  const passwordHash = password === undefined ? undefined : await hashPassword(password);
  const { limits, modelAliases } = readRules(body, target);
  const before = await balanceBefore(context, target, quota);
  const edit = {
    username,
    displayName,
    group,
    role: newRole,
    passwordHash,
    quota,
    reason,
    reference,
    limits,
    modelAliases,
    permissionSet,
    actorId: caller.id,
  };
  // The names as they are before the edit: memory changes in place.
  const permissionChange = permissionSet === undefined ? {} : describeChange(services, target, permissionSet);
  const changed = await withConflicts(accounts.users.change(target.id, edit));
  await endFormerAccess(context, changed, { newRole, password });
  const newQuota = quota === before ? undefined : quota;
  const detail = {
    username,
    display_name: displayName,
    group,
    role: newRole,
    password,
    quota: newQuota,
    reason: newQuota === undefined ? undefined : reason,
    ...limits,
    model_aliases: modelAliases,
    ...permissionChange,
  };
  // A repeated movement that moves nothing is not written down again.
  if (reference === undefined || newQuota !== undefined)
    await audit(services, context, "user.update", target.id, detail, target);
  return undefined;
};
