import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { sectionElementId } from "./find-options";
import type { Section } from "./sections";

/** The part of the window in which a card is being read: below the header, in the upper half. */
const READING = { rootMargin: "-72px 0px -50% 0px" };

/** The first card that is being read. */
const useSectionInView = (sections: readonly Section[]): string | undefined => {
  const [inView, setInView] = useState<ReadonlySet<string>>(new Set());
  const names = sections.map(({ id }) => id).join(" ");
  // The outside system is the page's scroll.
  useEffect(() => {
    const observer = new IntersectionObserver(
      (entries) =>
        setInView((now) => {
          const next = new Set(now);
          for (const { isIntersecting, target } of entries)
            if (isIntersecting) next.add(target.id);
            else next.delete(target.id);
          return next;
        }),
      READING,
    );
    for (const name of names.split(" ")) {
      const card = document.getElementById(`section-${name}`);
      if (card) observer.observe(card);
    }
    return () => observer.disconnect();
  }, [names]);
  return sections.find(({ id }) => inView.has(sectionElementId(id)))?.id;
};

/** The cards of a tab by their names, where there is room beside them. */
export const SectionIndex = ({ sections }: { sections: readonly Section[] }) => {
  const { t } = useTranslation();
  const inView = useSectionInView(sections);
  return (
    <nav
      aria-label={t("setting.search.index")}
      className="sticky top-20 hidden max-h-[calc(100dvh-8rem)] overflow-y-auto xl:block"
    >
      <ul className="flex flex-col">
        {sections.map(({ id }) => (
          <li key={id}>
            <a
              href={`#${sectionElementId(id)}`}
              aria-current={id === inView ? "location" : undefined}
              className="flex min-h-8 items-center rounded-md px-2.5 text-sm text-ink-2 hover:bg-hover hover:text-ink aria-[current=location]:bg-accent-soft aria-[current=location]:text-accent"
              // The address names a setting; a card is only brought into view.
              onClick={(event) => {
                event.preventDefault();
                document
                  .getElementById(sectionElementId(id))
                  ?.scrollIntoView({ behavior: "smooth", block: "start" });
              }}
            >
              {t(`setting.section.${id}`)}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
};
