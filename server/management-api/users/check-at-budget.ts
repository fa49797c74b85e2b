import type { ApiKey } from "@tollgate/contract/api/api-keys";
import { editedLimits, type Limits } from "@tollgate/contract/management/limits";
import { AUTO_GROUP } from "@tollgate/contract/values/auto-group";
import { budgetsOf } from "@tollgate/relay/limits/budgets";
import { cutText } from "../../locales/format-request-fault";
import { Failure } from "../failure";
import type { Services } from "../services";

/** The fields of a key that decide what answers at a used up budget. */
export type BudgetFields = Pick<
  ApiKey,
  "group" | "autoGroups" | "models" | "budgetModel" | "budgetGroup" | "limits"
>;

/** An edit of them; absent fields stay. */
type Edit = Omit<BudgetFields, "limits"> & { limits: Limits };

const checkGroup = (
  { groupAccess }: Pick<Services, "groupAccess">,
  groups: readonly string[],
  group: string,
): void => {
  // "auto" would name no price in advance.
  if (group === AUTO_GROUP || !groupAccess.usableBy(groups).has(group))
    throw new Failure("token-group-not-allowed", { group }).at("budget_group");
};

/** Refuses hard budgets without extra quota, because nothing could be spent once one of them is used up. */
const checkExtra = (limits: Limits): void => {
  const isHard = (limits.softBudgets ?? 0) === 0;
  const hasBudget = budgetsOf(limits).some(({ limit, max }) => limit !== "rpd" && max > 0);
  if (hasBudget && isHard && (limits.extraQuota ?? 0) === 0) throw new Failure("budget-extra-missing");
};

/**
 * Checks what shall answer once a budget is used up: a model that the key may use, and a group that its user may use,
 * of which one at least is another than before. One step only: what answers then has no further choice.
 * @param before the key; undefined for a new one. @throws Failure
 */
export const checkAtBudget = (
  { groupAccess, channels }: Pick<Services, "groupAccess" | "channels">,
  { groups }: { readonly groups: readonly string[] },
  edit: Edit,
  before: BudgetFields | undefined,
): void => {
  const model = edit.budgetModel ?? before?.budgetModel ?? "";
  const group = edit.budgetGroup ?? before?.budgetGroup ?? "";
  const usual = edit.group ?? before?.group ?? "";
  const models = edit.models ?? before?.models ?? [];
  if (model === "" && group === "") return;
  if (group !== "" && group !== before?.budgetGroup) checkGroup({ groupAccess }, groups, group);
  const isItself = group === "" || group === usual;
  if (isItself && (model === "" || (models.length === 1 && models[0] === model)))
    throw new Failure("budget-choice-itself").at(model === "" ? "budget_group" : "budget_model");
  if (model !== "" && models.length > 0 && !models.includes(model))
    throw new Failure("budget-model-not-allowed", { model: cutText(model) });
  if (model !== "" && (model !== before?.budgetModel || group !== before.budgetGroup)) {
    const autoGroups = edit.autoGroups ?? before?.autoGroups;
    const ofKey = { user: { groups }, group: group || usual || undefined, autoGroups };
    const serving = groupAccess.groupsOf(
      autoGroups?.length === 0 ? { ...ofKey, autoGroups: undefined } : ofKey,
    );
    if (!serving.some((each) => channels.isListed(each, model)))
      throw new Failure("budget-model-unknown", { model: cutText(model) });
  }
  checkExtra(editedLimits(before?.limits, edit.limits));
};
