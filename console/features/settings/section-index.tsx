import { useTranslation } from "react-i18next";
import { sectionElementId } from "./find-options";
import type { Section } from "./sections";

/** The cards of a tab by their names, where there is room beside them. */
export const SectionIndex = ({ sections }: { sections: readonly Section[] }) => {
  const { t } = useTranslation();
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
              className="flex min-h-8 items-center rounded-md px-2.5 text-sm text-ink-2 hover:bg-hover hover:text-ink"
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
