import { type ComponentType, useRef, useState } from "react";
import type { SuggestionSource } from "../lib/suggestions";
import { Field } from "./field";
import type { SuggestInputProps } from "./suggest-input";

interface SuggestFieldProps {
  label: string;
  value: string;
  placeholder?: string;
  error?: string;
  /** Name of the record behind the value, if the value is not a name. */
  name?: string | undefined;
  source: SuggestionSource;
  onType: (text: string) => void;
  onChoose: (value: string) => void;
}

/** A text field with suggested records from the server. Any other text is accepted as well. */
export const SuggestField = ({ label, error, name, ...field }: SuggestFieldProps) => {
  const plain = useRef<HTMLInputElement>(null);
  const isWanted = useRef(false);
  const isComposing = useRef(false);
  const [Piece, setPiece] = useState<ComponentType<SuggestInputProps>>();
  const [isFocused, setFocused] = useState(false);
  /** Loads the suggestion list. Until it has loaded, and if it does not, the field is a plain text field. */
  const want = (): void => {
    if (isWanted.current) return;
    isWanted.current = true;
    import("./suggest-input").then(
      ({ default: Input }) => {
        const replace = () => {
          setFocused(plain.current === document.activeElement);
          setPiece(() => Input);
        };
        // Replacing the input would end an input method's composition.
        if (isComposing.current) plain.current?.addEventListener("compositionend", replace, { once: true });
        else replace();
      },
      () => {
        isWanted.current = false;
      },
    );
  };
  return (
    <Field label={label} error={error} layout="inline">
      {(control) => (
        <div className="relative">
          {Piece ? (
            <Piece {...field} label={label} control={control} isFocusedAtFirst={isFocused} />
          ) : (
            <input
              {...control}
              ref={plain}
              className="control"
              value={field.value}
              placeholder={field.placeholder}
              autoComplete="off"
              spellCheck={false}
              onChange={({ target }) => field.onType(target.value)}
              onCompositionStart={() => {
                isComposing.current = true;
              }}
              onCompositionEnd={() => {
                isComposing.current = false;
              }}
              onPointerEnter={want}
              onFocus={want}
            />
          )}
          {name !== undefined && (
            <span className="pointer-events-none absolute inset-y-0 end-2 flex max-w-3/5 items-center text-ink-2 text-sm">
              <span className="truncate">{name}</span>
            </span>
          )}
        </div>
      )}
    </Field>
  );
};
