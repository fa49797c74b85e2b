import { X } from "lucide-react";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { findOther, MULTI_SELECT, type MultiSelectProps } from "./multi-select-field";
import { useLateCode } from "./use-late-code";

// A quarter of what a form would weigh.
const loadList = async () => ({ default: (await import("./multi-select-list")).MultiSelectList });

/**
 * Chooses several of a list that is searched by typing; the choice stands as chips in the field. The list comes when a
 * person turns to the field, and takes over what was typed until then.
 */
export const MultiSelect = (props: MultiSelectProps) => {
  const { label, values, onChange, control, placeholder } = props;
  const { t } = useTranslation();
  const { Piece, expect, want } = useLateCode(loadList);
  const [text, setText] = useState("");
  const [isFocused, setFocused] = useState(false);
  const [isComposing, setComposing] = useState(false);
  const opensList = useRef(false);
  // What an input method is composing would be lost with its field.
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
        // A field that is replaced between press and release would lose the click.
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
          // The form around it would be sent.
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
