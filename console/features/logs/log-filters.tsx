import { useQuery } from "@tanstack/react-query";
import { getChannel } from "@tollgate/contract/api/channels";
import {
  LOG_ALL,
  LOG_CONSUME,
  LOG_ERROR,
  LOG_MANAGE,
  LOG_SYSTEM,
  LOG_TOPUP,
} from "@tollgate/contract/values/statuses";
import { useTranslation } from "react-i18next";
import { DateTimeField } from "../../components/date-time-field";
import { Field } from "../../components/field";
import { FilterForm, type SetFilter } from "../../components/filter-form";
import { Select } from "../../components/select";
import { SuggestField } from "../../components/suggest-field";
import { TextField } from "../../components/text-field";
import { endpointQuery } from "../../lib/endpoint-query";
import { useFixedAddress } from "../../lib/fixed-address";
import { useSession } from "../../lib/session";
import { channelSource, ownKeySource, type SuggestionSource, userSource } from "../../lib/suggestions";
import { useFilterDraft } from "../../lib/use-filter-draft";
import { type LogSearch, NO_FILTER } from "./log-search";

interface LogFiltersProps {
  search: LogSearch;
  onFilter: (filter: LogSearch) => void;
}

type TypedFilter = "token" | "model" | "channel" | "username" | "request";

const CHANNEL_NUMBER = /^\d{1,15}$/;
const isChannelNumber = (text: string | undefined): boolean =>
  text === undefined || CHANNEL_NUMBER.test(text);

const LOG_TYPES = [
  [LOG_ALL, "log.types.all"],
  [LOG_TOPUP, "log.types.topup"],
  [LOG_CONSUME, "log.types.consume"],
  [LOG_ERROR, "log.types.error"],
  [LOG_MANAGE, "log.types.manage"],
  [LOG_SYSTEM, "log.types.system"],
] as const;

/** The name of the channel that the log is narrowed to. */
const useChannelName = (id: string | undefined, isAdmin: boolean): string | undefined => {
  const isKnown = isAdmin && id !== undefined && isChannelNumber(id);
  const query = endpointQuery(getChannel, { params: { id: Number(id) } });
  const { data } = useQuery({ ...query, enabled: isKnown, meta: { silent: true }, retry: false });
  return isKnown ? data?.name : undefined;
};

/** What the log is narrowed by. What is chosen holds at once, what is typed when it is submitted. */
export const LogFilters = ({ search, onFilter }: LogFiltersProps) => {
  const { t } = useTranslation();
  const { isAdmin } = useSession();
  const fixed = useFixedAddress() ?? {};
  const { draft, set, choose, submit, clear, isUnfit, isChecked } = useFilterDraft(
    search,
    NO_FILTER,
    onFilter,
    ({ channel }) => isChannelNumber(channel),
  );
  const channelName = useChannelName(search.channel, isAdmin);
  const timeError = (text: string | undefined) => (isUnfit(text) ? t("log.timeInvalid") : undefined);
  const type = (name: TypedFilter) => (text: string) =>
    set({ [name]: name === "channel" ? text.trim() || undefined : text });
  const suggested = (name: TypedFilter, label: string, source: SuggestionSource) => (
    <SuggestField
      label={label}
      source={source}
      value={draft[name] ?? ""}
      placeholder={t("log.any")}
      onType={type(name)}
      onChoose={(value) => choose({ [name]: value })}
    />
  );
  const typed = (name: TypedFilter, label: string) => (
    <TextField
      isInline
      label={label}
      value={draft[name] ?? ""}
      placeholder={t("log.any")}
      autoComplete="off"
      onChange={({ target }) => type(name)(target.value)}
    />
  );
  const labels = {
    token: t("field.tokenName"),
    model: t("field.modelName"),
    from: t("log.from"),
    to: t("log.to"),
    channel: t("log.channelId"),
    username: t("account.username"),
    request: t("log.requestId"),
    type: t("log.type"),
  };
  const typeText = LOG_TYPES.find(([each]) => each === search.type)?.[1];
  const shown = {
    ...search,
    channel: channelName === undefined ? search.channel : `${channelName} #${search.channel}`,
    type: typeText && t(typeText),
  };
  const held = (Object.keys(labels) as (keyof typeof labels)[]).flatMap((name): SetFilter[] => {
    const value = shown[name];
    if (value === undefined || name in fixed) return [];
    return [{ label: labels[name], value, onRemove: () => choose({ [name]: undefined }) }];
  });
  return (
    <FilterForm
      held={held}
      columns="lg:grid-cols-4"
      onSubmit={submit}
      onClear={clear}
      queryLabel={t("log.query")}
      clearLabel={t("log.clear")}
    >
      {/* An administrator sees the keys of all users, of which there is no list. */}
      {isAdmin ? typed("token", labels.token) : suggested("token", labels.token, ownKeySource)}
      {typed("model", labels.model)}
      <DateTimeField
        isInline
        className="max-wide:col-span-2"
        label={labels.from}
        value={draft.from ?? ""}
        placeholder={t("log.fromPlaceholder")}
        error={timeError(draft.from)}
        onChange={(from) => set({ from })}
      />
      <DateTimeField
        isInline
        className="max-wide:col-span-2"
        label={labels.to}
        value={draft.to ?? ""}
        placeholder={t("log.toPlaceholder")}
        error={timeError(draft.to)}
        onChange={(to) => set({ to })}
      />
      {isAdmin && !("channel" in fixed) && (
        <SuggestField
          label={labels.channel}
          source={channelSource}
          value={draft.channel ?? ""}
          name={draft.channel === search.channel ? channelName : undefined}
          placeholder={t("log.channelHint")}
          error={isChecked && !isChannelNumber(draft.channel) ? t("log.channelInvalid") : undefined}
          onType={type("channel")}
          onChoose={(channel) => choose({ channel })}
        />
      )}
      {isAdmin && !("username" in fixed) && suggested("username", labels.username, userSource)}
      {typed("request", labels.request)}
      <Field isInline label={labels.type}>
        {(control) => (
          <Select
            control={control}
            value={draft.type ?? LOG_ALL}
            groups={[{ options: LOG_TYPES.map(([value, label]) => ({ value, label: t(label) })) }]}
            onChange={(chosen) => choose({ type: chosen === LOG_ALL ? undefined : chosen })}
          />
        )}
      </Field>
    </FilterForm>
  );
};
