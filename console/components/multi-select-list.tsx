import { Combobox } from "@base-ui/react/combobox";
import { Check, X } from "lucide-react";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { findOther, MULTI_SELECT, type MultiSelectProps } from "./multi-select-field";

interface MultiSelectListProps extends MultiSelectProps {
  /** The state of the plain field that it replaces. */
  atFirst: { text: string; isFocused: boolean; isOpen: boolean };
}

/** A field for several choices, with its list. */
export const MultiSelectList = ({ atFirst, ...props }: MultiSelectListProps) => {
  const { label, values, options, onChange, control, placeholder, allowsOthers = false } = props;
  const { t } = useTranslation();
  const field = useRef<HTMLDivElement>(null);
  const [text, setText] = useState(atFirst.text);
  const other = findOther(text, props);
  const known = [...new Set([...options, ...values])];
  const items = other === undefined ? known : [...known, other];
  return (
    <Combobox.Root
      items={items}
      multiple
      value={values}
      inputValue={text}
      onInputValueChange={setText}
      autoHighlight={allowsOthers}
      defaultOpen={atFirst.isFocused && atFirst.isOpen}
      onOpenChange={(isOpen, { reason }) => {
        // Leaving the field accepts the typed text.
        const isLeft = reason === "outside-press" || reason === "focus-out";
        if (!isOpen && isLeft && other !== undefined) onChange([...values, other]);
      }}
      // Escape closes the list; on a closed one it would clear the choice.
      onValueChange={(next, { reason }) => {
        if (reason !== "escape-key") onChange(next);
      }}
    >
      <Combobox.Chips ref={field} aria-invalid={control["aria-invalid"]} className={MULTI_SELECT.field}>
        {values.map((value) => (
          <Combobox.Chip key={value} aria-label={value} className={MULTI_SELECT.chip}>
            <span className="truncate">{value}</span>
            <Combobox.ChipRemove
              aria-label={t("action.removeItem", { item: value })}
              className={MULTI_SELECT.remove}
            >
              <X aria-hidden className="size-3" />
            </Combobox.ChipRemove>
          </Combobox.Chip>
        ))}
        <Combobox.Input
          {...control}
          // The visible label is hidden from screen readers while the list is open, like everything around it.
          aria-label={label}
          autoFocus={atFirst.isFocused}
          placeholder={values.length === 0 ? placeholder : undefined}
          className={MULTI_SELECT.input}
        />
      </Combobox.Chips>
      <Combobox.Portal>
        {/* As wide as the field: its input is as wide as the chips leave it. */}
        <Combobox.Positioner anchor={field} sideOffset={4} className="z-45">
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
                    {item === other ? t("select.add", { item }) : item}
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
