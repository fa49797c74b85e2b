import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { listServedModels, type ServedModel } from "@tollgate/contract/api/usage";
import { useTranslation } from "react-i18next";
import { endpointQuery } from "../lib/endpoint-query";
import { formatCount, formatTime } from "../lib/format";
import type { UsageFilter } from "../lib/usage/usage-query";
import { type UsageRange, writeRange } from "../lib/usage/usage-range";
import { RecordLink } from "./record-link";

interface ServedModelsProps {
  range: UsageRange;
  /** Number of days in the range. */
  days: number;
  filter: Pick<UsageFilter, "channel" | "model">;
}

const CELL = "px-2 py-1.5";

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
  return (
    <section aria-label={title} className="min-w-0 rounded-lg border border-line bg-surface">
      <h2 className="px-4 pt-3 font-semibold text-base">{title}</h2>
      <p className="px-4 text-sm text-ink-2">{t("usage.served.text")}</p>
      <div className="overflow-x-auto pb-2">
        <table aria-label={title} className="mt-2 w-full border-collapse text-sm tabular-nums">
          <thead>
            <tr className="text-start text-xs text-ink-2">
              <th scope="col" className="px-4 pb-1 text-start font-medium">
                {t("usage.served.asked")}
              </th>
              {filter.channel === undefined && (
                <th scope="col" className="px-2 pb-1 text-start font-medium">
                  {t("field.channel")}
                </th>
              )}
              <th scope="col" className="whitespace-nowrap px-2 pb-1 text-end font-medium">
                {t("usage.served.share")}
              </th>
              <th scope="col" className="px-2 pb-1 text-start font-medium">
                {t("usage.served.last")}
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <Row
                key={`${row.channel} ${row.model}`}
                row={row}
                range={range}
                hasChannel={filter.channel === undefined}
              />
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
};

interface RowProps {
  row: ServedModel;
  range: UsageRange;
  /** The rows are of several channels. */
  hasChannel: boolean;
}

const Row = ({ row, range, hasChannel }: RowProps) => {
  const { channel, channel_name: channelName, model, named, other, last } = row;
  const { t } = useTranslation();
  return (
    <tr className="border-line border-t">
      <td className="min-w-24 break-all px-4 py-1.5">
        <RecordLink kind="model" id={model} />
      </td>
      {hasChannel && (
        <td className={`min-w-20 ${CELL}`}>
          <RecordLink kind="channel" id={channel}>
            {channelName || `#${channel}`}
          </RecordLink>
        </td>
      )}
      <td className={`whitespace-nowrap text-end ${CELL}`}>
        <Link
          to="/log"
          search={{ outcome: "other-model", channel: String(channel), model, ...writeRange(range) } as never}
          title={t("usage.served.inLog")}
          className="touch underline-offset-2 hover:text-accent hover:underline"
        >
          {t("usage.served.of", { other: formatCount(other), named: formatCount(named) })}
        </Link>
      </td>
      <td className={`min-w-40 ${CELL}`}>
        {last ? (
          <Link
            to="/log/receipt/$requestId"
            params={{ requestId: last.request_id }}
            className="touch underline-offset-2 hover:text-accent hover:underline"
          >
            <span className="break-all">{last.name}</span>{" "}
            <span className="whitespace-nowrap text-ink-3">{formatTime(last.at)}</span>
          </Link>
        ) : (
          "–"
        )}
      </td>
    </tr>
  );
};
