import { clsx } from "clsx";
import { ChevronDown, SlidersHorizontal, X } from "lucide-react";
import { type ReactNode, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { useFixedAddress } from "../lib/fixed-address";
import { useFilterDraft } from "../lib/use-filter-draft";
import { useCramped } from "../lib/use-narrow";
import { type WrittenSpan, writeEnds } from "../lib/written-span";
import { Button } from "./button";
import { type FilterField, FilterInput, type FilterValue, filterText, isFit } from "./filter-input";

/** An active filter. */
interface SetFilter {
  label: string;
  value: string;
  onRemove: () => void;
}

interface FilterFormProps<Filter extends WrittenSpan> {
  /** The current state of the list, including its filters. */
  search: Filter;
  /** The state without filters. */
  none: Filter;
  onFilter: (filter: Filter) => void;
  /** Filters fixed by a surrounding page are not shown. */
  fields: readonly FilterField<keyof Filter & string>[];
}

/** The filters above a list: choices apply immediately, typed text on submit. */
export const FilterForm = <Filter extends WrittenSpan>({
  search,
  none,
  onFilter,
  fields,
}: FilterFormProps<Filter>) => {
  const { t } = useTranslation();
  const fixed = useFixedAddress() ?? {};
  const read = (filter: Filter, { name }: FilterField) => filter[name as keyof Filter] as FilterValue;
  const fits = (filter: Filter) => fields.every((field) => isFit(field, read(filter, field)));
  const { draft, set, choose, submit, clear, isChecked, isUnfit } = useFilterDraft(
    search,
    none,
    onFilter,
    fits,
  );
  const shown = fields.filter(({ name }) => !(name in fixed));
  // The ends of a chosen preset stand in the fields, to be changed from there.
  const ends = writeEnds(draft, Date.now());
  const readDraft = (field: FilterField): FilterValue =>
    field.kind === "time"
      ? ends[field.name]
      : field.kind === "range"
        ? (draft.range ?? (ends.from || ends.to ? "own" : "any"))
        : read(draft, field);
  const change = ({ kind, name }: FilterField, value: FilterValue) => {
    const others = kind === "time" ? ends : kind === "range" ? { from: undefined, to: undefined } : {};
    return { ...others, [name]: value } as Partial<Filter>;
  };
  const held = shown.flatMap((field): SetFilter[] => {
    const value = read(search, field);
    if (value === undefined) return [];
    const label = field.kind === "time" || field.kind === "range" ? t(`filter.${field.name}`) : field.label;
    const onRemove = () => choose(change(field, undefined));
    return [
      {
        label,
        value:
          field.kind === "range" && search.range
            ? t(`filter.ranges.${search.range}`)
            : filterText(field, value),
        onRemove,
      },
    ];
  });
  return (
    <FoldingForm held={held} onSubmit={submit} onClear={clear}>
      {shown.map((field) => {
        const value = readDraft(field);
        const isWrong = field.kind === "time" ? isUnfit(ends[field.name]) : isChecked && !isFit(field, value);
        return (
          <FilterInput
            key={field.name}
            field={field}
            value={value}
            held={read(search, field)}
            isWrong={isWrong}
            onType={(next) => set(change(field, next))}
            onChoose={(next) => choose(change(field, next))}
          />
        );
      })}
    </FoldingForm>
  );
};

interface FoldingFormProps {
  /** Shown beside the button of the collapsed form. */
  held: readonly SetFilter[];
  /** @returns whether the typed filters apply now. */
  onSubmit: () => boolean;
  onClear: () => void;
  /** Inline fields. */
  children: ReactNode;
}

/** A form that is collapsed where it would leave no room for the list. */
const FoldingForm = ({ held, onSubmit, onClear, children }: FoldingFormProps) => {
  const { t } = useTranslation();
  const isCramped = useCramped();
  const [isUnfolded, setUnfolded] = useState(false);
  const formId = useId();
  // Collapses after a choice, which applies immediately, to show the result.
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
      className="flex flex-col gap-x-4 gap-y-2 lg:flex-row lg:flex-wrap lg:items-start"
      onSubmit={(event) => {
        event.preventDefault();
        if (onSubmit()) setUnfolded(false);
      }}
    >
      {/* On a wide screen the fields of a row share its whole width, so that no row has a hole. */}
      <div className="grid min-w-0 grid-cols-2 items-start gap-x-4 gap-y-2 lg:contents lg:*:max-w-1/2 lg:*:grow lg:*:basis-[min(16rem,calc(25%-0.75rem))]">
        {children}
      </div>
      <div className="flex gap-2">
        <Button type="submit" variant="primary" className="flex-1 lg:flex-none">
          {t("filter.apply")}
        </Button>
        <Button onClick={onClear}>{t("filter.clear")}</Button>
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
        <HeldFilters held={held} />
      </div>
      {form}
    </div>
  );
};

/** The active filters of a list, each with a button that removes it. */
const HeldFilters = ({ held }: { held: readonly SetFilter[] }) => {
  const { t } = useTranslation();
  if (held.length === 0) return null;
  return (
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
            className="touch grid size-6 shrink-0 place-items-center rounded-full hover:bg-hover"
          >
            <X aria-hidden className="size-3.5" />
          </button>
        </li>
      ))}
    </ul>
  );
};
