import type { Selectable } from "kysely";
import type { RowsOf } from "../../sql/schema-part";
import type { ANNOUNCEMENTS } from "./schema/announcements";
import type { API_KEYS } from "./schema/api-keys";
import type { BUDGET_WINDOWS } from "./schema/budget-windows";
import type { CHANNELS } from "./schema/channels";
import type { COMMISSIONS } from "./schema/commissions";
import type { DONE_OPERATIONS } from "./schema/done-operations";
import type { INVOICES } from "./schema/invoices";
import type { KEY_NETWORKS } from "./schema/key-networks";
import type { LEDGER } from "./schema/ledger";
import type { MANAGEMENT_KEYS } from "./schema/management-keys";
import type { NOTICES } from "./schema/notices";
import type { ORDERS } from "./schema/orders";
import type { OUTBOX } from "./schema/outbox";
import type { PASSKEYS } from "./schema/passkeys";
import type { PLANS } from "./schema/plans";
import type { PROMOTIONS } from "./schema/promotions";
import type { REDEMPTIONS } from "./schema/redemptions";
import type { REQUEST_REFUNDS } from "./schema/request-refunds";
import type { SIGN_IN_PROVIDERS } from "./schema/sign-in-providers";
import type { SITE } from "./schema/site";
import type { TERMS } from "./schema/terms";
import type { TICKETS } from "./schema/tickets";
import type { FORMER_IDENTITIES, SECOND_FACTORS, USERS } from "./schema/users";

/** The tables as they stand after all migrations. Column names are the contract's where it has them. */
export interface Tables
  extends RowsOf<typeof USERS>,
    RowsOf<typeof MANAGEMENT_KEYS>,
    RowsOf<typeof FORMER_IDENTITIES>,
    RowsOf<typeof SECOND_FACTORS>,
    RowsOf<typeof PASSKEYS>,
    RowsOf<typeof SIGN_IN_PROVIDERS>,
    RowsOf<typeof API_KEYS>,
    RowsOf<typeof CHANNELS>,
    RowsOf<typeof SITE>,
    RowsOf<typeof OUTBOX>,
    RowsOf<typeof REDEMPTIONS>,
    RowsOf<typeof COMMISSIONS>,
    RowsOf<typeof NOTICES>,
    RowsOf<typeof LEDGER>,
    RowsOf<typeof ORDERS>,
    RowsOf<typeof PLANS>,
    RowsOf<typeof PROMOTIONS>,
    RowsOf<typeof INVOICES>,
    RowsOf<typeof ANNOUNCEMENTS>,
    RowsOf<typeof BUDGET_WINDOWS>,
    RowsOf<typeof DONE_OPERATIONS>,
    RowsOf<typeof KEY_NETWORKS>,
    RowsOf<typeof REQUEST_REFUNDS>,
    RowsOf<typeof TERMS>,
    RowsOf<typeof TICKETS> {}

/** A row of a table, as a query returns it. */
export type Row<Table extends keyof Tables> = Selectable<Tables[Table]>;
