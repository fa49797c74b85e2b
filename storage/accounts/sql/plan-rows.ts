import {
  PLAN_BEYONDS,
  PLAN_RESETS,
  PLAN_TIMES,
  type Plan,
  SUBSCRIPTION_ENDS,
  SUBSCRIPTION_SOURCES,
  SUBSCRIPTION_STATES,
  type Subscription,
} from "@tollgate/contract/api/plans";
import { parseLimits } from "@tollgate/contract/management/limits";
import { fieldsOf } from "../../sql/row-names";
import type { Row } from "./tables";

export type SubscriptionRow = Row<"subscriptions">;
export type PeriodRow = Row<"plan_periods">;

/** Reads a stored value as one that the contract names; an older program's unknown value becomes the first. */
export const oneOf = <Value extends string>(values: readonly [Value, ...Value[]], value: string): Value =>
  values.find((each) => each === value) ?? values[0];

/** The values of a plan, or of a subscription, that are not the columns' own. */
const readTerms = (row: Pick<SubscriptionRow, "duration_unit" | "reset" | "beyond" | "limits">) => ({
  durationUnit: oneOf(PLAN_TIMES, row.duration_unit),
  reset: oneOf(PLAN_RESETS, row.reset),
  beyond: oneOf(PLAN_BEYONDS, row.beyond),
  limits: parseLimits(row.limits),
});

/** A plan as it is stored. */
export const toPlan = ({ saved_by, ...row }: Row<"plans">): Plan => ({
  ...fieldsOf(row),
  ...readTerms(row),
  isEnabled: row.is_enabled === 1,
});

/** A subscription with its newest period. @param parked quota that its user has put aside. */
export const toSubscription = (
  { reference, follows, is_told, ...row }: SubscriptionRow,
  period: Pick<PeriodRow, "number" | "starts_at" | "ends_at" | "granted" | "unspent" | "spent"> | undefined,
  parked = 0,
): Subscription => ({
  ...fieldsOf(row),
  ...readTerms(row),
  state: oneOf(SUBSCRIPTION_STATES, row.state),
  source: oneOf(SUBSCRIPTION_SOURCES, row.source),
  endReason: oneOf(SUBSCRIPTION_ENDS, row.end_reason),
  renews: row.renews === 1,
  period: period?.number ?? 0,
  periodStartsAt: period?.starts_at ?? 0,
  periodEndsAt: period?.ends_at ?? 0,
  granted: period?.granted ?? 0,
  left: period?.unspent ?? 0,
  spent: period?.spent ?? 0,
  parked,
});
