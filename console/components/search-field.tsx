import { Search, X } from "lucide-react";
import { useTranslation } from "react-i18next";

interface SearchFieldProps {
  /** The list's current keyword. */
  keyword: string;
  /** A text to show in the box without searching for it. */
  shownText?: string;
  placeholder: string;
  onSearch: (keyword: string) => void;
}

/** Searches on Enter; clearing it shows the whole list again. */
export const SearchField = ({ keyword, shownText, placeholder, onSearch }: SearchFieldProps) => {
  const { t } = useTranslation();
  return (
    // Keyed by its text, so that a text set elsewhere replaces the typed one.
    <search key={shownText ?? keyword} className="w-full wide:w-72">
      <form
        className="control flex items-center gap-2 pe-1"
        onSubmit={(event) => {
          event.preventDefault();
          onSearch(String(new FormData(event.currentTarget).get("keyword") ?? "").trim());
        }}
      >
        <Search aria-hidden className="size-4 shrink-0 text-ink-3" />
        <input
          name="keyword"
          type="search"
          enterKeyHint="search"
          defaultValue={shownText ?? keyword}
          placeholder={placeholder}
          aria-label={t("action.search")}
          className="h-full min-w-0 flex-1 bg-transparent outline-none"
        />
        {keyword !== "" && (
          <button
            type="button"
            aria-label={t("action.clearSearch")}
            onClick={() => onSearch("")}
            className="touch grid size-6 place-items-center rounded-sm text-ink-3 hover:bg-hover hover:text-ink"
          >
            <X aria-hidden className="size-3.5" />
          </button>
        )}
      </form>
    </search>
  );
};
