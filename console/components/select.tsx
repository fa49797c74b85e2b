import { clsx } from "clsx";
import { ChevronDown } from "lucide-react";
import type { ControlProps } from "./field";
import { Late } from "./late-popup";
import type { SelectGroup, SelectOption } from "./select-list";

interface SelectProps<Value> {
  value: Value;
  groups: SelectGroup<Value>[];
  onChange: (value: Value) => void;
  control?: ControlProps;
  label?: string;
  className?: string;
}

// A quarter of a form's weight.
const loadList = async () => ({ default: (await import("./select-list")).SelectList });

/** Chooses one value from a short list. */
export const Select = <Value extends string | number>({
  value,
  groups,
  onChange,
  control,
  label,
  className,
}: SelectProps<Value>) => {
  const optionOf = (wanted: string | number): SelectOption<Value> | undefined =>
    groups.flatMap(({ options }) => options).find((option) => option.value === wanted);
  const choose = (next: string | number): void => {
    const option = optionOf(next);
    if (option) onChange(option.value);
  };
  const chosen = optionOf(value);
  return (
    <Late
      popup="listbox"
      load={loadList}
      with={{ value, groups, onChange: choose }}
      trigger={
        <button
          type="button"
          aria-label={label}
          {...control}
          className={clsx("control flex items-center gap-2 text-start", className)}
        >
          {chosen?.mark}
          <span className="min-w-0 flex-1 truncate">{chosen?.label ?? String(value)}</span>
          <ChevronDown aria-hidden className="size-4 text-ink-3" />
        </button>
      }
    />
  );
};
