import { COST_UNITS } from "@tollgate/contract/values/quota";
import { measureOf } from "../../lib/usage/usage-metric";

/** Quota, as the site shows it. */
export const formatRevenue = (quota: number): string => measureOf("quota").format(quota);

/** A cost or a profit in thousandths of quota, as the site shows quota. */
export const formatThousandths = (thousandths: number): string =>
  measureOf("quota").format(Math.round(thousandths) / COST_UNITS);
