import type { KeyedMutex } from "@tollgate/accounts/keyed-mutex";
import type { User } from "@tollgate/accounts/users";
import { changeUsers, type UsersAction, type UsersBody } from "@tollgate/contract/api/user-batches";
import { updateUserBodySchema } from "@tollgate/contract/api/users";
import { StorageConflict } from "@tollgate/storage/errors";
import { audit } from "../audit";
import { checkChange, runBatch } from "../batch";
import { Failure } from "../failure";
import { permissionMissing } from "../permissions";
import { implement, type Route } from "../route";
import { checkFavour, checkGroups, withConflicts } from "../sign-in/account-rules";
import { checkPresence } from "../sign-in/fresh-sign-in";
import { checkAliases } from "./check-aliases";
import { checkRank, type EditContext, isFinal, manage, update } from "./user-edits";

type QuotaAction = Extract<UsersAction, `${string}-quota`>;

const isQuotaAction = (action: UsersAction): action is QuotaAction => action.endsWith("-quota");

/** Refuses a change that would be the same mistake in each user. @throws Failure */
const checkBody = ({ action, change, quota, reason = "", operation }: UsersBody): void => {
  if (action === "edit") {
    const { group = "", modelAliases, ...limits } = change ?? {};
    const isEmpty = Object.values(limits).every((value) => value === undefined);
    if (group === "" && modelAliases === undefined && isEmpty)
      throw new Failure("invalid-parameter").at("change");
    checkChange(() => {
      checkGroups(group);
      checkAliases(modelAliases ?? "");
    });
  }
  if (!isQuotaAction(action)) return;
  // No quota is added or taken by 0, but a balance may be set to it.
  if (quota === undefined || (quota === 0 && action !== "set-quota"))
    throw new Failure("invalid-parameter").at("quota");
  if (reason === "") throw new Failure("invalid-parameter").at("reason");
  if (operation === undefined) throw new Failure("invalid-parameter").at("operation");
};

/** The reference by which a movement is booked once. */
const referenceOf = ({ caller, body: { operation = "" } }: EditContext<UsersBody>, target: { id: number }) =>
  `${caller.id}-${operation}/${target.id}`;

/** Sets a user's balance, once for each operation: usage since then must not be refunded. @throws Failure */
const setQuota = async (context: EditContext<UsersBody>, target: User): Promise<void> => {
  const { quota, reason } = context.body;
  const body = updateUserBodySchema.parse({ id: target.id, quota });
  try {
    await update({ ...context, body }, { reason, reference: referenceOf(context, target) });
  } catch (error) {
    if (!(error instanceof StorageConflict && error.kind === "booked-before")) throw error;
  }
};

/** Adds to a user's balance or takes from it, once for each operation. @throws Failure */
const moveQuota = async (context: EditContext<UsersBody>, target: User, isGift: boolean): Promise<void> => {
  const { services, caller, body } = context;
  const { users } = services.accounts;
  const { quota = 0, reason = "" } = body;
  checkRank(caller, target);
  // Before the nodes are asked to give back what they lease.
  checkFavour(caller, target);
  const movement = {
    cause: "quota-changed",
    reference: referenceOf(context, target),
    actorId: caller.id,
    at: services.now(),
    reason,
  } as const;
  const moved = isGift
    ? await withConflicts(users.grant(target.id, quota, movement))
    : -(await withConflicts(users.take(target.id, quota, movement)));
  // Booked before, and audited then; or nothing was there to take.
  if (moved === 0) return;
  await audit(services, context, "user.update", target.id, { quota_moved: moved, reason }, target);
};

const changeOne = async (context: EditContext<UsersBody>, id: number): Promise<unknown> => {
  const { services, body } = context;
  const target = services.accounts.users.find(id);
  if (!target) throw new Failure("user-not-found");
  switch (body.action) {
    case "edit":
      return update({ ...context, body: { ...updateUserBodySchema.parse({ id }), ...body.change } });
    case "set-quota":
      return setQuota(context, target);
    case "add-quota":
      return moveQuota(context, target, true);
    case "take-quota":
      return moveQuota(context, target, false);
    default:
      return manage({ ...context, body: { username: target.username, action: body.action } }, target);
  }
};

/** Many users at once. @param turns the running changes of each user. */
export const userBatchRoute = (turns: KeyedMutex<number>): Route =>
  implement(changeUsers, (context) => {
    const { services, caller, body, request, formatMessage } = context;
    checkBody(body);
    if (body.action !== "edit" && isFinal(body.action)) checkPresence(services, caller, request);
    if (isQuotaAction(body.action) && !context.permits("balances", "change"))
      throw permissionMissing("balances", "change");
    const tools = {
      nameOf: (id: number) => services.accounts.users.find(id)?.username ?? "",
      formatFailure: ({ key, params }: Failure) => formatMessage(key, params),
    };
    return runBatch(body.ids, tools, (id) => turns.run(id, () => changeOne(context, id)));
  });
