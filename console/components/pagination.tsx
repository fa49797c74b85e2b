import { ChevronLeft, ChevronRight } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Button } from "./button";

interface PaginationProps {
  page: number;
  /** Pages that have arrived. */
  pageCount: number;
  /** The server may have more pages than have arrived. */
  canGrow: boolean;
  isGrowing: boolean;
  onPage: (page: number) => void;
}

const GAP = "…";

/** The pages to offer: the ends and the neighbours of the shown one. */
export const offeredPages = (page: number, last: number): (number | typeof GAP)[] => {
  const near = [1, page - 1, page, page + 1, last].filter((each) => each >= 1 && each <= last);
  const offered: (number | typeof GAP)[] = [];
  let before = 0;
  for (const each of [...new Set(near)].sort((a, b) => a - b)) {
    if (each - before === 2) offered.push(each - 1);
    else if (each - before > 2) offered.push(GAP);
    offered.push(each);
    before = each;
  }
  return offered;
};

/** Steps through a list whose end is unknown until it is reached: one page more than has arrived is offered. */
export const Pagination = ({ page, pageCount, canGrow, isGrowing, onPage }: PaginationProps) => {
  const { t } = useTranslation();
  const last = canGrow ? Math.max(pageCount, page) + 1 : pageCount;
  if (last <= 1) return null;
  return (
    <nav aria-label={t("table.pages")} className="flex items-center gap-0.5">
      <Button
        look="quiet"
        size="small"
        aria-label={t("table.previous")}
        disabled={page <= 1}
        onClick={() => onPage(page - 1)}
      >
        <ChevronLeft aria-hidden className="size-4" />
      </Button>
      {offeredPages(page, last).map((each, index) =>
        each === GAP ? (
          <span key={`gap-${index < 3 ? "start" : "end"}`} className="px-1 text-ink-3">
            {GAP}
          </span>
        ) : (
          <Button
            key={each}
            look="quiet"
            size="small"
            aria-label={t("table.page", { page: each })}
            aria-current={each === page ? "page" : undefined}
            className="min-w-7 tabular-nums aria-[current=page]:bg-accent-soft aria-[current=page]:text-accent"
            onClick={() => onPage(each)}
          >
            {each}
          </Button>
        ),
      )}
      <Button
        look="quiet"
        size="small"
        aria-label={t("table.next")}
        disabled={page >= last}
        isBusy={isGrowing}
        onClick={() => onPage(page + 1)}
      >
        {!isGrowing && <ChevronRight aria-hidden className="size-4" />}
      </Button>
    </nav>
  );
};
