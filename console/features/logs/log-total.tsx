import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { formatQuota, markBounded } from "../../lib/format";
import { useSession } from "../../lib/session";
import { logTotalQuery } from "./log-queries";
import type { LogSearch } from "./log-search";

/** The total consumed quota, which the server computes only on request: a click loads it. */
export const LogTotal = ({ search }: { search: LogSearch }) => {
  const { t } = useTranslation();
  const { isAdmin } = useSession("logs");
  const [isWanted, setWanted] = useState(false);
  const { data, isFetching, refetch } = useQuery({ ...logTotalQuery(search, isAdmin), enabled: isWanted });
  const amount = data === undefined ? t("log.clickToLoad") : markBounded(data, formatQuota(data));
  return (
    <span className="font-normal text-base text-ink-2">
      {t("log.total")}{" "}
      <button
        type="button"
        disabled={isFetching}
        aria-label={t("log.totalLabel", { amount })}
        onClick={() => (isWanted ? void refetch() : setWanted(true))}
        className="touch h-control-small rounded-sm px-1 text-ink tabular-nums underline decoration-dotted decoration-line-strong underline-offset-4 hover:bg-hover"
      >
        {isFetching ? "…" : amount}
      </button>
    </span>
  );
};
