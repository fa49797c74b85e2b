import { Combobox } from "@base-ui/react/combobox";
import { Check, X } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { ControlProps } from "./field";

interface MultiSelectProps {
  values: string[];
  /** What may be chosen; chosen values that are not among them are kept. */
  options: readonly string[];
  onChange: (values: string[]) => void;
  control: ControlProps;
  placeholder?: string;
}

/** Chooses several of a list that is searched by typing; the choice stands as chips in the field. */
export const MultiSelect = ({ values, options, onChange, control, placeholder }: MultiSelectProps) => {
  const { t } = useTranslation();
  const items = [...new Set([...options, ...values])];
  return (
    <Combobox.Root
      items={items}
      multiple
      value={values}
      // Escape closes the list; on a closed one it would throw the choice away.
      onValueChange={(next, { reason }) => {
        if (reason !== "escape-key") onChange(next);
      }}
    >
      <Combobox.Chips
        aria-invalid={control["aria-invalid"]}
        className="control flex h-auto max-h-60 min-h-[34px] cursor-text flex-wrap gap-1 overflow-y-auto px-1.5 py-1"
      >
        {values.map((value) => (
          <Combobox.Chip
            key={value}
            aria-label={value}
            className="flex h-6 max-w-full items-center rounded-sm bg-sunken ps-2 text-[13px] outline-none data-highlighted:bg-accent-soft focus-within:bg-accent-soft"
          >
            <span className="truncate">{value}</span>
            <Combobox.ChipRemove
              aria-label={t("action.removeItem", { item: value })}
              className="grid size-6 shrink-0 place-items-center rounded-sm text-ink-3 hover:text-ink"
            >
              <X aria-hidden className="size-3" />
            </Combobox.ChipRemove>
          </Combobox.Chip>
        ))}
        <Combobox.Input
          {...control}
          placeholder={values.length === 0 ? placeholder : undefined}
          className="h-6 min-w-24 flex-1 bg-transparent px-1 outline-none"
        />
      </Combobox.Chips>
      <Combobox.Portal>
        <Combobox.Positioner sideOffset={5} className="z-30">
          <Combobox.Popup className="floating max-h-[min(320px,var(--available-height))] w-(--anchor-width) overflow-y-auto p-1">
            <Combobox.Empty className="px-2.5 py-2 text-[13px] text-ink-2 empty:hidden">
              {t("select.nothing")}
            </Combobox.Empty>
            <Combobox.List>
              {(item: string) => (
                <Combobox.Item
                  key={item}
                  value={item}
                  className="flex min-h-8 cursor-pointer items-center gap-2 rounded-sm px-2.5 text-[13.5px] outline-none data-highlighted:bg-hover"
                >
                  <span className="flex-1 break-all">{item}</span>
                  <Combobox.ItemIndicator>
                    <Check aria-hidden className="size-4 text-accent" />
                  </Combobox.ItemIndicator>
                </Combobox.Item>
              )}
            </Combobox.List>
          </Combobox.Popup>
        </Combobox.Positioner>
      </Combobox.Portal>
    </Combobox.Root>
  );
};
