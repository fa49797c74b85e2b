import {
  LOG_ALL,
  LOG_CONSUME,
  LOG_ERROR,
  LOG_MANAGE,
  LOG_SYSTEM,
  LOG_TOPUP,
} from "@tollgate/contract/values/statuses";
import { clsx } from "clsx";
import { ChevronDown, SlidersHorizontal } from "lucide-react";
import { type ReactNode, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { Badge } from "../../components/badge";
import { Button } from "../../components/button";
import { DateTimeField } from "../../components/date-time-field";
import { Field } from "../../components/field";
import { Select } from "../../components/select";
import { TextField } from "../../components/text-field";
import { useFixedAddress } from "../../lib/fixed-address";
import { useSession } from "../../lib/session";
import { useFilterDraft } from "../../lib/use-filter-draft";
import { useCramped } from "../../lib/use-narrow";
import { type LogSearch, NO_FILTER } from "./log-search";

interface LogFiltersProps {
  search: LogSearch;
  onFilter: (filter: LogSearch) => void;
}

/** What the log is narrowed by. Nothing happens until it is submitted, except for the type. Folded where there is little room. */
export const LogFilters = ({ search, onFilter }: LogFiltersProps) => {
  const { t } = useTranslation();
  const { isAdmin } = useSession();
  const fixed = useFixedAddress() ?? {};
  const isCramped = useCramped();
  const [isUnfolded, setUnfolded] = useState(false);
  const formId = useId();
  const { draft, set, choose, submit, clear, isUnfit } = useFilterDraft(search, NO_FILTER, (next) => {
    onFilter(next);
    setUnfolded(false);
  });
  const activeCount = Object.keys(NO_FILTER).filter(
    (name) => search[name as keyof LogSearch] !== undefined,
  ).length;
  const timeError = (text: string | undefined) => (isUnfit(text) ? t("log.timeInvalid") : undefined);
  const entry = (name: "token" | "model" | "channel" | "username" | "request", label: string): ReactNode => (
    <TextField
      label={label}
      value={draft[name] ?? ""}
      placeholder={t("log.any")}
      autoComplete="off"
      onChange={(event) => set({ [name]: event.target.value })}
    />
  );
  const form = (
    <form
      id={formId}
      hidden={isCramped && !isUnfolded}
      className="grid grid-cols-2 items-start gap-3 rounded-lg border border-line bg-surface p-4 lg:grid-cols-4"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
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
      {isAdmin && !("channel" in fixed) && entry("channel", t("log.channelId"))}
      {isAdmin && !("username" in fixed) && entry("username", t("account.username"))}
      {entry("request", t("log.requestId"))}
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
                  { value: LOG_ERROR, label: t("log.types.error") },
                  { value: LOG_MANAGE, label: t("log.types.manage") },
                  { value: LOG_SYSTEM, label: t("log.types.system") },
                ],
              },
            ]}
            onChange={(type) => choose({ type: type === LOG_ALL ? undefined : type })}
          />
        )}
      </Field>
      <div className="flex gap-2 self-end">
        <Button type="submit" variant="primary" className="flex-1 lg:flex-none">
          {t("log.query")}
        </Button>
        <Button onClick={clear}>{t("log.clear")}</Button>
      </div>
    </form>
  );
  if (!isCramped) return form;
  return (
    <div className="flex flex-col gap-2">
      <Button
        className="w-full"
        aria-expanded={isUnfolded}
        aria-controls={formId}
        onClick={() => setUnfolded(!isUnfolded)}
      >
        <SlidersHorizontal aria-hidden className="size-4 text-ink-3" />
        <span className="flex-1 text-start">{t("log.filters")}</span>
        {activeCount > 0 && <Badge>{activeCount}</Badge>}
        <ChevronDown aria-hidden className={clsx("size-4 text-ink-3", isUnfolded && "rotate-180")} />
      </Button>
      {form}
    </div>
  );
};
