import { X } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { DashboardSearch } from "./dashboard-search";

const FILTERS = ["model", "token", "channel", "username"] as const;

const LABEL = {
  model: "field.model",
  token: "field.token",
  channel: "field.channel",
  username: "field.user",
} as const;

interface FilterChipsProps {
  search: DashboardSearch;
  onChange: (change: DashboardSearch) => void;
}

/** The dashboard's active filters, each with a button that removes it. */
export const FilterChips = ({ search, onChange }: FilterChipsProps) => {
  const { t } = useTranslation();
  const active = FILTERS.filter((name) => search[name] !== undefined);
  if (active.length === 0) return null;
  return (
    <ul aria-label={t("dashboard.filters")} className="flex flex-wrap gap-2">
      {active.map((name) => {
        const text = `${t(LABEL[name])}: ${search[name]}`;
        return (
          <li
            key={name}
            className="flex h-8 max-w-full items-center gap-1 rounded-full border border-line bg-accent-soft ps-3 pe-1 text-sm text-accent"
          >
            <span className="truncate">{text}</span>
            <button
              type="button"
              aria-label={t("dashboard.removeFilter", { filter: text })}
              onClick={() => onChange({ [name]: undefined })}
              className="touch grid size-6 shrink-0 place-items-center rounded-full hover:bg-hover"
            >
              <X aria-hidden className="size-3.5" />
            </button>
          </li>
        );
      })}
    </ul>
  );
};
