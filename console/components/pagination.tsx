import { ChevronLeft, ChevronRight } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Button } from "./button";

interface PaginationProps {
  page: number;
  /** Number of loaded pages. */
  pageCount: number;
  /** The rows after the last page are loading. */
  isGrowing: boolean;
  /** Loading them failed: stepping on retries. */
  hasFailed: boolean;
  onPage: (page: number) => void;
}

const GAP = "…";

/** The offered pages: the first, the last and the neighbours of the shown one. */
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

/** Steps through the loaded pages; the next page is read ahead, so that an offered page always has rows. */
export const Pagination = ({ page, pageCount, isGrowing, hasFailed, onPage }: PaginationProps) => {
  const { t } = useTranslation();
  const isLast = page >= pageCount;
  if (pageCount <= 1 && page <= 1 && !hasFailed) return null;
  return (
    <nav aria-label={t("table.pages")} className="flex items-center gap-0.5">
      <Button
        variant="quiet"
        size="small"
        aria-label={t("table.previous")}
        disabled={page <= 1}
        onClick={() => onPage(page - 1)}
      >
        <ChevronLeft aria-hidden className="size-4" />
      </Button>
      {offeredPages(page, Math.max(page, pageCount)).map((each, index) =>
        each === GAP ? (
          <span key={`gap-${index < 3 ? "start" : "end"}`} className="px-1 text-ink-3">
            {GAP}
          </span>
        ) : (
          <Button
            key={each}
            variant="quiet"
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
        variant="quiet"
        size="small"
        aria-label={t("table.next")}
        disabled={isLast && !hasFailed}
        isBusy={isLast && isGrowing}
        onClick={() => onPage(page + 1)}
      >
        {!(isLast && isGrowing) && <ChevronRight aria-hidden className="size-4" />}
      </Button>
    </nav>
  );
};
