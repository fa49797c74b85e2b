import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { FailedState } from "../../components/failed-state";
import { Panel } from "../../components/page-frame";
import { optionsQuery } from "./api/list-options";
import type { OptionValues } from "./option-changes";

/** A tab of site settings: waits for them, or says why they did not come. */
export const LoadedOptions = ({ children }: { children: (stored: OptionValues) => ReactNode }) => {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery(optionsQuery);
  if (data) return <div className="flex flex-col gap-4">{children(data)}</div>;
  return (
    <Panel>
      {error ? (
        <FailedState error={error} onRetry={() => void refetch()} />
      ) : (
        <div role="status" aria-label={t("page.loading")} className="flex flex-col gap-5">
          {[1, 2, 3, 4].map((line) => (
            <div key={line} className="flex flex-col gap-2">
              <div className="skeleton h-4 w-24" />
              <div className="skeleton h-[34px] w-full" />
            </div>
          ))}
        </div>
      )}
    </Panel>
  );
};
