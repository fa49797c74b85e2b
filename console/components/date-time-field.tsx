import { CalendarClock } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Field, type FieldLayout } from "./field";
import { Late } from "./late-popup";

// Loaded on demand, because the calendar is rarely opened.
const loadPopup = () => import("./date-time-popup");

interface DateTimeFieldProps {
  label: string;
  /** YYYY-MM-DD HH:mm:ss, or an incomplete typed text. */
  value: string;
  onChange: (value: string) => void;
  placeholder?: string;
  hint?: ReactNode;
  error?: string;
  layout?: FieldLayout;
  className?: string;
}

/** A point in time, typed or picked. Typed text is kept unchanged: the form validates it. */
export const DateTimeField = ({
  label,
  value,
  onChange,
  placeholder,
  hint,
  error,
  layout,
  className,
}: DateTimeFieldProps) => {
  const { t } = useTranslation();
  return (
    <Field label={label} hint={hint} error={error} layout={layout} className={className}>
      {(control) => (
        <div className="control flex items-center pe-1" aria-invalid={control["aria-invalid"]}>
          <input
            {...control}
            value={value}
            onChange={(event) => onChange(event.target.value)}
            placeholder={placeholder ?? t("date.placeholder")}
            inputMode="numeric"
            autoComplete="off"
            spellCheck={false}
            className="h-full min-w-0 flex-1 bg-transparent tabular-nums outline-none"
          />
          <Late
            popup="dialog"
            load={loadPopup}
            with={{ label: t("date.pick", { label }), value, onChange }}
            trigger={
              <button
                type="button"
                aria-label={t("date.pick", { label })}
                className="touch grid size-6 shrink-0 place-items-center rounded-sm text-ink-3 hover:bg-hover hover:text-ink"
              >
                <CalendarClock aria-hidden className="size-4" />
              </button>
            }
          />
        </div>
      )}
    </Field>
  );
};
