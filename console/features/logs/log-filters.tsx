import { LOG_ALL, LOG_CONSUME, LOG_MANAGE, LOG_SYSTEM, LOG_TOPUP } from "@tollgate/contract/values/statuses";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button";
import { DateTimeField } from "../../components/date-time-field";
import { Field } from "../../components/field";
import { Select } from "../../components/select";
import { TextField } from "../../components/text-field";
import { parseDate } from "../../lib/format";
import { useSession } from "../../lib/session";
import type { LogSearch } from "./log-search";

interface LogFiltersProps {
  search: LogSearch;
  onFilter: (filter: LogSearch) => void;
}

const isTime = (text: string): boolean => text.trim() === "" || parseDate(text) !== undefined;

/** What the log is narrowed by. Nothing happens until it is submitted, except for the type. */
export const LogFilters = ({ search, onFilter }: LogFiltersProps) => {
  const { t } = useTranslation();
  const { isAdmin } = useSession();
  const [draft, setDraft] = useState(search);
  const [isChecked, setChecked] = useState(false);
  const set = (change: LogSearch) => setDraft((now) => ({ ...now, ...change }));
  const timeError = (text = "") => (isChecked && !isTime(text) ? t("log.timeInvalid") : undefined);
  const submit = (filter: LogSearch) => {
    const isFit = isTime(filter.from ?? "") && isTime(filter.to ?? "");
    setChecked(!isFit);
    if (isFit) onFilter(filter);
  };
  const entry = (name: "token" | "model" | "channel" | "username", label: string): ReactNode => (
    <TextField
      label={label}
      value={draft[name] ?? ""}
      placeholder={t("log.any")}
      autoComplete="off"
      onChange={(event) => set({ [name]: event.target.value })}
    />
  );
  return (
    <form
      className="grid grid-cols-2 items-start gap-3 rounded-lg border border-line bg-surface p-4 lg:grid-cols-4"
      onSubmit={(event) => {
        event.preventDefault();
        submit(draft);
      }}
    >
      {entry("token", t("field.tokenName"))}
      {entry("model", t("field.modelName"))}
      <DateTimeField
        className="max-wide:col-span-2"
        label={t("log.from")}
        value={draft.from ?? ""}
        placeholder={t("log.fromPlaceholder")}
        error={timeError(draft.from)}
        onChange={(from) => set({ from })}
      />
      <DateTimeField
        className="max-wide:col-span-2"
        label={t("log.to")}
        value={draft.to ?? ""}
        placeholder={t("log.toPlaceholder")}
        error={timeError(draft.to)}
        onChange={(to) => set({ to })}
      />
      {isAdmin && entry("channel", t("log.channelId"))}
      {isAdmin && entry("username", t("account.username"))}
      <Field label={t("log.type")}>
        {(control) => (
          <Select
            control={control}
            value={draft.type ?? LOG_ALL}
            groups={[
              {
                options: [
                  { value: LOG_ALL, label: t("log.types.all") },
                  { value: LOG_TOPUP, label: t("log.types.topup") },
                  { value: LOG_CONSUME, label: t("log.types.consume") },
                  { value: LOG_MANAGE, label: t("log.types.manage") },
                  { value: LOG_SYSTEM, label: t("log.types.system") },
                ],
              },
            ]}
            onChange={(type) => {
              const next = { ...draft, type: type === LOG_ALL ? undefined : type };
              setDraft(next);
              submit(next);
            }}
          />
        )}
      </Field>
      <div className="flex gap-2 self-end">
        <Button type="submit" look="primary" className="flex-1 lg:flex-none">
          {t("log.query")}
        </Button>
        <Button
          onClick={() => {
            setDraft({});
            submit({});
          }}
        >
          {t("log.clear")}
        </Button>
      </div>
    </form>
  );
};
