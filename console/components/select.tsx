import { Select as BaseSelect } from "@base-ui/react/select";
import { clsx } from "clsx";
import { Check, ChevronDown } from "lucide-react";
import type { ReactNode } from "react";
import type { ControlProps } from "./field";

export interface SelectOption<Value> {
  value: Value;
  label: string;
  /** Shown before the label. */
  mark?: ReactNode;
}

export interface SelectGroup<Value> {
  label?: string;
  options: SelectOption<Value>[];
}

interface SelectProps<Value> {
  value: Value;
  groups: SelectGroup<Value>[];
  onChange: (value: Value) => void;
  control?: ControlProps;
  label?: string;
  className?: string;
}

/** Chooses one of a short list. */
export const Select = <Value extends string | number>({
  value,
  groups,
  onChange,
  control,
  label,
  className,
}: SelectProps<Value>) => {
  const options = groups.flatMap((group) => group.options);
  const chosen = options.find((option) => option.value === value);
  return (
    <BaseSelect.Root
      items={options}
      value={value}
      onValueChange={(next) => next !== null && onChange(next)}
      modal={false}
    >
      <BaseSelect.Trigger
        aria-label={label}
        {...control}
        className={clsx("control flex items-center gap-2 text-start", className)}
      >
        {chosen?.mark}
        <BaseSelect.Value className="min-w-0 flex-1 truncate">
          {chosen?.label ?? String(value)}
        </BaseSelect.Value>
        <BaseSelect.Icon>
          <ChevronDown aria-hidden className="size-4 text-ink-3" />
        </BaseSelect.Icon>
      </BaseSelect.Trigger>
      <BaseSelect.Portal>
        <BaseSelect.Positioner alignItemWithTrigger={false} sideOffset={4} className="z-45">
          <BaseSelect.Popup className="floating max-h-[min(360px,var(--available-height))] min-w-(--anchor-width) overflow-y-auto p-1">
            {groups.map((group, index) => (
              <BaseSelect.Group key={group.label ?? index}>
                {group.label && (
                  <BaseSelect.GroupLabel className="px-2.5 pt-2 pb-1 font-medium text-xs text-ink-3">
                    {group.label}
                  </BaseSelect.GroupLabel>
                )}
                {group.options.map((option) => (
                  <BaseSelect.Item
                    key={option.value}
                    value={option.value}
                    className="flex min-h-control cursor-pointer items-center gap-2 rounded-sm px-2.5 text-sm outline-none data-highlighted:bg-hover"
                  >
                    {option.mark}
                    <BaseSelect.ItemText className="flex-1">{option.label}</BaseSelect.ItemText>
                    <BaseSelect.ItemIndicator>
                      <Check aria-hidden className="size-4 text-accent" />
                    </BaseSelect.ItemIndicator>
                  </BaseSelect.Item>
                ))}
              </BaseSelect.Group>
            ))}
          </BaseSelect.Popup>
        </BaseSelect.Positioner>
      </BaseSelect.Portal>
    </BaseSelect.Root>
  );
};
