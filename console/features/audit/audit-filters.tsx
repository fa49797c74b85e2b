import { AUDIT_SUBJECTS } from "@tollgate/contract/records/audit-record";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button";
import { DateTimeField } from "../../components/date-time-field";
import { Field } from "../../components/field";
import { Select } from "../../components/select";
import { TextField } from "../../components/text-field";
import { useFixedAddress } from "../../lib/fixed-address";
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
  return (
    <form
      className="grid grid-cols-2 items-start gap-3 rounded-lg border border-line bg-surface p-4 lg:grid-cols-7"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      {!("action" in fixed) && (
        <Field label={t("audit.action")}>
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
          label={t("audit.target")}
          value={draft.target ?? ""}
          placeholder={t("audit.any")}
          autoComplete="off"
          onChange={(event) => set({ target: event.target.value })}
        />
      )}
      <TextField
        label={t("audit.by")}
        value={draft.username ?? ""}
        placeholder={t("audit.any")}
        autoComplete="off"
        onChange={(event) => set({ username: event.target.value })}
      />
      {!("beneficiary" in fixed) && (
        <TextField
          label={t("audit.beneficiary")}
          value={draft.beneficiary ?? ""}
          placeholder={t("audit.any")}
          autoComplete="off"
          onChange={(event) => set({ beneficiary: event.target.value })}
        />
      )}
      <DateTimeField
        label={t("audit.from")}
        value={draft.from ?? ""}
        placeholder={t("audit.fromPlaceholder")}
        error={timeError(draft.from)}
        onChange={(from) => set({ from })}
      />
      <DateTimeField
        label={t("audit.to")}
        value={draft.to ?? ""}
        placeholder={t("audit.toPlaceholder")}
        error={timeError(draft.to)}
        onChange={(to) => set({ to })}
      />
      <div className="flex gap-2 self-end max-lg:col-span-2">
        <Button type="submit" variant="primary" className="flex-1">
          {t("audit.query")}
        </Button>
        <Button onClick={clear}>{t("audit.clear")}</Button>
      </div>
    </form>
  );
};
