import {
  type ChannelCalendar,
  type ChannelHours,
  type ChannelWindow,
  WINDOW_UNITS,
  type WindowUnit,
} from "@tollgate/contract/management/channel-calendar";
import { clsx } from "clsx";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { DateTimeField } from "../../components/date-time-field";
import { EditableRows } from "../../components/editable-rows";
import { Select } from "../../components/select";
import { SelectField } from "../../components/select-field";
import { formatTime, parseDate } from "../../lib/format";

interface CalendarFieldProps {
  value: ChannelCalendar;
  onChange: (value: ChannelCalendar) => void;
  /** The mistake in the calendar. */
  error?: string;
}

const DAYS = [1, 2, 3, 4, 5, 6, 7] as const;
const OFFICE: ChannelHours = { days: [1, 2, 3, 4, 5], from: "08:00", to: "18:00" };
const PLAN: ChannelWindow = { hours: 5, limit: 1000, unit: "requests" };

const unlessEmpty = <T,>(list: T[]): T[] | undefined => (list.length === 0 ? undefined : list);

const ownZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;

const zonesOf = (chosen: string): string[] =>
  [...new Set([chosen, ownZone(), "UTC", ...Intl.supportedValuesOf("timeZone")])].filter(
    (zone) => zone !== "",
  );

type Put = (change: { [Name in keyof ChannelCalendar]: ChannelCalendar[Name] | undefined }) => void;

/** The calendar of a channel: opening hours, usage per time window, and end. */
const CalendarField = ({ value, onChange, error }: CalendarFieldProps) => {
  const { t } = useTranslation();
  const { endsAt } = value;
  const [typedEnd, setTypedEnd] = useState(endsAt === undefined ? "" : formatTime(endsAt));
  const put: Put = (change) =>
    onChange(
      Object.fromEntries(
        Object.entries({ ...value, ...change }).filter(([, each]) => each !== undefined),
      ) as ChannelCalendar,
    );
  return (
    <fieldset className="flex flex-col gap-5">
      <legend className="sr-only">{t("calendar.title")}</legend>
      <Hours calendar={value} put={put} />
      <Windows calendar={value} put={put} />
      <DateTimeField
        label={t("calendar.endsAt")}
        hint={t("calendar.endsAtHint")}
        error={error}
        value={typedEnd}
        onChange={(text) => {
          setTypedEnd(text);
          const endMs = parseDate(text)?.getTime() ?? Number.NaN;
          put({ endsAt: text.trim() === "" ? undefined : Math.floor(endMs / 1000) });
        }}
        className="max-w-72"
      />
    </fieldset>
  );
};

interface CalendarPartProps {
  calendar: ChannelCalendar;
  put: Put;
}

/** The weekly opening hours of a channel. */
const Hours = ({ calendar: { hours = [], timeZone }, put }: CalendarPartProps) => {
  const { t } = useTranslation();
  return (
    <Part
      title={t("calendar.hours")}
      hint={hours.length === 0 ? t("calendar.always") : t("calendar.hoursHint")}
    >
      <EditableRows
        rows={hours}
        onChange={(next) =>
          put(
            next.length === 0
              ? { hours: undefined, timeZone: undefined }
              : { hours: next, timeZone: timeZone ?? ownZone() },
          )
        }
        add={t("calendar.addHours")}
        blank={() => OFFICE}
        remove={() => t("calendar.removeHours")}
        className="gap-2.5"
        rowClassName="flex flex-wrap items-center gap-x-3 gap-y-2"
      >
        {(range, putRange) => (
          <>
            <Days chosen={range.days} onChange={(days) => putRange({ ...range, days })} />
            <span className="flex items-center gap-2">
              <TimeInput
                label={t("calendar.from")}
                value={range.from}
                onChange={(from) => putRange({ ...range, from })}
              />
              –
              <TimeInput
                label={t("calendar.to")}
                value={range.to === "24:00" ? "00:00" : range.to}
                onChange={(to) => putRange({ ...range, to })}
              />
            </span>
          </>
        )}
      </EditableRows>
      {hours.length > 0 && (
        <SelectField
          label={t("calendar.timeZone")}
          className="max-w-72"
          value={timeZone ?? "UTC"}
          options={zonesOf(timeZone ?? "UTC").map((zone) => ({ value: zone, label: zone }))}
          onChange={(zone) => put({ timeZone: zone })}
        />
      )}
    </Part>
  );
};

interface DaysProps {
  chosen: readonly number[];
  onChange: (days: ChannelHours["days"]) => void;
}

/** Days of the week, at least one. */
const Days = ({ chosen, onChange }: DaysProps) => {
  const { t } = useTranslation();
  return (
    <fieldset className="flex gap-1">
      <legend className="sr-only">{t("calendar.days")}</legend>
      {DAYS.map((day) => (
        <label
          key={day}
          className={clsx(
            "grid size-8 cursor-pointer place-items-center rounded-sm border text-sm has-focus-visible:outline-2 has-focus-visible:outline-accent",
            chosen.includes(day)
              ? "border-accent bg-accent-soft font-medium text-accent"
              : "border-line text-ink-2",
          )}
        >
          <input
            type="checkbox"
            className="sr-only"
            aria-label={t(`calendar.day.${day}`)}
            checked={chosen.includes(day)}
            onChange={({ target }) => {
              const days = DAYS.filter((each) => (each === day ? target.checked : chosen.includes(each)));
              if (days.length > 0) onChange(days);
            }}
          />
          {t(`calendar.short.${day}`)}
        </label>
      ))}
    </fieldset>
  );
};

interface TimeInputProps {
  label: string;
  value: string;
  onChange: (time: string) => void;
}

const TimeInput = ({ label, value, onChange }: TimeInputProps) => (
  <input
    type="time"
    aria-label={label}
    value={value}
    onChange={({ target }) => target.value && onChange(target.value)}
    className="control w-28 tabular-nums"
  />
);

/** Usage limits of a channel per time window. */
const Windows = ({ calendar: { windows = [] }, put }: CalendarPartProps) => {
  const { t } = useTranslation();
  return (
    <Part title={t("calendar.windows")} hint={t("calendar.windowsHint")}>
      <EditableRows
        rows={windows}
        onChange={(next) => put({ windows: unlessEmpty(next) })}
        add={t("calendar.addWindow")}
        blank={() => (windows.length === 0 ? PLAN : { ...PLAN, hours: 168 })}
        remove={() => t("calendar.removeWindow")}
        className="gap-2.5"
        rowClassName="flex flex-wrap items-center gap-x-2 gap-y-2 text-sm"
      >
        {(window, putWindow) => (
          <>
            <span>{t("calendar.in")}</span>
            <NumberInput
              label={t("calendar.windowHours")}
              value={window.hours}
              max={744}
              onChange={(next) => putWindow({ ...window, hours: next })}
              className="w-20"
            />
            <span>{t("calendar.hoursAtMost")}</span>
            <NumberInput
              label={t("calendar.windowLimit")}
              value={window.limit}
              max={Number.MAX_SAFE_INTEGER}
              onChange={(next) => putWindow({ ...window, limit: next })}
              className="w-32"
            />
            <Select
              label={t("calendar.unit")}
              value={window.unit}
              groups={[
                {
                  options: WINDOW_UNITS.map((unit) => ({
                    value: unit,
                    label: t(`calendar.units.${unit}`),
                  })),
                },
              ]}
              onChange={(unit: WindowUnit) => putWindow({ ...window, unit })}
              className="w-28"
            />
          </>
        )}
      </EditableRows>
    </Part>
  );
};

interface PartProps {
  title: string;
  hint: string;
  children: ReactNode;
}

const Part = ({ title, hint, children }: PartProps) => (
  <div className="flex flex-col gap-2.5">
    <div>
      <div className="font-medium text-sm">{title}</div>
      <p className="text-sm text-ink-2">{hint}</p>
    </div>
    {children}
  </div>
);

interface NumberInputProps {
  label: string;
  value: number;
  max: number;
  onChange: (value: number) => void;
  className: string;
}

/** A whole number from 1 on; invalid input is ignored while typing. */
const NumberInput = ({ label, value, max, onChange, className }: NumberInputProps) => {
  const [typed, setTyped] = useState<string>();
  return (
    <input
      inputMode="numeric"
      aria-label={label}
      value={typed ?? value}
      aria-invalid={typed !== undefined && Number(typed) !== value}
      onChange={({ target }) => {
        setTyped(target.value);
        const next = Number(target.value);
        if (/^\d+$/.test(target.value) && next >= 1 && next <= max) onChange(next);
      }}
      onBlur={() => setTyped(undefined)}
      className={clsx("control tabular-nums", className)}
    />
  );
};

export default CalendarField;
