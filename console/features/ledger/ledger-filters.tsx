import { LEDGER_ACCOUNTS, LEDGER_CAUSES } from "@tollgate/contract/records/ledger-entry";
import { useTranslation } from "react-i18next";
import { DateTimeField } from "../../components/date-time-field";
import { Field } from "../../components/field";
import { FilterForm, type SetFilter } from "../../components/filter-form";
import { Select } from "../../components/select";
import { SuggestField } from "../../components/suggest-field";
import { useFixedAddress } from "../../lib/fixed-address";
import { useSession } from "../../lib/session";
import { userSource } from "../../lib/suggestions";
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
  const cause = LEDGER_CAUSES.find((each) => each === search.cause);
  const account = LEDGER_ACCOUNTS.find((each) => each === search.account);
  const filters = [
    { name: "cause", label: t("ledger.cause"), value: cause && causeText(cause) },
    { name: "account", label: t("ledger.account"), value: account && accountText(account) },
    { name: "username", label: t("account.username"), value: search.username },
    { name: "from", label: t("ledger.from"), value: search.from },
    { name: "to", label: t("ledger.to"), value: search.to },
  ];
  const held = filters.flatMap(({ name, label, value }): SetFilter[] =>
    value === undefined || name in fixed
      ? []
      : [{ label, value, onRemove: () => choose({ [name]: undefined }) }],
  );
  return (
    <FilterForm
      held={held}
      columns="lg:grid-cols-3"
      onSubmit={submit}
      onClear={clear}
      queryLabel={t("ledger.query")}
      clearLabel={t("ledger.clear")}
    >
      <Field isInline label={t("ledger.cause")}>
        {(control) => (
          <Select
            control={control}
            value={draft.cause ?? ANY}
            groups={[
              {
                options: [
                  { value: ANY, label: t("ledger.any") },
                  ...LEDGER_CAUSES.map((each) => ({ value: each, label: causeText(each) })),
                ],
              },
            ]}
            onChange={(value) => choose({ cause: LEDGER_CAUSES.find((each) => each === value) })}
          />
        )}
      </Field>
      <Field isInline label={t("ledger.account")}>
        {(control) => (
          <Select
            control={control}
            value={draft.account ?? ANY}
            groups={[
              {
                options: [
                  { value: ANY, label: t("ledger.any") },
                  ...LEDGER_ACCOUNTS.map((each) => ({ value: each, label: accountText(each) })),
                ],
              },
            ]}
            onChange={(value) => choose({ account: LEDGER_ACCOUNTS.find((each) => each === value) })}
          />
        )}
      </Field>
      {isAdmin && !("username" in fixed) && (
        <SuggestField
          label={t("account.username")}
          source={userSource}
          value={draft.username ?? ""}
          placeholder={t("ledger.any")}
          onType={(username) => set({ username })}
          onChoose={(username) => choose({ username })}
        />
      )}
      <DateTimeField
        isInline
        className="max-wide:col-span-2"
        label={t("ledger.from")}
        value={draft.from ?? ""}
        placeholder={t("ledger.fromPlaceholder")}
        error={timeError(draft.from)}
        onChange={(from) => set({ from })}
      />
      <DateTimeField
        isInline
        className="max-wide:col-span-2"
        label={t("ledger.to")}
        value={draft.to ?? ""}
        placeholder={t("ledger.toPlaceholder")}
        error={timeError(draft.to)}
        onChange={(to) => set({ to })}
      />
    </FilterForm>
  );
};
