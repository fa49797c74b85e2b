import { useQuery } from "@tanstack/react-query";
import { COST_UNITS } from "@tollgate/contract/values/quota";
import { useTranslation } from "react-i18next";
import { formatQuota, isShownInCurrency } from "../../lib/format";
import { formatDuration } from "../../lib/format-measure";
import { channelChoiceQuery } from "./channel-queries";

const wait = (ms: number | undefined): string => (ms === undefined ? "–" : formatDuration(ms));

const cost = (thousandths: number | undefined): string => {
  if (thousandths === undefined) return "–";
  const quota = thousandths / COST_UNITS;
  return formatQuota(isShownInCurrency() ? quota : Math.round(quota), 6);
};

/** Criteria by which a channel is chosen if its group goes by price or speed; empty if none are known. */
export const ChannelChoiceTable = ({ id }: { id: number }) => {
  const { t } = useTranslation();
  const { data = [] } = useQuery(channelChoiceQuery(id));
  if (data.length === 0) return null;
  return (
    <section className="grid gap-2">
      <h2 className="text-base font-medium">{t("channelChoice.title")}</h2>
      <p className="text-xs text-ink-3">{t("channelChoice.hint")}</p>
      <div className="overflow-x-auto">
        <table className="w-full text-sm">
          <thead>
            <tr className="border-b border-line text-left text-ink-3">
              <th className="py-1.5 pr-4 font-normal">{t("channelChoice.model")}</th>
              <th className="py-1.5 pr-4 text-right font-normal">{t("channelChoice.stream")}</th>
              <th className="py-1.5 pr-4 text-right font-normal">{t("channelChoice.whole")}</th>
              <th className="py-1.5 text-right font-normal">{t("channelChoice.cost")}</th>
            </tr>
          </thead>
          <tbody className="tabular-nums">
            {data.map((row) => (
              <tr key={row.model} className="border-b border-line last:border-0">
                <td className="break-all py-1.5 pr-4">{row.model}</td>
                <td className="py-1.5 pr-4 text-right">{wait(row.stream_ms)}</td>
                <td className="py-1.5 pr-4 text-right">{wait(row.whole_ms)}</td>
                <td className="py-1.5 text-right">{cost(row.usual_cost)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
};
