import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { Page, Section } from "./navigation";

/** Scrolls the entry into view in a row wider than its container. */
export const bringIntoView = (entry: HTMLElement | null): void => {
  const row = entry?.closest("nav");
  if (entry && row) row.scrollLeft = entry.offsetLeft - (row.clientWidth - entry.offsetWidth) / 2;
};

/** The pages of a section: a column beside the page if there is room, otherwise a row of tabs above it. */
export const Rail = ({ section, current }: { section: Section; current: Page | undefined }) => {
  const { t } = useTranslation();
  return (
    <nav
      aria-label={t(section.label)}
      className="relative flex shrink-0 overflow-x-auto border-line border-b bg-surface px-2 rail:sticky rail:top-header rail:block rail:max-h-[calc(100dvh-var(--spacing-header))] rail:w-48 rail:self-start rail:overflow-y-auto rail:border-none rail:bg-transparent rail:py-4 rail:ps-3 rail:pe-2 print:hidden"
    >
      {section.groups.map(({ label, pages }) => (
        <div key={label ?? ""} className="contents rail:mb-4 rail:block">
          {label && <p className="mb-1 px-2.5 text-xs text-ink-3 max-rail:hidden">{t(label)}</p>}
          {pages.map((page) => (
            <Link
              key={page.to}
              to={page.to}
              ref={page === current ? bringIntoView : undefined}
              aria-current={page === current ? "page" : undefined}
              activeOptions={{ exact: true }}
              className="flex h-9 shrink-0 items-center whitespace-nowrap border-transparent border-b-2 px-2.5 text-sm text-ink-2 hover:text-ink max-wide:h-11 aria-[current]:border-accent aria-[current]:font-medium aria-[current]:text-ink rail:h-8 rail:rounded-md rail:border-none rail:hover:bg-hover rail:aria-[current]:bg-accent-soft rail:aria-[current]:text-accent"
            >
              {t(page.label)}
            </Link>
          ))}
        </div>
      ))}
    </nav>
  );
};
