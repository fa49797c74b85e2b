import {
  changePlan,
  createPlan,
  deletePlan,
  type Plan,
  plan as planFormat,
} from "@tollgate/contract/api/plans";
import { LIMITS } from "@tollgate/contract/management/limits";
import { requestOf } from "@tollgate/contract/resource/endpoint";
import { toNamedLimits } from "@tollgate/contract/resource/limits";
import { checkPlan, NEW_PLAN } from "@tollgate/server/management-api/money/plan-rules";
import type { FilePlan } from "./configuration";
import { explain, type FieldChange, type PlannedChange, type Sides } from "./planned-change";
import { PLAN_FIELDS } from "./read-file";

/** A plan as a file has it. */
export const toFilePlan = (plan: Plan): FilePlan => {
  const { id: _, created_time: _time, is_enabled: enabled, ...fields } = planFormat.encode(plan);
  return { ...fields, ...toNamedLimits(LIMITS, plan.limits), enabled };
};

/** The fields of a plan besides its name. */
const FIELDS = PLAN_FIELDS.filter((field) => field !== "title");

const bodyOf = ({ enabled, ...fields }: FilePlan) => ({ ...fields, is_enabled: enabled });

/** Returns the changes of the plans on sale. Existing subscriptions keep their terms, also when the plan is removed. */
export const findPlanChanges = ({ file, current, prune }: Sides): PlannedChange[] => {
  const { plans: wanted } = file.configuration;
  if (!wanted) return [];
  const rest = [...current.plans];
  const countOf = (plans: readonly { title: string }[], name: string): number =>
    plans.filter(({ title }) => title === name).length;
  const changes = wanted.flatMap((plan, index): PlannedChange[] => {
    const path = ["plans", index];
    const { title: name } = plan;
    // Plans of the same title are paired in their order, as long as there are as many of them on both sides.
    const count = countOf(wanted, name);
    if (count > 1 && count !== countOf(current.plans, name))
      file.refuse([...path, "title"], `the plan ${JSON.stringify(name)} stands there twice`);
    const body = bodyOf(plan);
    try {
      checkPlan(planFormat.read(body) ?? NEW_PLAN);
    } catch (error) {
      file.refuse(path, explain(error));
    }
    const at = rest.findIndex(({ title }) => title === name);
    const [found] = at < 0 ? [] : rest.splice(at, 1);
    const was: Partial<FilePlan> = found ? toFilePlan(found) : {};
    const fields = FIELDS.filter((field) => was[field] !== plan[field]).map(
      (field): FieldChange => ({ field, before: was[field], after: plan[field] }),
    );
    if (found && fields.length === 0) return [];
    return [
      found
        ? {
            sign: "~",
            what: "plan",
            name,
            fields,
            call: requestOf(changePlan, { params: { id: found.id }, body }),
          }
        : { sign: "+", what: "plan", name, fields, call: requestOf(createPlan, { body }) },
    ];
  });
  if (!prune) return changes;
  return [
    ...changes,
    ...rest.map(
      ({ id, title }): PlannedChange => ({
        sign: "-",
        what: "plan",
        name: title,
        fields: [],
        call: requestOf(deletePlan, { params: { id } }),
      }),
    ),
  ];
};
