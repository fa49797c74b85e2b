import { SOURCE_TABLES, type SourceTable } from "./source-rows";

/** Known tables with nothing to import: derived data, sums, and internals of the program. */
const PASSED_OVER = [
  "abilities",
  "authz_policies",
  "casbin_rule",
  "checkins",
  "custom_oauth_providers",
  "midjourneys",
  "models",
  "perf_metrics",
  "prefill_groups",
  "quota_data",
  "setups",
  "subscription_orders",
  "subscription_pre_consume_records",
  "system_instances",
  "system_tasks",
  "tasks",
  "two_fa_backup_codes",
  "user_oauth_bindings",
  "vendors",
];

export const isRead = (table: string): table is SourceTable => Object.hasOwn(SOURCE_TABLES, table);

export const isPassedOver = (table: string): boolean => PASSED_OVER.includes(table);
