import { Autocomplete } from "@base-ui/react/autocomplete";
import { ChevronDown } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Field } from "./field";

interface SuggestFieldProps {
  label: string;
  value: string;
  /** What is suggested; anything else may be typed as well. */
  options: readonly string[];
  onChange: (value: string) => void;
  placeholder?: string;
  hint?: ReactNode;
  error?: string;
}

/** One line of text with a list of known values that is searched by typing. */
export const SuggestField = ({
  label,
  value,
  options,
  onChange,
  placeholder,
  hint,
  error,
}: SuggestFieldProps) => {
  const { t } = useTranslation();
  return (
    <Field label={label} hint={hint} error={error}>
      {(control) => (
        <Autocomplete.Root
          items={options}
          value={value}
          onValueChange={onChange}
          // The whole list shows until something else than a known value is typed.
          filter={options.includes(value) ? null : undefined}
          openOnInputClick
        >
          <Autocomplete.InputGroup className="control flex items-center pe-1">
            <Autocomplete.Input
              {...control}
              // The label itself is hidden from screen readers while the list is open, like all that is around it.
              aria-label={label}
              placeholder={placeholder}
              autoComplete="off"
              spellCheck={false}
              className="h-full min-w-0 flex-1 bg-transparent outline-none"
            />
            <Autocomplete.Trigger
              aria-label={t("select.open", { label })}
              className="grid size-6 shrink-0 place-items-center rounded-sm text-ink-3 hover:bg-hover hover:text-ink"
            >
              <ChevronDown aria-hidden className="size-4" />
            </Autocomplete.Trigger>
          </Autocomplete.InputGroup>
          <Autocomplete.Portal>
            <Autocomplete.Positioner sideOffset={5} className="z-30">
              <Autocomplete.Popup className="floating max-h-[min(320px,var(--available-height))] w-(--anchor-width) overflow-y-auto p-1 data-empty:hidden">
                <Autocomplete.List>
                  {(item: string) => (
                    <Autocomplete.Item
                      key={item}
                      value={item}
                      className="flex min-h-8 cursor-pointer items-center rounded-sm px-2.5 text-[13.5px] outline-none data-highlighted:bg-hover"
                    >
                      <span className="break-all">{item}</span>
                    </Autocomplete.Item>
                  )}
                </Autocomplete.List>
              </Autocomplete.Popup>
            </Autocomplete.Positioner>
          </Autocomplete.Portal>
        </Autocomplete.Root>
      )}
    </Field>
  );
};
