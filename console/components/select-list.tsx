import { Select as BaseSelect } from "@base-ui/react/select";
import { Check } from "lucide-react";
import type { ReactNode } from "react";
import type { LateTrigger } from "./late-popup";

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

export interface SelectListProps {
  value: string | number;
  groups: SelectGroup<string | number>[];
  onChange: (value: string | number) => void;
}

/** The list of a select, with its button. */
export const SelectList = ({
  value,
  groups,
  onChange,
  trigger,
  isOpenAtFirst,
}: SelectListProps & LateTrigger) => (
  <BaseSelect.Root<string | number>
    items={groups.flatMap(({ options }) => options)}
    value={value}
    onValueChange={(next) => next !== null && onChange(next)}
    modal={false}
    defaultOpen={isOpenAtFirst}
  >
    <BaseSelect.Trigger render={trigger} />
    <BaseSelect.Portal>
      <BaseSelect.Positioner alignItemWithTrigger={false} sideOffset={4} className="z-45">
        <BaseSelect.Popup className="floating max-h-[min(360px,var(--available-height))] min-w-(--anchor-width) max-w-[max(var(--anchor-width),min(28rem,var(--available-width)))] overflow-y-auto p-1">
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
                  className="flex min-h-control cursor-pointer items-center gap-2 rounded-sm px-2.5 py-1 text-sm outline-none data-highlighted:bg-hover"
                >
                  {option.mark}
                  <BaseSelect.ItemText className="min-w-0 flex-1 break-words">
                    {option.label}
                  </BaseSelect.ItemText>
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
