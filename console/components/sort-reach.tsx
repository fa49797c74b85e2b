import { useTranslation } from "react-i18next";
import { failureText } from "../lib/failure-text";
import { Button } from "./button";

interface SortReachProps {
  /** How many rows have been loaded. */
  count: number;
  isLoading: boolean;
  /** Why the others did not come. */
  error: Error | null;
  onLoad: () => void;
}

/** Says over a sorted list that what is sorted is not all there is: how far it has come, why no further, and how to go on. */
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
