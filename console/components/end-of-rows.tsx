import { useEffect, useEffectEvent, useRef } from "react";
import { useTranslation } from "react-i18next";
import { failureText } from "../lib/failure-text";
import { Button } from "./button";

interface EndOfRowsProps {
  isGrowing: boolean;
  /** The error of the request for further rows. */
  error: Error | null;
  onReach: () => void;
}

/** Further rows are requested this far before they scroll into view. */
const AHEAD = "300px";

/** Shown after the last loaded row while the page has room for more: scrolling it into view requests them. */
const EndOfRows = ({ isGrowing, error, onReach }: EndOfRowsProps) => {
  const { t } = useTranslation();
  const mark = useRef<HTMLDivElement>(null);
  const reach = useEffectEvent(onReach);
  const hasFailed = error !== null;

  // An effect, because the viewport is outside React. Observed again after each fetch: it may still be in view.
  useEffect(() => {
    if (isGrowing || hasFailed || !mark.current) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) reach();
      },
      { rootMargin: AHEAD },
    );
    observer.observe(mark.current);
    return () => observer.disconnect();
  }, [isGrowing, hasFailed]);

  return (
    <div
      ref={mark}
      role="status"
      className="sticky start-0 flex min-h-12 flex-wrap items-center justify-center gap-x-3 gap-y-1 px-4 py-2 text-sm text-ink-2"
    >
      {error ? (
        <>
          <span className="min-w-0 break-words">
            {t("table.growthFailed", { reason: failureText(error) })}
          </span>
          <Button size="small" onClick={onReach}>
            {t("action.retry")}
          </Button>
        </>
      ) : (
        t("table.growing")
      )}
    </div>
  );
};

export default EndOfRows;
