import { Link } from "@tanstack/react-router";
import { SearchX } from "lucide-react";
import { useTranslation } from "react-i18next";
import { EmptyState } from "../../components/empty-state";
import { findOptions } from "./find-options";

interface FoundOptionsProps {
  text: string;
  /** Called when a result is opened. */
  onFollow: () => void;
}

/** The matching settings of all tabs, each with its location. */
const FoundOptions = ({ text, onFollow }: FoundOptionsProps) => {
  const { t } = useTranslation();
  const found = findOptions(text, t);
  return (
    <section
      aria-label={t("setting.search.found")}
      className="rounded-lg border border-line bg-surface"
      aria-live="polite"
    >
      {found.length === 0 ? (
        <EmptyState
          icon={<SearchX />}
          title={t("setting.search.nothing", { text })}
          text={t("setting.search.nothingText")}
        />
      ) : (
        <ul className="divide-y divide-line">
          {found.map(({ key, label, hint, section, tab }) => (
            <li key={key}>
              <Link
                to="/setting"
                search={{ tab, option: key }}
                onClick={onFollow}
                className="flex items-baseline justify-between gap-x-4 gap-y-0.5 px-4 py-2.5 hover:bg-hover max-wide:flex-col"
              >
                <span className="min-w-0">
                  <span className="font-medium">{label}</span>
                  {hint && <span className="line-clamp-2 text-sm text-ink-2">{hint}</span>}
                </span>
                <span className="shrink-0 text-xs text-ink-3">
                  {`${t(`setting.tab.${tab}`)} › ${t(`setting.section.${section}`)}`}
                </span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
};

export default FoundOptions;
