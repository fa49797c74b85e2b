import { Autocomplete } from "@base-ui/react/autocomplete";
import { useQuery } from "@tanstack/react-query";
import { useLayoutEffect, useRef, useState } from "react";
import { type Suggestion, type SuggestionSource, suggestionsQuery } from "../lib/suggestions";
import { usePaused } from "../lib/use-paused";
import type { ControlProps } from "./field";

export interface SuggestInputProps {
  label: string;
  control: ControlProps;
  value: string;
  placeholder?: string;
  source: SuggestionSource;
  onType: (text: string) => void;
  onChoose: (value: string) => void;
  /** It replaces a field in use. */
  isFocusedAtFirst: boolean;
}

/** A text field with a list of matching records below it. */
const SuggestInput = ({
  label,
  control,
  value,
  placeholder,
  source,
  onType,
  onChoose,
  isFocusedAtFirst,
}: SuggestInputProps) => {
  const input = useRef<HTMLInputElement>(null);
  const [isOpen, setOpen] = useState(isFocusedAtFirst);
  const typed = usePaused(value.trim());
  const { data = [] } = useQuery({ ...suggestionsQuery(source, typed), enabled: isOpen });
  // An effect, because the focus was lost with the plain field: no keystroke may be lost in between.
  useLayoutEffect(() => {
    if (!isFocusedAtFirst) return;
    // The person has gone on to another field since this one was asked for.
    if (document.activeElement !== document.body) {
      setOpen(false);
      return;
    }
    const end = input.current?.value.length ?? 0;
    input.current?.focus();
    input.current?.setSelectionRange(end, end);
  }, [isFocusedAtFirst]);
  return (
    <Autocomplete.Root
      items={data}
      mode="none"
      value={value}
      itemToStringValue={(item: Suggestion) => item.value}
      // An open list hides the rest of the page from screen readers, so an empty one stays closed.
      open={isOpen && data.length > 0}
      onOpenChange={setOpen}
      openOnInputClick
      onValueChange={(text, { reason }) => (reason === "item-press" ? onChoose(text) : onType(text))}
    >
      <Autocomplete.Input
        {...control}
        ref={input}
        className="control"
        // The visible label is hidden from screen readers while the list is open, like everything around it.
        aria-label={label}
        placeholder={placeholder}
        autoComplete="off"
        spellCheck={false}
        // A list that loads late must not open below a field that was left or submitted.
        onBlur={() => setOpen(false)}
        // An input method's Enter ends the composition, and leaves the list open.
        onKeyDown={({ key, nativeEvent }) => key === "Enter" && !nativeEvent.isComposing && setOpen(false)}
      />
      <Autocomplete.Portal>
        <Autocomplete.Positioner sideOffset={4} className="z-45">
          <Autocomplete.Popup className="floating max-h-[min(320px,var(--available-height))] w-max min-w-(--anchor-width) max-w-[min(24rem,var(--available-width))] overflow-y-auto p-1">
            <Autocomplete.List>
              {(item: Suggestion) => (
                <Autocomplete.Item
                  key={item.value}
                  value={item}
                  className="flex min-h-control cursor-pointer items-center gap-3 rounded-sm px-2.5 text-sm outline-none data-highlighted:bg-hover"
                >
                  <span className="min-w-0 flex-1 truncate">{item.label}</span>
                  {item.hint && <span className="text-ink-3 tabular-nums">{item.hint}</span>}
                </Autocomplete.Item>
              )}
            </Autocomplete.List>
          </Autocomplete.Popup>
        </Autocomplete.Positioner>
      </Autocomplete.Portal>
    </Autocomplete.Root>
  );
};

export default SuggestInput;
