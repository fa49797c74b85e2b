import type { JsonFieldProps } from "./json-editor";
import { LazyBoundary } from "./lazy-boundary";

// Loaded with the first JSON field.
const loadJsonEditor = () => import("./json-editor");

/** A JSON text in an editor with colours and marked mistakes; a plain text area until or unless its code has loaded. */
export const JsonField = (props: JsonFieldProps) => {
  const { control, label, value, onChange, placeholder, disabled } = props;
  return (
    <LazyBoundary
      load={loadJsonEditor}
      with={props}
      fallback={
        <textarea
          {...control}
          aria-label={label}
          className="control field-sizing-content h-auto max-h-[420px] min-h-40 py-2 font-mono text-sm leading-relaxed"
          value={value}
          placeholder={placeholder}
          disabled={disabled}
          spellCheck={false}
          onChange={({ target }) => onChange(target.value)}
        />
      }
    />
  );
};
