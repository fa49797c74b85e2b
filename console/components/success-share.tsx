import { Link } from "@tanstack/react-router";
import { LOG_ERROR } from "@tollgate/contract/values/statuses";
import { useTranslation } from "react-i18next";
import { formatSuccess } from "../lib/format-measure";
import { errorRate } from "../lib/usage/usage-metric";
import type { UsageFilter } from "../lib/usage/usage-query";

/** Shares of failures from which requests look bad, or need attention. */
export const BAD_SHARE = 0.1;
export const DOUBTFUL_SHARE = 0.02;

interface SuccessShareProps {
  total: { requests: number; errors: number };
  /** The log's filter for the failures; undefined if it has none. */
  lines: (UsageFilter & { from: string; to: string }) | undefined;
}

/** Share of successful requests, with a link to the failed ones. */
export const SuccessShare = ({ total, lines }: SuccessShareProps) => {
  const { t } = useTranslation();
  const rate = errorRate(total);
  if (rate === undefined) return "–";
  if (rate === 0) return formatSuccess(1);
  const share = formatSuccess(1 - rate);
  const tone = rate >= BAD_SHARE ? "text-red" : "";
  const title = t("usage.table.failed", { count: total.errors });
  if (!lines)
    return (
      <span title={title} className={tone}>
        {share}
      </span>
    );
  return (
    <Link
      to="/log"
      search={{ ...lines, type: LOG_ERROR }}
      title={title}
      className={`underline underline-offset-2 hover:text-accent ${tone}`}
    >
      {share}
    </Link>
  );
};
