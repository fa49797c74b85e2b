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

/** What shall answer, and what usually does; "" and an empty list for nothing. */
interface Choice {
  readonly model: string;
  readonly group: string;
  readonly usualGroup: string;
  readonly models: readonly string[];
  readonly autoGroups: readonly string[];
}

const choiceAfter = (edit: Partial<Edit>, before: Partial<BudgetFields> = {}): Choice => ({
  model: edit.budgetModel ?? before.budgetModel ?? "",
  group: edit.budgetGroup ?? before.budgetGroup ?? "",
  usualGroup: edit.group ?? before.group ?? "",
  models: edit.models ?? before.models ?? [],
  autoGroups: edit.autoGroups ?? before.autoGroups ?? [],
});

/** Refuses a choice that is what answers before as well. */
const checkOther = ({ model, group, usualGroup, models }: Choice, groups: readonly string[]): void => {
  const usual = usualGroup === "" && groups.length === 1 ? groups[0] : usualGroup;
  if (group !== "" && group !== usual) return;
  if (model === "") throw new Failure("budget-choice-itself").at("budget_group");
  if (models.length === 1 && models[0] === model)
    throw new Failure("budget-choice-itself").at("budget_model");
};

const checkGroup = (
  groupAccess: Services["groupAccess"],
  groups: readonly string[],
  { group }: Choice,
): void => {
  // "auto" would name no price in advance.
  if (group === AUTO_GROUP || !groupAccess.usableBy(groups).has(group))
    throw new Failure("token-group-not-allowed", { group }).at("budget_group");
};

/** Refuses a model that no channel offers in the groups by which it would be asked. */
const checkOffered = (
  { groupAccess, channels }: Pick<Services, "groupAccess" | "channels">,
  groups: readonly string[],
  { model, group, usualGroup, autoGroups }: Choice,
): void => {
  const serving = groupAccess.groupsOf({
    user: { groups },
    group: group || usualGroup || undefined,
    autoGroups: autoGroups.length > 0 ? autoGroups : undefined,
  });
  if (!serving.some((each) => channels.isListed(each, model)))
    throw new Failure("budget-model-unknown", { model: cutText(model) });
};

/** Refuses hard budgets without extra quota, because nothing could be spent once one of them is used up. */
const checkExtra = (limits: Limits): void => {
  const isHard = (limits.softBudgets ?? 0) === 0;
  const hasBudget = budgetsOf(limits).some(({ limit, max }) => limit !== "rpd" && max > 0);
  if (hasBudget && isHard && (limits.extraQuota ?? 0) === 0) throw new Failure("budget-extra-missing");
};

/**
 * Checks what shall answer once a budget is used up: a model that the key may use, and a group that its user may use,
 * of which one at least is another than before. One step only: what answers then has no further choice. A choice that
 * stays as it is may have become useless, because clients send whole keys.
 * @param before the key; undefined for a new one. @throws Failure
 */
export const checkAtBudget = (
  services: Pick<Services, "groupAccess" | "channels">,
  { groups }: { readonly groups: readonly string[] },
  edit: Edit,
  before: BudgetFields | undefined,
): void => {
  const chosen = choiceAfter(edit, before);
  const former = choiceAfter({}, before);
  const { model, group, usualGroup, models } = chosen;
  if (model === "" && group === "") return;
  if (group !== "" && group !== former.group) checkGroup(services.groupAccess, groups, chosen);
  checkOther(chosen, groups);
  if (model !== "" && models.length > 0 && !models.includes(model))
    throw new Failure("budget-model-not-allowed", { model: cutText(model) });
  const goesElsewhere = (group || usualGroup) !== (former.group || former.usualGroup);
  if (model !== "" && (model !== former.model || goesElsewhere)) checkOffered(services, groups, chosen);
  checkExtra(editedLimits(before?.limits, edit.limits));
};
