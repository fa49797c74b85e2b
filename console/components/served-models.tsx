import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { listServedModels, type ServedModel } from "@tollgate/contract/api/usage";
import { useTranslation } from "react-i18next";
import { endpointQuery } from "../lib/endpoint-query";
import { formatCount, formatTime } from "../lib/format";
import type { UsageFilter } from "../lib/usage/usage-query";
import { type UsageRange, writeRange } from "../lib/usage/usage-range";
import { RecordLink } from "./record-link";
import { type SmallColumn, SmallTable } from "./small-table";

type LastAnswer = NonNullable<ServedModel["last"]>;

interface ServedModelsProps {
  range: UsageRange;
  /** Number of days in the range. */
  days: number;
  filter: Pick<UsageFilter, "channel" | "model">;
}

const LINK = "touch underline-offset-2 hover:text-accent hover:underline";

/**
 * Answers that named another model than their upstream was asked for, by channel and model. Shown only where there are
 * some; a server without this check answers with an error, which is not shown.
 */
export const ServedModels = ({ range, days, filter }: ServedModelsProps) => {
  const { t } = useTranslation();
  const { data } = useQuery({
    ...endpointQuery(listServedModels, {
      query: {
        start_timestamp: range.from,
        end_timestamp: range.to,
        channel: filter.channel,
        model_name: filter.model,
      },
    }),
    retry: false,
    meta: { silent: true },
  });
  const rows = (data ?? []).filter(({ other }) => other > 0);
  if (rows.length === 0) return null;
  const title = t("usage.served.title", { days });
  const columns: SmallColumn<ServedModel>[] = [
    {
      id: "model",
      label: t("usage.served.asked"),
      cell: ({ model }) => <RecordLink kind="model" id={model} />,
      className: "min-w-24 break-all",
    },
    {
      id: "channel",
      label: t("field.channel"),
      cell: ({ channel, channel_name: name }) => (
        <RecordLink kind="channel" id={channel}>
          {name || `#${channel}`}
        </RecordLink>
      ),
      className: "min-w-20",
    },
    {
      id: "share",
      label: t("usage.served.share"),
      cell: ({ channel, model, other, named }) => (
        <Link
          to="/log"
          search={{ outcome: "other-model", channel: String(channel), model, ...writeRange(range) } as never}
          title={t("usage.served.inLog")}
          className={LINK}
        >
          {t("usage.served.of", { other: formatCount(other), named: formatCount(named) })}
        </Link>
      ),
      isNumber: true,
      className: "whitespace-nowrap",
    },
    {
      id: "last",
      label: t("usage.served.last"),
      cell: ({ last }) => (last ? <LastServed last={last} /> : "–"),
      className: "min-w-40",
    },
  ];
  return (
    <section aria-label={title} className="min-w-0 rounded-lg border border-line bg-surface">
      <h2 className="px-4 pt-3 font-semibold text-base">{title}</h2>
      <p className="px-4 text-sm text-ink-2">{t("usage.served.text")}</p>
      <div className="pt-1 pb-2">
        <SmallTable
          label={title}
          columns={columns.filter(({ id }) => id !== "channel" || filter.channel === undefined)}
          rows={rows}
          rowKey={({ channel, model }) => `${channel} ${model}`}
        />
      </div>
    </section>
  );
};

const LastServed = ({ last: { request_id: requestId, name, at } }: { last: LastAnswer }) => (
  <Link to="/log/receipt/$requestId" params={{ requestId }} className={LINK}>
    <span className="break-all">{name}</span>{" "}
    <span className="whitespace-nowrap text-ink-3">{formatTime(at)}</span>
  </Link>
);
