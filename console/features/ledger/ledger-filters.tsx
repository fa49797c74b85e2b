import { LEDGER_ACCOUNTS, LEDGER_CAUSES } from "@tollgate/contract/records/ledger-entry";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button";
import { DateTimeField } from "../../components/date-time-field";
import { Field } from "../../components/field";
import { Select } from "../../components/select";
import { TextField } from "../../components/text-field";
import { useFixedAddress } from "../../lib/fixed-address";
import { useSession } from "../../lib/session";
import { useFilterDraft } from "../../lib/use-filter-draft";
import { useLedgerTexts } from "../../lib/use-ledger-texts";
import { type LedgerSearch, NO_FILTER } from "./ledger-search";

interface LedgerFiltersProps {
  search: LedgerSearch;
  onFilter: (filter: LedgerSearch) => void;
}

/** What stands for no choice in a list of choices. */
const ANY = "";

/** What the ledger is narrowed by: a choice at once, what is typed when it is submitted. */
export const LedgerFilters = ({ search, onFilter }: LedgerFiltersProps) => {
  const { t } = useTranslation();
  const { causeText, accountText } = useLedgerTexts();
  const { isAdmin } = useSession();
  const fixed = useFixedAddress() ?? {};
  const { draft, set, choose, submit, clear, isUnfit } = useFilterDraft(search, NO_FILTER, onFilter);
  const timeError = (text: string | undefined) => (isUnfit(text) ? t("ledger.timeInvalid") : undefined);
  return (
    <form
      className="grid grid-cols-2 items-start gap-3 rounded-lg border border-line bg-surface p-4 lg:grid-cols-6"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Field label={t("ledger.cause")}>
        {(control) => (
          <Select
            control={control}
            value={draft.cause ?? ANY}
            groups={[
              {
                options: [
                  { value: ANY, label: t("ledger.any") },
                  ...LEDGER_CAUSES.map((cause) => ({ value: cause, label: causeText(cause) })),
                ],
              },
            ]}
            onChange={(value) => choose({ cause: LEDGER_CAUSES.find((cause) => cause === value) })}
          />
        )}
      </Field>
      <Field label={t("ledger.account")}>
        {(control) => (
          <Select
            control={control}
            value={draft.account ?? ANY}
            groups={[
              {
                options: [
                  { value: ANY, label: t("ledger.any") },
                  ...LEDGER_ACCOUNTS.map((account) => ({ value: account, label: accountText(account) })),
                ],
              },
            ]}
            onChange={(value) => choose({ account: LEDGER_ACCOUNTS.find((account) => account === value) })}
          />
        )}
      </Field>
      {isAdmin && !("username" in fixed) && (
        <TextField
          label={t("account.username")}
          value={draft.username ?? ""}
          placeholder={t("ledger.any")}
          autoComplete="off"
          onChange={(event) => set({ username: event.target.value })}
        />
      )}
      <DateTimeField
        label={t("ledger.from")}
        value={draft.from ?? ""}
        placeholder={t("ledger.fromPlaceholder")}
        error={timeError(draft.from)}
        onChange={(from) => set({ from })}
      />
      <DateTimeField
        label={t("ledger.to")}
        value={draft.to ?? ""}
        placeholder={t("ledger.toPlaceholder")}
        error={timeError(draft.to)}
        onChange={(to) => set({ to })}
      />
      <div className="flex gap-2 self-end">
        <Button type="submit" variant="primary" className="flex-1 lg:flex-none">
          {t("ledger.query")}
        </Button>
        <Button onClick={clear}>{t("ledger.clear")}</Button>
      </div>
    </form>
  );
};
