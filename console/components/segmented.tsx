import { clsx } from "clsx";
import { useId } from "react";

export interface Segment<Value> {
  value: Value;
  label: string;
  /** Reason that it is disabled; undefined if enabled. */
  refusal?: string;
}

interface SegmentedProps<Value> {
  /** The subject of the choice. */
  label: string;
  value: Value;
  segments: readonly Segment<Value>[];
  onChange: (value: Value) => void;
  className?: string;
}

/** Chooses one of a few always visible options. */
export const Segmented = <Value extends string>({
  label,
  value,
  segments,
  onChange,
  className,
}: SegmentedProps<Value>) => {
  const name = useId();
  return (
    <fieldset
      className={clsx(
        "flex min-w-0 max-w-full flex-wrap rounded-md border border-line-strong bg-surface p-0.5",
        className,
      )}
    >
      <legend className="sr-only">{label}</legend>
      {segments.map((segment) => (
        <label key={segment.value} title={segment.refusal} className="segment">
          <input
            type="radio"
            name={name}
            checked={segment.value === value}
            disabled={segment.refusal !== undefined}
            onChange={() => onChange(segment.value)}
          />
          {segment.label}
        </label>
      ))}
    </fieldset>
  );
};
