import { ChevronLeft, ChevronRight } from "lucide-react";
import { DayPicker } from "react-day-picker";
import { type DayPickerLocale, enUS, zhCN, zhTW } from "react-day-picker/locale";
import { useTranslation } from "react-i18next";
import { currentLanguage } from "../lib/i18n";
import type { Language } from "../lib/languages";
import { Button } from "./button";

interface DateTimePanelProps {
  date: Date | undefined;
  onChange: (date: Date) => void;
  onDone: () => void;
}

/** The calendar's own texts: names of days, and labels for screen readers. */
const CALENDARS: Readonly<Record<Language, DayPickerLocale>> = { "zh-CN": zhCN, "zh-TW": zhTW, en: enUS };

type TimePart = "hours" | "minutes" | "seconds";

const PARTS: { part: TimePart; max: number }[] = [
  { part: "hours", max: 23 },
  { part: "minutes", max: 59 },
  { part: "seconds", max: 59 },
];

const startOfToday = (): Date => {
  const now = new Date();
  return new Date(now.getFullYear(), now.getMonth(), now.getDate());
};

const partOf = (date: Date, part: TimePart): number =>
  part === "hours" ? date.getHours() : part === "minutes" ? date.getMinutes() : date.getSeconds();

const withPart = (date: Date, part: TimePart, value: number): Date => {
  const changed = new Date(date);
  if (part === "hours") changed.setHours(value);
  else if (part === "minutes") changed.setMinutes(value);
  else changed.setSeconds(value);
  return changed;
};

const Chevron = ({ orientation }: { orientation?: string }) =>
  orientation === "left" ? (
    <ChevronLeft aria-hidden className="size-4" />
  ) : (
    <ChevronRight aria-hidden className="size-4" />
  );

/**
 * The calendar and the time under it. The time has number fields: a browser's own time input uses the browser's
 * language, not the page's.
 */
export const DateTimePanel = ({ date, onChange, onDone }: DateTimePanelProps) => {
  const { t, i18n } = useTranslation();
  const shown = date ?? startOfToday();
  return (
    <>
      <DayPicker
        mode="single"
        required
        selected={date}
        defaultMonth={shown}
        locale={CALENDARS[currentLanguage()]}
        onSelect={(day) =>
          onChange(
            new Date(
              day.getFullYear(),
              day.getMonth(),
              day.getDate(),
              date?.getHours() ?? 0,
              date?.getMinutes() ?? 0,
              date?.getSeconds() ?? 0,
            ),
          )
        }
        formatters={{
          formatCaption: (month) =>
            month.toLocaleDateString(i18n.language, {
              year: "numeric",
              month: "long",
            }),
        }}
        components={{ Chevron }}
        classNames={{
          months: "relative",
          month_caption: "flex h-8 max-wide:h-9 items-center justify-center font-medium",
          nav: "absolute inset-x-0 top-0 flex h-8 max-wide:h-9 items-center justify-between",
          button_previous:
            "grid size-8 max-wide:size-9 place-items-center rounded-md text-ink-2 hover:bg-hover",
          button_next: "grid size-8 max-wide:size-9 place-items-center rounded-md text-ink-2 hover:bg-hover",
          month_grid: "mt-1 w-full",
          weekday: "h-8 font-normal text-xs text-ink-3",
          day: "p-0 text-center",
          day_button:
            "mx-auto grid size-8 max-wide:size-9 place-items-center rounded-md text-sm tabular-nums hover:bg-hover",
          today: "font-semibold text-accent",
          outside: "text-ink-3",
          selected: "[&>button]:bg-accent [&>button]:text-accent-ink",
        }}
      />
      <div className="mt-2 flex items-center gap-1.5 border-line border-t pt-3">
        {PARTS.map(({ part, max }, index) => (
          <span key={part} className="contents">
            {index > 0 && <span aria-hidden>:</span>}
            <input
              type="number"
              min={0}
              max={max}
              aria-label={t(`date.${part}`)}
              className="control px-1 text-center tabular-nums"
              value={String(partOf(shown, part)).padStart(2, "0")}
              onChange={(event) => {
                const value = Number(event.target.value);
                if (Number.isInteger(value) && value >= 0 && value <= max)
                  onChange(withPart(shown, part, value));
              }}
            />
          </span>
        ))}
        <Button size="small" className="ms-1" onClick={() => onChange(new Date())}>
          {t("date.now")}
        </Button>
        <Button size="small" variant="primary" onClick={onDone}>
          {t("date.done")}
        </Button>
      </div>
    </>
  );
};
