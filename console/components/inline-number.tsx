import { readWholeNumber } from "../lib/typed-number";

interface InlineNumberProps {
  label: string;
  value: number;
  /** Called when the field is left with a different number. An empty or rejected number is reset. */
  onCommit: (value: number) => Promise<unknown>;
  min?: number;
  disabled?: boolean;
}

/** A number edited in place: Enter or leaving the field saves it, Escape resets it. */
export const InlineNumber = ({ label, value, onCommit, min, disabled }: InlineNumberProps) => {
  const commit = (field: HTMLInputElement) => {
    const typed = readWholeNumber(field.value);
    const next = min === undefined ? typed : Math.max(min, typed);
    field.value = String(Number.isNaN(next) ? value : next);
    if (Number.isNaN(next) || next === value) return;
    onCommit(next).catch(() => {
      field.value = String(value);
    });
  };

  return (
    <input
      // Keyed by the value, so that the server's answer replaces the typed text.
      key={value}
      type="number"
      step={1}
      aria-label={label}
      defaultValue={value}
      disabled={disabled}
      onBlur={(event) => commit(event.currentTarget)}
      onKeyDown={(event) => {
        if (event.key === "Enter") event.currentTarget.blur();
        if (event.key === "Escape") {
          event.currentTarget.value = String(value);
          event.currentTarget.blur();
        }
      }}
      className="control h-control-small w-14 bg-transparent px-2 text-end tabular-nums not-focus:border-line"
    />
  );
};
