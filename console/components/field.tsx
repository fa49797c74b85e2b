import { clsx } from "clsx";
import { type ReactNode, useId } from "react";

/** Attributes that let screen readers announce a control's label, hint and mistake. */
export interface ControlProps {
  id: string;
  "aria-describedby"?: string;
  "aria-invalid"?: boolean;
}

interface FieldProps {
  label: string;
  hint?: ReactNode;
  error?: string;
  /** Marks the label of a required field. */
  isRequired?: boolean;
  /** Shown at the right end of the label's line. */
  aside?: ReactNode;
  /** For many fields in little room: the label is before the control, except on a phone. */
  isInline?: boolean;
  /** A settings row: on a wide screen label and hint are at the left, the control at the right. */
  isRow?: boolean;
  className?: string;
  children: (control: ControlProps) => ReactNode;
}

/** Class of a settings row: description at the left, control at the right. */
export const SETTING_ROW =
  "grid min-w-0 items-start gap-x-8 gap-y-1.5 lg:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]";

const INLINE = "wide:flex-row wide:items-baseline wide:gap-2";

/** A labelled form field: label, control, then its mistake or its hint. */
export const Field = ({
  label,
  hint,
  error,
  isRequired,
  aside,
  isRow = false,
  isInline = false,
  className,
  children,
}: FieldProps) => {
  const id = useId();
  const errorId = `${id}-note`;
  const hintId = isRow ? `${id}-hint` : errorId;
  const isHinted = hint !== undefined && hint !== "" && hint !== false && (isRow || !error);
  const note = isHinted && (
    <div id={hintId} className="whitespace-pre-line text-sm text-ink-2">
      {hint}
    </div>
  );
  const described = [isHinted && hintId, error && errorId].filter(Boolean).join(" ");
  return (
    <div
      className={clsx(isRow ? SETTING_ROW : "flex min-w-0 flex-col gap-1.5", isInline && INLINE, className)}
    >
      <div className={isRow ? "min-w-0" : isInline ? "shrink-0" : "contents"}>
        <div className="flex flex-wrap items-center justify-between gap-x-3">
          <label htmlFor={id} className={isInline ? "text-ink-2 text-sm" : "font-medium text-sm"}>
            {label}
            {isRequired && (
              <span aria-hidden className="ms-0.5 text-red">
                *
              </span>
            )}
          </label>
          {aside}
        </div>
        {isRow && note}
      </div>
      <div className={isRow || isInline ? "flex min-w-0 flex-1 flex-col gap-1.5" : "contents"}>
        {children({
          id,
          "aria-describedby": described || undefined,
          "aria-invalid": error ? true : undefined,
        })}
        {error && (
          <div id={errorId} className="whitespace-pre-line text-sm text-red">
            {error}
          </div>
        )}
        {!isRow && note}
      </div>
    </div>
  );
};
