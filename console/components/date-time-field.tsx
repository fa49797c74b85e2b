import { Popover } from "@base-ui/react/popover";
import { CalendarClock } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { formatDate, parseDate } from "../lib/format";
import { Field } from "./field";
import { LazyBoundary } from "./lazy-boundary";

// The calendar is only fetched by those who open it.
const loadDateTimePanel = () => import("./date-time-panel");

interface DateTimeFieldProps {
  label: string;
  /** YYYY-MM-DD HH:mm:ss, or whatever was typed so far. */
  value: string;
  onChange: (value: string) => void;
  placeholder?: string;
  hint?: ReactNode;
  error?: string;
  isInline?: boolean;
  className?: string;
}

/** A point in time, typed or picked. Typed text is kept as it is: whether it is a date, the form decides. */
export const DateTimeField = ({
  label,
  value,
  onChange,
  placeholder,
  hint,
  error,
  isInline,
  className,
}: DateTimeFieldProps) => {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  return (
    <Field label={label} hint={hint} error={error} isInline={isInline} className={className}>
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
          <Popover.Root open={isOpen} onOpenChange={setOpen}>
            <Popover.Trigger
              aria-label={t("date.pick", { label })}
              className="grid size-6 shrink-0 place-items-center rounded-sm text-ink-3 hover:bg-hover hover:text-ink"
            >
              <CalendarClock aria-hidden className="size-4" />
            </Popover.Trigger>
            <Popover.Portal>
              <Popover.Positioner align="end" sideOffset={8} collisionPadding={8} className="z-45">
                <Popover.Popup
                  aria-label={t("date.pick", { label })}
                  className="floating min-h-80 w-[288px] p-3"
                >
                  <LazyBoundary
                    load={loadDateTimePanel}
                    with={{
                      date: parseDate(value),
                      onChange: (date: Date) => onChange(formatDate(date)),
                      onDone: () => setOpen(false),
                    }}
                    onMissing={() => setOpen(false)}
                  />
                </Popover.Popup>
              </Popover.Positioner>
            </Popover.Portal>
          </Popover.Root>
        </div>
      )}
    </Field>
  );
};
