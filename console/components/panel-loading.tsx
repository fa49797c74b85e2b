import { useTranslation } from "react-i18next";
import { FailedState } from "./failed-state";
import { Panel } from "./page-frame";

interface PanelLoadingProps {
  /** The reason of a failed load. */
  error: Error | null;
  onRetry: () => void;
}

/** The placeholder of a panel while its record loads, or the failure. */
export const PanelLoading = ({ error, onRetry }: PanelLoadingProps) => {
  const { t } = useTranslation();
  return (
    <Panel>
      {error ? (
        <FailedState error={error} onRetry={onRetry} />
      ) : (
        <div role="status" aria-label={t("page.loading")} className="flex flex-col gap-5">
          {[1, 2, 3, 4].map((line) => (
            <div key={line} className="flex flex-col gap-2">
              <div className="skeleton h-4 w-24" />
              <div className="skeleton h-control w-full" />
            </div>
          ))}
        </div>
      )}
    </Panel>
  );
};
