import { X } from "lucide-react";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { findOther, MULTI_SELECT, type MultiSelectProps } from "./multi-select-field";
import { useLateCode } from "./use-late-code";

// A quarter of a form's weight.
const loadList = async () => ({ default: (await import("./multi-select-list")).MultiSelectList });

/**
 * Chooses several values from a searchable list, shown as chips in the field. The list's code loads when the field is
 * used, and takes over the text typed until then.
 */
export const MultiSelect = (props: MultiSelectProps) => {
  const { label, values, onChange, control, placeholder } = props;
  const { t } = useTranslation();
  const { Piece, expect, want } = useLateCode(loadList);
  const [text, setText] = useState("");
  const [isFocused, setFocused] = useState(false);
  const [isComposing, setComposing] = useState(false);
  const opensList = useRef(false);
  // Replacing the field would lose an input method's composition.
  if (Piece && !isComposing)
    return <Piece {...props} atFirst={{ text, isFocused, isOpen: opensList.current || text !== "" }} />;
  const addOther = (): void => {
    const other = findOther(text, props);
    if (other === undefined) return;
    onChange([...values, other]);
    setText("");
  };
  return (
    <div aria-invalid={control["aria-invalid"]} className={MULTI_SELECT.field} onPointerEnter={expect}>
      {values.map((value) => (
        <span key={value} className={MULTI_SELECT.chip}>
          <span className="truncate">{value}</span>
          <button
            type="button"
            tabIndex={-1}
            aria-label={t("action.removeItem", { item: value })}
            className={MULTI_SELECT.remove}
            onClick={() => onChange(values.filter((other) => other !== value))}
          >
            <X aria-hidden className="size-3" />
          </button>
        </span>
      ))}
      <input
        {...control}
        role="combobox"
        aria-label={label}
        aria-haspopup="listbox"
        aria-expanded={false}
        autoComplete="off"
        placeholder={values.length === 0 ? placeholder : undefined}
        className={MULTI_SELECT.input}
        value={text}
        onPointerDown={() => {
          opensList.current = true;
        }}
        // Replacing the field between press and release would lose the click.
        onClick={want}
        onFocus={() => {
          setFocused(true);
          if (opensList.current) expect();
          else want();
        }}
        onChange={(event) => {
          setText(event.target.value);
          want();
        }}
        onCompositionStart={() => setComposing(true)}
        onCompositionEnd={() => setComposing(false)}
        onKeyDown={(event) => {
          if (event.key === "ArrowDown" || event.key === "ArrowUp") opensList.current = true;
          if (event.key !== "Enter" || event.nativeEvent.isComposing || text === "") return;
          // Enter would submit the form.
          event.preventDefault();
          addOther();
        }}
        onBlur={() => {
          setFocused(false);
          addOther();
        }}
      />
    </div>
  );
};
