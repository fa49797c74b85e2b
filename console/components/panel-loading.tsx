import { useTranslation } from "react-i18next";
import { FailedState } from "./failed-state";
import { Panel } from "./page-frame";

interface PanelLoadingProps {
  /** Why it did not come. */
  error: Error | null;
  onRetry: () => void;
}

/** A panel of fields that wait for what they edit, or that it did not come. */
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
