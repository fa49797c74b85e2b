import { clsx } from "clsx";
import { type ReactNode, useId } from "react";

/** Attributes that let screen readers announce a control's label, hint and mistake. */
export interface ControlProps {
  id: string;
  "aria-describedby"?: string;
  "aria-invalid"?: boolean;
}

/** Attributes of a fieldset that stands for one control: a form finds its mistake like that of a control. */
export const groupProps = ({ "aria-invalid": isInvalid, ...control }: ControlProps) => ({
  ...control,
  "data-invalid": isInvalid,
});

/**
 * Arrangement of a field's parts. "stacked": one below the other. "inline", for many fields in little room: the label is
 * before the control, except on a phone. "row", for settings: on a wide screen label and hint are at the left, the
 * control at the right.
 */
export type FieldLayout = "stacked" | "inline" | "row";

interface FieldProps {
  label: string;
  hint?: ReactNode;
  error?: string;
  /** Marks the label of a required field. */
  isRequired?: boolean;
  /** Shown at the right end of the label's line. */
  aside?: ReactNode;
  layout?: FieldLayout | undefined;
  className?: string;
  children: (control: ControlProps) => ReactNode;
}

/** Class of a settings row: description at the left, control at the right. */
export const SETTING_ROW =
  "grid min-w-0 items-start gap-x-8 gap-y-1.5 lg:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]";

const STACK = "flex min-w-0 flex-col gap-1.5";

interface LayoutClasses {
  field: string;
  /** Around the label, and around the hint of a row. */
  head: string;
  label: string;
  /** Around the control and its notes. */
  body: string;
}

const LAYOUTS: Readonly<Record<FieldLayout, LayoutClasses>> = {
  stacked: { field: STACK, head: "contents", label: "font-medium text-sm", body: "contents" },
  inline: {
    field: `${STACK} wide:flex-row wide:items-baseline wide:gap-2`,
    head: "shrink-0",
    label: "text-ink-2 text-sm",
    body: `${STACK} flex-1`,
  },
  row: { field: SETTING_ROW, head: "min-w-0", label: "font-medium text-sm", body: `${STACK} flex-1` },
};

/** A labelled form field: label, control, then its mistake or its hint. */
export const Field = ({
  label,
  hint,
  error,
  isRequired,
  aside,
  layout = "stacked",
  className,
  children,
}: FieldProps) => {
  const id = useId();
  const classes = LAYOUTS[layout];
  const isRow = layout === "row";
  // Where the mistake is shown in the hint's position, it replaces the hint.
  const shownHint = error && !isRow ? undefined : hint;
  const hintId = shownHint ? `${id}-hint` : undefined;
  const errorId = error ? `${id}-note` : undefined;
  const hintNote = <Note id={hintId} color="text-ink-2" text={shownHint} />;
  return (
    <div className={clsx(classes.field, className)}>
      <div className={classes.head}>
        <div className="flex flex-wrap items-center justify-between gap-x-3">
          <label htmlFor={id} className={classes.label}>
            {label}
            {isRequired && (
              <span aria-hidden className="ms-0.5 text-red">
                *
              </span>
            )}
          </label>
          {aside}
        </div>
        {isRow && hintNote}
      </div>
      <div className={classes.body}>
        {children({
          id,
          "aria-describedby": [hintId, errorId].filter(Boolean).join(" ") || undefined,
          "aria-invalid": error ? true : undefined,
        })}
        <Note id={errorId} color="text-red" text={error} />
        {!isRow && hintNote}
      </div>
    </div>
  );
};

interface NoteProps {
  /** Undefined without a text. */
  id: string | undefined;
  color: string;
  text: ReactNode;
}

/** The hint or the mistake of a field. */
const Note = ({ id, color, text }: NoteProps) =>
  id !== undefined && (
    <div id={id} className={clsx("whitespace-pre-line text-sm", color)}>
      {text}
    </div>
  );
