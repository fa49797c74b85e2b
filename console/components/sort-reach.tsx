import { useTranslation } from "react-i18next";
import { failureText } from "../lib/failure-text";
import { Button } from "./button";

interface SortReachProps {
  /** Number of loaded rows. */
  count: number;
  isLoading: boolean;
  /** The reason that the others did not load. */
  error: Error | null;
  onLoad: () => void;
}

/** Shown above a sorted list that is incomplete: how many rows are loaded, why it stopped, and a button to go on. */
const SortReach = ({ count, isLoading, error, onLoad }: SortReachProps) => {
  const { t } = useTranslation();
  return (
    <div
      role="status"
      className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-1 border-line border-b px-4 py-2 text-sm text-ink-2"
    >
      {isLoading ? (
        t("table.sortLoading", { count })
      ) : (
        <>
          <span className="min-w-0 break-words">
            {t("table.sortPartly", { count })}
            {error && ` ${t("table.growthFailed", { reason: failureText(error) })}`}
          </span>
          <Button size="small" onClick={onLoad}>
            {error ? t("action.retry") : t("table.sortLoad")}
          </Button>
        </>
      )}
    </div>
  );
};

export default SortReach;
