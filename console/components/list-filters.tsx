import { clsx } from "clsx";
import { X } from "lucide-react";
import { type KeyboardEvent, useId } from "react";
import { useTranslation } from "react-i18next";
import type { FilterChoice, NarrowedList } from "../lib/use-list-filter";
import { Button } from "./button";

interface ListFiltersProps {
  filters: readonly FilterChoice[];
  narrowed: Pick<NarrowedList, "filter" | "isNarrowed" | "choose" | "clear">;
}

const CONTROL =
  "h-control-small max-wide:h-control max-w-48 rounded-md border bg-surface px-2 text-sm hover:border-line-strong";

/** The filters of a list in one row: a loaded page does not move when it appears. */
export const ListFilters = ({ filters, narrowed }: ListFiltersProps) => {
  const { t } = useTranslation();
  const { filter, choose } = narrowed;
  return (
    <fieldset className="-m-1 flex min-w-0 items-center gap-x-3 overflow-x-auto p-1 text-sm">
      <legend className="sr-only">{t("table.filters")}</legend>
      {filters.map((each) => {
        const value = filter[each.column];
        const narrow = (next: string | number | undefined) => choose(each.column, next);
        return each.isTyped ? (
          <TypedFilter key={each.column} choice={each} value={value} onChoose={narrow} />
        ) : (
          <ChosenFilter key={each.column} choice={each} value={value} onChoose={narrow} />
        );
      })}
      {narrowed.isNarrowed && (
        <Button variant="quiet" size="small" onClick={narrowed.clear}>
          <X aria-hidden className="size-3.5" />
          {t("table.clearFilters")}
        </Button>
      )}
    </fieldset>
  );
};

interface OneFilterProps {
  choice: FilterChoice;
  value: string | number | undefined;
  onChoose: (value: string | number | undefined) => void;
}

const ChosenFilter = ({ choice: { label, choices }, value, onChoose }: OneFilterProps) => {
  const { t } = useTranslation();
  // The address may contain an unknown value.
  const known = choices.some(([each]) => each === value);
  return (
    <label className="flex shrink-0 items-center gap-1.5 text-ink-2">
      {label}
      <select
        value={value ?? ""}
        onChange={({ target }) => {
          const [chosen] = choices.find(([each]) => String(each) === target.value) ?? [];
          onChoose(chosen);
        }}
        className={clsx(
          CONTROL,
          value === undefined ? "border-line text-ink-2" : "border-accent font-medium text-ink",
        )}
      >
        <option value="" className="bg-surface text-ink">
          {t("table.all")}
        </option>
        {value !== undefined && !known && (
          <option value={value} className="bg-surface text-ink">
            {value}
          </option>
        )}
        {choices.map(([each, name]) => (
          <option key={each} value={each} className="bg-surface text-ink">
            {name}
          </option>
        ))}
      </select>
    </label>
  );
};

const TypedFilter = ({ choice: { label, choices }, value = "", onChoose }: OneFilterProps) => {
  const { t } = useTranslation();
  const id = useId();
  const choose = (text: string) => {
    if (text !== value) onChoose(text === "" ? undefined : text);
  };
  return (
    <label className="flex shrink-0 items-center gap-1.5 text-ink-2">
      {label}
      <input
        // Remounts the field for another value in the address.
        key={value}
        list={id}
        defaultValue={value}
        placeholder={t("table.all")}
        autoComplete="off"
        spellCheck={false}
        onKeyDown={(event: KeyboardEvent<HTMLInputElement>) => {
          if (event.key === "Enter" && !event.nativeEvent.isComposing)
            choose(event.currentTarget.value.trim());
        }}
        onBlur={({ target }) => choose(target.value.trim())}
        className={clsx(
          CONTROL,
          "w-40 placeholder:text-ink-3",
          value === "" ? "border-line text-ink-2" : "border-accent font-medium text-ink",
        )}
      />
      <datalist id={id}>
        {choices.map(([each]) => (
          <option key={each} value={each} />
        ))}
      </datalist>
    </label>
  );
};
