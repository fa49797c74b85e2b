import {
  LEAST_STATUS_REQUESTS,
  type ModelStatus,
  type StatusShare,
} from "@tollgate/contract/api/model-status";
import { clsx } from "clsx";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { TONE_TEXT, type Tone } from "../../components/badge";
import { formatSuccess } from "../../lib/format-measure";
import { useSession } from "../../lib/session";
import { barLines, type StatusSpan } from "./bar-lines";
import { LinkedBars } from "./linked-bars";

/** Shares of success from which service is good, or at least shaky. */
const WELL = 0.99;
const SHAKY = 0.9;

/** The share of an hour, day or period; null or undefined without requests. */
type Share = StatusShare | null | undefined;

export const statusTone = (success: Share): Tone => {
  if (typeof success !== "number") return "grey";
  if (success >= WELL) return "green";
  return success >= SHAKY ? "yellow" : "red";
};

const BAR: Record<Exclude<Tone, "grey">, string> = {
  green: "bg-green",
  olive: "bg-olive",
  yellow: "bg-yellow",
  red: "bg-red",
};
const FEW_BAR = "border border-line-strong bg-sunken";
const EMPTY_BAR = "self-end h-1 bg-line-strong";

/** Of the hour or day that has not ended, as in charts. */
const OPEN_BAR = "bg-[repeating-linear-gradient(135deg,transparent_0_3px,var(--surface)_3px_5px)]";

/** @param isOpen the bar's hour or day has not ended. */
const barClass = (share: Share, isOpen: boolean): string => {
  const tone = statusTone(share);
  const look = tone === "grey" ? (share === "few" ? FEW_BAR : EMPTY_BAR) : BAR[tone];
  return clsx(look, isOpen && look !== EMPTY_BAR && OPEN_BAR);
};

const WEEK_DAYS = 7;

const barsOf = ({ hours, days }: ModelStatus, span: StatusSpan): (StatusShare | null)[] => {
  if (span === "day") return hours;
  return span === "week" ? days.slice(-WEEK_DAYS) : days;
};

const GRID =
  "grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 border-line border-b px-4 wide:grid-cols-[minmax(0,15rem)_minmax(0,1fr)_5rem_6rem]";

/** Headings of the columns of `StatusBars` in a wide layout; each value has its own label for screen readers. */
export const StatusHead = ({ label, course }: { label: string; course: string }) => {
  const { t } = useTranslation();
  return (
    <div aria-hidden className={clsx(GRID, "py-2 text-ink-2 text-xs max-wide:hidden")}>
      <span>{label}</span>
      <span>{course}</span>
      <span className="text-end">{t("modelStatus.success")}</span>
      <span className="text-end">{t("modelStatus.firstByte")}</span>
    </div>
  );
};

/** Legend of the bars that are not one plain colour. */
export const StatusLegend = () => {
  const { t } = useTranslation();
  return (
    <ul aria-label={t("modelStatus.legend")} className="flex flex-wrap gap-x-4 gap-y-1 text-ink-2 text-sm">
      {[
        { bar: FEW_BAR, text: t("modelStatus.fewLegend", { count: LEAST_STATUS_REQUESTS }) },
        { bar: EMPTY_BAR, text: t("modelStatus.noRequests") },
        { bar: clsx(BAR.green, OPEN_BAR), text: t("modelStatus.openLegend") },
      ].map(({ bar, text }) => (
        <li key={bar} className="flex items-center gap-1.5">
          <span aria-hidden className="flex h-4 w-2 items-stretch">
            <span className={clsx("flex-1 rounded-[2px]", bar)} />
          </span>
          {text}
        </li>
      ))}
    </ul>
  );
};

const BARS = "col-span-2 flex h-7 min-w-0 items-stretch gap-[3px] wide:order-2 wide:col-span-1";
const BAR_BOX = "min-w-0 flex-1 rounded-[2px]";

interface StatusBarsProps {
  model: ModelStatus;
  span: StatusSpan;
  /** Unix seconds of the figures: the last bar contains it. */
  updatedAt: number;
  /** Shown before the bars. */
  label: ReactNode;
}

/** A model's success over a span: a bar per hour or day, the share, and the first byte. */
export const StatusBars = ({ model, span, updatedAt, label: head }: StatusBarsProps) => {
  const { t } = useTranslation();
  const { isAdmin } = useSession("channels");
  const bars = barsOf(model, span);
  const { success, first_byte_ms: firstByteMs } = model[span];
  const tone = statusTone(success);
  const shareText = (share: Share): string => {
    if (typeof share === "number") return formatSuccess(share);
    return t(share === "few" ? "modelStatus.few" : "modelStatus.noRequests");
  };
  const isOpen = (index: number): boolean => index === bars.length - 1;
  const timeText = (index: number): string => {
    const count = bars.length - 1 - index;
    const name = t(span === "day" ? "modelStatus.hoursAgo" : "modelStatus.daysAgo", { count });
    return isOpen(index) ? t("modelStatus.open", { name }) : name;
  };
  const titleOf = (share: Share, index: number): string => `${timeText(index)}: ${shareText(share)}`;
  const label = t("modelStatus.bars", { model: model.model, text: bars.map(shareText).join(", ") });
  return (
    <li className={clsx(GRID, "items-center gap-y-2 py-3 last:border-b-0")}>
      <span className="min-w-0 break-all font-medium text-sm">{head}</span>
      <span
        title={shareText(success)}
        className={clsx(
          "text-end text-sm tabular-nums wide:order-3",
          TONE_TEXT[tone],
          tone !== "grey" && "font-medium",
        )}
      >
        <span className="wide:sr-only">{t("modelStatus.success")} </span>
        {typeof success === "number"
          ? formatSuccess(success)
          : t(success === "few" ? "modelStatus.fewShort" : "modelStatus.noneShort")}
      </span>
      {isAdmin ? (
        <LinkedBars
          label={label}
          className={BARS}
          bars={bars.map((share, index) => ({
            title: titleOf(share, index),
            className: clsx(BAR_BOX, barClass(share, isOpen(index))),
            lines: barLines({ model: model.model, span, updatedAt, share, ago: bars.length - 1 - index }),
          }))}
        />
      ) : (
        // Other users' requests are in the figures, not in their log.
        <span role="img" aria-label={label} className={BARS}>
          {bars.map((share, index) => (
            <span
              // biome-ignore lint/suspicious/noArrayIndexKey: only its position identifies a bar.
              key={index}
              title={titleOf(share, index)}
              className={clsx(BAR_BOX, barClass(share, isOpen(index)))}
            />
          ))}
        </span>
      )}
      <span className="col-span-2 text-sm text-ink-2 tabular-nums wide:order-4 wide:col-span-1 wide:text-end">
        <span className="wide:sr-only">{t("modelStatus.firstByte")} </span>
        {firstByteMs === undefined
          ? t("modelStatus.none")
          : t("modelStatus.seconds", { seconds: (firstByteMs / 1000).toFixed(2) })}
      </span>
    </li>
  );
};
