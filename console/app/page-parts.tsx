import { type ComponentType, lazy, type ReactNode } from "react";
import { FixedAddress } from "../lib/fixed-address";
import { loadTexts, type TextArea } from "../lib/i18n";

/** Another feature's component as a part of a page, loaded with its texts. */
export const part = <Props extends object>(load: () => Promise<ComponentType<Props>>, ...areas: TextArea[]) =>
  lazy(async () => {
    const [piece] = await Promise.all([load(), loadTexts(areas)]);
    return { default: piece };
  });

export const Log = part(async () => (await import("./log-page")).LogPage, "logs", "usage");
export const Profit = part(
  async () => (await import("../features/profit/profit-page")).ProfitPage,
  "profit",
  "usage",
);
export const Ledger = part(
  async () => (await import("../features/ledger/ledger-list-page")).LedgerListPage,
  "ledger",
);
export const Audit = part(async () => (await import("../features/audit/audit-page")).AuditPage, "audit");

export const KeyChanges = part(
  async () => (await import("../features/audit/key-changes")).KeyChanges,
  "audit",
);

/** A list as a part of a record's page: its fixed filters are not in the address and cannot be changed. */
export const below = (fixed: Readonly<Record<string, unknown>>, content: ReactNode): ReactNode => (
  <FixedAddress value={fixed}>{content}</FixedAddress>
);
