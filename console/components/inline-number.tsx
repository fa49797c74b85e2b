interface InlineNumberProps {
  label: string;
  value: number;
  /**
   * Called when the field is left with another number in it. An emptied field goes back to what it was, and so does
   * one whose number is refused.
   */
  onCommit: (value: number) => Promise<unknown>;
  min?: number;
  disabled?: boolean;
}

/** A number that is edited where it stands: it is saved on Enter or when the field is left, Escape takes it back. */
export const InlineNumber = ({ label, value, onCommit, min, disabled }: InlineNumberProps) => {
  const commit = (field: HTMLInputElement) => {
    const typed = Number.parseInt(field.value, 10);
    const next = min === undefined ? typed : Math.max(min, typed);
    field.value = String(Number.isNaN(next) ? value : next);
    if (Number.isNaN(next) || next === value) return;
    onCommit(next).catch(() => {
      field.value = String(value);
    });
  };

  return (
    <input
      // Keyed by the value, so that the server's answer replaces what was typed.
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
      className="control h-7 w-16 bg-transparent px-2 text-end tabular-nums not-focus:border-line"
    />
  );
};
