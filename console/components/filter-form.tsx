import { clsx } from "clsx";
import { ChevronDown, SlidersHorizontal, X } from "lucide-react";
import { type ReactNode, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { useCramped } from "../lib/use-narrow";
import { Button } from "./button";

/** A filter that holds. */
export interface SetFilter {
  label: string;
  value: string;
  onRemove: () => void;
}

interface FilterFormProps {
  /** Where the form is folded, they stand beside its button. */
  held: readonly SetFilter[];
  /** @returns whether what was typed holds now. */
  onSubmit: () => boolean;
  onClear: () => void;
  queryLabel: string;
  clearLabel: string;
  /** How many fields stand side by side on a wide screen, as a class. */
  columns: string;
  /** Inline fields. */
  children: ReactNode;
}

/** The filters above a list, which are typed and submitted. They are folded where they would leave no room for the list. */
export const FilterForm = ({
  held,
  onSubmit,
  onClear,
  queryLabel,
  clearLabel,
  columns,
  children,
}: FilterFormProps) => {
  const { t } = useTranslation();
  const isCramped = useCramped();
  const [isUnfolded, setUnfolded] = useState(false);
  const formId = useId();
  // A choice holds at once: a person wants to see what it leaves.
  const holds = held.map(({ label, value }) => `${label}\n${value}`).join("\n");
  const [seen, setSeen] = useState(holds);
  if (seen !== holds) {
    setSeen(holds);
    setUnfolded(false);
  }
  const form = (
    <form
      id={formId}
      hidden={isCramped && !isUnfolded}
      className="flex flex-col gap-x-4 gap-y-2 lg:flex-row lg:items-end"
      onSubmit={(event) => {
        event.preventDefault();
        if (onSubmit()) setUnfolded(false);
      }}
    >
      <div className={clsx("grid min-w-0 flex-1 grid-cols-2 items-start gap-x-4 gap-y-2", columns)}>
        {children}
      </div>
      <div className="flex gap-2">
        <Button type="submit" variant="primary" className="flex-1 lg:flex-none">
          {queryLabel}
        </Button>
        <Button onClick={onClear}>{clearLabel}</Button>
      </div>
    </form>
  );
  if (!isCramped) return form;
  return (
    <div className="flex flex-col gap-3">
      <div className="-m-1 flex items-center gap-2 overflow-x-auto p-1">
        <Button
          className="shrink-0"
          aria-expanded={isUnfolded}
          aria-controls={formId}
          onClick={() => setUnfolded(!isUnfolded)}
        >
          <SlidersHorizontal aria-hidden className="size-4 text-ink-3" />
          {t("table.filters")}
          {held.length > 0 && ` (${held.length})`}
          <ChevronDown aria-hidden className={clsx("size-4 text-ink-3", isUnfolded && "rotate-180")} />
        </Button>
        {held.length > 0 && (
          <ul aria-label={t("table.filters")} className="flex gap-2">
            {held.map(({ label, value, onRemove }) => (
              <li
                key={label}
                className="flex h-8 shrink-0 items-center gap-1 rounded-full border border-line bg-accent-soft ps-3 pe-1 text-accent text-sm"
              >
                <span className="max-w-56 truncate">
                  {label}: {value}
                </span>
                <button
                  type="button"
                  aria-label={t("action.removeItem", { item: `${label}: ${value}` })}
                  onClick={onRemove}
                  className="grid size-6 shrink-0 place-items-center rounded-full hover:bg-hover"
                >
                  <X aria-hidden className="size-3.5" />
                </button>
              </li>
            ))}
          </ul>
        )}
      </div>
      {form}
    </div>
  );
};
