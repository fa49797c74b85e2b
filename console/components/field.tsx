import { clsx } from "clsx";
import { type ReactNode, useId } from "react";

/** What a control needs so that its label, hint and mistake are read out with it. */
export interface ControlProps {
  id: string;
  "aria-describedby"?: string;
  "aria-invalid"?: boolean;
}

interface FieldProps {
  label: string;
  hint?: ReactNode;
  error?: string;
  /** Marks the label of a field that must be filled. */
  isRequired?: boolean;
  /** Stands at the right end of the label's line. */
  aside?: ReactNode;
  className?: string;
  children: (control: ControlProps) => ReactNode;
}

/** A labelled form field: label, control, then its mistake or its hint. */
export const Field = ({ label, hint, error, isRequired, aside, className, children }: FieldProps) => {
  const id = useId();
  const noteId = `${id}-note`;
  const note = error ?? hint;
  return (
    <div className={clsx("flex min-w-0 flex-col gap-1.5", className)}>
      <div className="flex flex-wrap items-center justify-between gap-x-3">
        <label htmlFor={id} className="font-medium text-sm">
          {label}
          {isRequired && (
            <span aria-hidden className="ms-0.5 text-red">
              *
            </span>
          )}
        </label>
        {aside}
      </div>
      {children({
        id,
        "aria-describedby": note ? noteId : undefined,
        "aria-invalid": error ? true : undefined,
      })}
      {note && (
        <div
          id={noteId}
          className={
            error ? "whitespace-pre-line text-sm text-red" : "whitespace-pre-line text-sm text-ink-2"
          }
        >
          {note}
        </div>
      )}
    </div>
  );
};
