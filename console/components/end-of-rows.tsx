import { useEffect, useEffectEvent, useRef } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "./button";

interface EndOfRowsProps {
  isGrowing: boolean;
  hasFailed: boolean;
  onReach: () => void;
}

/** Rows are asked for a little before their place comes into view. */
const AHEAD = "300px";

/** Stands after the last row that has arrived while the page has room for more: coming into view asks for them. */
export const EndOfRows = ({ isGrowing, hasFailed, onReach }: EndOfRowsProps) => {
  const { t } = useTranslation();
  const mark = useRef<HTMLDivElement>(null);
  const reach = useEffectEvent(onReach);

  // The outside system is the browser's view of the page. Watched anew after each fetch: it may still be in view.
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
      className="sticky start-0 flex h-12 items-center justify-center gap-3 text-[13px] text-ink-3"
    >
      {hasFailed ? (
        <>
          {t("table.failed")}
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
