import { Combobox } from "@base-ui/react/combobox";
import { Check, X } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { ControlProps } from "./field";

interface MultiSelectProps {
  label: string;
  values: string[];
  /** What may be chosen; chosen values that are not among them are kept. */
  options: readonly string[];
  onChange: (values: string[]) => void;
  control: ControlProps;
  placeholder?: string;
  /** What is typed may be chosen as well, though nobody offers it. */
  allowsOthers?: boolean;
}

/** Chooses several of a list that is searched by typing; the choice stands as chips in the field. */
export const MultiSelect = ({
  label,
  values,
  options,
  onChange,
  control,
  placeholder,
  allowsOthers = false,
}: MultiSelectProps) => {
  const { t } = useTranslation();
  const [text, setText] = useState("");
  const typed = text.trim();
  const known = [...new Set([...options, ...values])];
  const other = allowsOthers && typed !== "" && !typed.includes(",") && !known.includes(typed);
  const items = other ? [...known, typed] : known;
  return (
    <Combobox.Root
      items={items}
      multiple
      value={values}
      inputValue={text}
      onInputValueChange={setText}
      autoHighlight={allowsOthers}
      onOpenChange={(isOpen, { reason }) => {
        // Who goes on to another field means what was typed.
        const isLeft = reason === "outside-press" || reason === "focus-out";
        if (!isOpen && isLeft && other) onChange([...values, typed]);
      }}
      // Escape closes the list; on a closed one it would throw the choice away.
      onValueChange={(next, { reason }) => {
        if (reason !== "escape-key") onChange(next);
      }}
    >
      <Combobox.Chips
        aria-invalid={control["aria-invalid"]}
        className="control flex h-auto max-h-60 min-h-control cursor-text flex-wrap gap-1 overflow-y-auto px-1.5 py-1"
      >
        {values.map((value) => (
          <Combobox.Chip
            key={value}
            aria-label={value}
            className="flex h-6 max-w-full items-center rounded-sm bg-sunken ps-2 text-sm outline-none data-highlighted:bg-accent-soft focus-within:bg-accent-soft"
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
          // The label itself is hidden from screen readers while the list is open, like all that is around it.
          aria-label={label}
          placeholder={values.length === 0 ? placeholder : undefined}
          className="h-6 min-w-24 flex-1 bg-transparent px-1 outline-none"
        />
      </Combobox.Chips>
      <Combobox.Portal>
        <Combobox.Positioner sideOffset={5} className="z-45">
          <Combobox.Popup className="floating max-h-[min(320px,var(--available-height))] w-(--anchor-width) overflow-y-auto p-1">
            <Combobox.Empty className="px-2.5 py-2 text-sm text-ink-2 empty:hidden">
              {t("select.nothing")}
            </Combobox.Empty>
            <Combobox.List>
              {(item: string) => (
                <Combobox.Item
                  key={item}
                  value={item}
                  className="flex min-h-control cursor-pointer items-center gap-2 rounded-sm px-2.5 text-sm outline-none data-highlighted:bg-hover"
                >
                  <span className="flex-1 break-all">
                    {other && item === typed ? t("select.add", { item }) : item}
                  </span>
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
