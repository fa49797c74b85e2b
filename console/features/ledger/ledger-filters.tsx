import { LEDGER_ACCOUNTS, LEDGER_CAUSES } from "@tollgate/contract/records/ledger-entry";
import { useTranslation } from "react-i18next";
import { FilterForm } from "../../components/filter-form";
import { SPAN_FIELDS } from "../../components/filter-input";
import { useSession } from "../../lib/session";
import { userSource } from "../../lib/suggestions";
import { useLedgerTexts } from "../../lib/use-ledger-texts";
import { type LedgerSearch, NO_FILTER } from "./ledger-search";

interface LedgerFiltersProps {
  search: LedgerSearch;
  onFilter: (filter: LedgerSearch) => void;
}

/** The filters of the ledger. */
export const LedgerFilters = ({ search, onFilter }: LedgerFiltersProps) => {
  const { t } = useTranslation();
  const { causeText, accountText } = useLedgerTexts();
  const { isAdmin } = useSession("balances");
  return (
    <FilterForm
      search={search}
      none={NO_FILTER}
      onFilter={onFilter}
      fields={[
        {
          kind: "choice",
          name: "cause",
          label: t("ledger.cause"),
          options: LEDGER_CAUSES.map((value) => ({ value, label: causeText(value) })),
        },
        {
          kind: "choice",
          name: "account",
          label: t("ledger.account"),
          options: LEDGER_ACCOUNTS.map((value) => ({ value, label: accountText(value) })),
        },
        ...(isAdmin
          ? [{ kind: "record", name: "username", label: t("account.username"), source: userSource } as const]
          : []),
        ...SPAN_FIELDS,
      ]}
    />
  );
};
