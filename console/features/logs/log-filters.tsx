import { useQuery } from "@tanstack/react-query";
import { getChannel } from "@tollgate/contract/api/channels";
import { LOG_OUTCOMES } from "@tollgate/contract/api/logs";
import {
  LOG_ALL,
  LOG_CONSUME,
  LOG_ERROR,
  LOG_MANAGE,
  LOG_SYSTEM,
  LOG_TOPUP,
} from "@tollgate/contract/values/statuses";
import { useTranslation } from "react-i18next";
import { FilterForm } from "../../components/filter-form";
import { type FilterField, SPAN_FIELDS } from "../../components/filter-input";
import { endpointQuery } from "../../lib/endpoint-query";
import { useSession } from "../../lib/session";
import { hasListExtra } from "../../lib/status";
import { channelSource, ownKeySource, userSource } from "../../lib/suggestions";
import { type LogSearch, NO_FILTER } from "./log-search";

interface LogFiltersProps {
  search: LogSearch;
  onFilter: (filter: LogSearch) => void;
}

const LOG_TYPES = [
  [LOG_TOPUP, "log.types.topup"],
  [LOG_CONSUME, "log.types.consume"],
  [LOG_ERROR, "log.types.error"],
  [LOG_MANAGE, "log.types.manage"],
  [LOG_SYSTEM, "log.types.system"],
] as const;

/** The name of the channel in the log's filter. */
const useChannelName = (id: string | undefined, isAdmin: boolean): string | undefined => {
  const isKnown = isAdmin && id !== undefined && /^\d{1,15}$/.test(id);
  const query = endpointQuery(getChannel, { params: { id: Number(id) } });
  const { data } = useQuery({ ...query, enabled: isKnown, meta: { silent: true }, retry: false });
  return isKnown ? data?.name : undefined;
};

/** The filters of the log. */
export const LogFilters = ({ search, onFilter }: LogFiltersProps) => {
  const { t } = useTranslation();
  const { isAdmin } = useSession("logs");
  const channelName = useChannelName(search.channel, isAdmin);
  const token = { name: "token", label: t("field.tokenName") } as const;
  const ofAdmins: FilterField<keyof LogSearch>[] = [
    {
      kind: "record",
      name: "channel",
      label: t("log.channelId"),
      source: channelSource,
      numbered: {
        name: channelName,
        placeholder: t("log.channelHint"),
        mistake: t("log.channelInvalid"),
      },
    },
    { kind: "record", name: "username", label: t("account.username"), source: userSource },
  ];
  const outcome: FilterField<keyof LogSearch> = {
    kind: "choice",
    name: "outcome",
    label: t("log.outcome"),
    options: LOG_OUTCOMES.map((value) => ({ value, label: t(`log.outcomes.${value}`) })),
    any: { value: "", label: t("log.types.all") },
  };
  return (
    <FilterForm
      search={search}
      none={NO_FILTER}
      onFilter={onFilter}
      fields={[
        // Text for administrators: the log contains the keys of all users, which no call lists.
        isAdmin ? { kind: "text", ...token } : { kind: "record", ...token, source: ownKeySource },
        { kind: "text", name: "model", label: t("field.modelName") },
        ...SPAN_FIELDS,
        ...(isAdmin ? ofAdmins : []),
        { kind: "text", name: "request", label: t("log.requestId") },
        {
          kind: "choice",
          name: "type",
          label: t("log.type"),
          options: LOG_TYPES.map(([value, label]) => ({ value, label: t(label) })),
          any: { value: LOG_ALL, label: t("log.types.all") },
        },
        ...(hasListExtra("log-outcome") ? [outcome] : []),
      ]}
    />
  );
};
