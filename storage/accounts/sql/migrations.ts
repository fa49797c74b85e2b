import { PERMISSION_SET_SINCE } from "@tollgate/contract/management/permission-set";
import { withAddedColumns } from "./added-columns";
import { ACCOUNTS_SCHEMA } from "./schema/accounts-schema";
import { ANNOUNCEMENTS } from "./schema/announcements";
import { BUDGET_WINDOWS } from "./schema/budget-windows";
import { watchColumns } from "./schema/change-triggers";
import { DONE_OPERATIONS } from "./schema/done-operations";
import { INVOICES } from "./schema/invoices";
import { KEY_NETWORKS } from "./schema/key-networks";
import { MANAGEMENT_KEYS } from "./schema/management-keys";
import { PASSKEYS } from "./schema/passkeys";
import { PROMOTIONS } from "./schema/promotions";
import { REQUEST_REFUNDS } from "./schema/request-refunds";
import { SIGN_IN_PROVIDERS } from "./schema/sign-in-providers";
import { AUDIT_OF_PERSON } from "./schema/site";
import { TERMS } from "./schema/terms";
import { TICKETS } from "./schema/tickets";
import { FOLDED_EMAILS, FORMER_IDENTITIES, FORMER_IDENTITIES_SINCE, SECOND_FACTORS } from "./schema/users";

/**
 * Migrations of the accounts on both engines. The first one is named after the last of those it replaced. Each also adds the
 * columns that name it.
 */
export const ACCOUNTS_PARTS = withAddedColumns({
  "0019-settled-refunds": ACCOUNTS_SCHEMA,
  "0022-former-keys": [
    { postgres: watchColumns("tokens", "former_key", ["former_key_hash", "former_until"]) },
  ],
  "0023-announcements": [ANNOUNCEMENTS],
  "0024-invoices": [INVOICES],
  "0025-request-refunds": [REQUEST_REFUNDS],
  "0026-budget-windows": [BUDGET_WINDOWS],
  "0028-key-changes": [AUDIT_OF_PERSON],
  "0030-promotions": [PROMOTIONS],
  "0031-key-networks": [KEY_NETWORKS],
  "0032-tickets": [TICKETS],
  [FORMER_IDENTITIES_SINCE]: [FORMER_IDENTITIES],
  "0034-done-operations": [DONE_OPERATIONS],
  "0035-session-use": [],
  "0036-folded-emails": [FOLDED_EMAILS],
  "0037-second-factors": [SECOND_FACTORS],
  "0038-passkeys": [PASSKEYS],
  "0039-sign-in-providers": [SIGN_IN_PROVIDERS],
  [PERMISSION_SET_SINCE]: [],
  "0041-management-keys": [MANAGEMENT_KEYS],
  "0042-terms": [TERMS],
});
