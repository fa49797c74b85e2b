import { AUDIT_SUBJECTS } from "@tollgate/contract/records/audit-record";
import { useTranslation } from "react-i18next";
import { DateTimeField } from "../../components/date-time-field";
import { Field } from "../../components/field";
import { FilterForm, type SetFilter } from "../../components/filter-form";
import { Select } from "../../components/select";
import { SuggestField } from "../../components/suggest-field";
import { TextField } from "../../components/text-field";
import { useFixedAddress } from "../../lib/fixed-address";
import { userSource } from "../../lib/suggestions";
import { useFilterDraft } from "../../lib/use-filter-draft";
import { type AuditSearch, NO_FILTER } from "./audit-search";
import { actionsOn, useAuditTexts } from "./use-audit-texts";

/** What stands for no choice in a list of choices. */
const ANY = "";

/** What the audit is narrowed by: an action at once, what is typed when it is submitted. */
export const AuditFilters = ({
  search,
  onFilter,
}: {
  search: AuditSearch;
  onFilter: (filter: AuditSearch) => void;
}) => {
  const { t } = useTranslation();
  const fixed = useFixedAddress() ?? {};
  const { actionText, subjectText } = useAuditTexts();
  const { draft, set, choose, submit, clear, isUnfit } = useFilterDraft(search, NO_FILTER, onFilter);
  const timeError = (text: string | undefined) => (isUnfit(text) ? t("audit.timeInvalid") : undefined);
  const groups = AUDIT_SUBJECTS.map((subject) => ({
    label: subjectText(subject),
    options: [
      { value: subject as string, label: t("audit.allOf", { subject: subjectText(subject) }) },
      ...actionsOn(subject).map((action) => ({ value: action, label: actionText(action) })),
    ],
  }));
  const actionLabel =
    groups.flatMap(({ options }) => options).find(({ value }) => value === search.action)?.label ??
    search.action;
  const filters = [
    { name: "action", label: t("audit.action"), value: actionLabel },
    { name: "target", label: t("audit.target"), value: search.target },
    { name: "username", label: t("audit.by"), value: search.username },
    { name: "beneficiary", label: t("audit.beneficiary"), value: search.beneficiary },
    { name: "from", label: t("audit.from"), value: search.from },
    { name: "to", label: t("audit.to"), value: search.to },
  ];
  const held = filters.flatMap(({ name, label, value }): SetFilter[] =>
    value === undefined || name in fixed
      ? []
      : [{ label, value, onRemove: () => choose({ [name]: undefined }) }],
  );
  const user = (name: "username" | "beneficiary", label: string) => (
    <SuggestField
      label={label}
      source={userSource}
      value={draft[name] ?? ""}
      placeholder={t("audit.any")}
      onType={(text) => set({ [name]: text })}
      onChoose={(value) => choose({ [name]: value })}
    />
  );
  return (
    <FilterForm
      held={held}
      columns="lg:grid-cols-4"
      onSubmit={submit}
      onClear={clear}
      queryLabel={t("audit.query")}
      clearLabel={t("audit.clear")}
    >
      {!("action" in fixed) && (
        <Field isInline label={t("audit.action")}>
          {(control) => (
            <Select
              control={control}
              value={draft.action ?? ANY}
              groups={[{ options: [{ value: ANY, label: t("audit.any") }] }, ...groups]}
              onChange={(value) => choose({ action: value === ANY ? undefined : value })}
            />
          )}
        </Field>
      )}
      {!("target" in fixed) && (
        <TextField
          isInline
          label={t("audit.target")}
          value={draft.target ?? ""}
          placeholder={t("audit.any")}
          autoComplete="off"
          onChange={(event) => set({ target: event.target.value })}
        />
      )}
      {user("username", t("audit.by"))}
      {!("beneficiary" in fixed) && user("beneficiary", t("audit.beneficiary"))}
      <DateTimeField
        isInline
        className="max-wide:col-span-2"
        label={t("audit.from")}
        value={draft.from ?? ""}
        placeholder={t("audit.fromPlaceholder")}
        error={timeError(draft.from)}
        onChange={(from) => set({ from })}
      />
      <DateTimeField
        isInline
        className="max-wide:col-span-2"
        label={t("audit.to")}
        value={draft.to ?? ""}
        placeholder={t("audit.toPlaceholder")}
        error={timeError(draft.to)}
        onChange={(to) => set({ to })}
      />
    </FilterForm>
  );
};
