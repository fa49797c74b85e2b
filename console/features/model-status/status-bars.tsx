import type { ModelStatus } from "@tollgate/contract/api/model-status";
import { clsx } from "clsx";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { TONE_TEXT, type Tone } from "../../components/badge";

export const STATUS_SPANS = ["day", "week", "month"] as const;
export type StatusSpan = (typeof STATUS_SPANS)[number];

/** From which share on a model is well, and from which on it is only shaky. */
const WELL = 0.99;
const SHAKY = 0.9;

export const statusTone = (success: number | null | undefined): Tone => {
  if (success === null || success === undefined) return "grey";
  if (success >= WELL) return "green";
  return success >= SHAKY ? "yellow" : "red";
};

const BAR: Record<Tone, string> = {
  green: "bg-green",
  olive: "bg-olive",
  yellow: "bg-yellow",
  red: "bg-red",
  grey: "bg-line-strong/60",
};

const percent = (share: number): string => `${(share * 100).toFixed(share === 1 || share === 0 ? 0 : 1)}%`;

const WEEK_DAYS = 7;

const barsOf = ({ hours, days }: ModelStatus, span: StatusSpan): (number | null)[] => {
  if (span === "day") return hours;
  return span === "week" ? days.slice(-WEEK_DAYS) : days;
};

interface StatusBarsProps {
  model: ModelStatus;
  span: StatusSpan;
  /** Stands before the bars. */
  label: ReactNode;
}

/** The success of a model over a span: a bar for each hour or day, its share, its first byte. */
export const StatusBars = ({ model, span, label: head }: StatusBarsProps) => {
  const { t } = useTranslation();
  const bars = barsOf(model, span);
  const period = model[span];
  const tone = statusTone(period.success);
  const label = (share: number | null, index: number): string => {
    const ago = bars.length - 1 - index;
    const time = t(span === "day" ? "modelStatus.hoursAgo" : "modelStatus.daysAgo", { count: ago });
    return `${time}: ${share === null ? t("modelStatus.few") : percent(share)}`;
  };
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-2 border-line border-b px-4 py-3 last:border-b-0 wide:grid-cols-[minmax(0,15rem)_minmax(0,1fr)_5rem_6rem]">
      <span className="min-w-0 break-all font-medium text-sm">{head}</span>
      <span
        className={clsx(
          "text-end text-sm tabular-nums wide:order-3",
          TONE_TEXT[tone],
          tone !== "grey" && "font-medium",
        )}
      >
        {period.success === undefined ? t("modelStatus.few") : percent(period.success)}
      </span>
      <span
        role="img"
        aria-label={t("modelStatus.bars", {
          model: model.model,
          text: bars.map((share) => (share === null ? t("modelStatus.few") : percent(share))).join(", "),
        })}
        className="col-span-2 flex h-7 min-w-0 items-stretch gap-[3px] wide:order-2 wide:col-span-1"
      >
        {bars.map((share, index) => (
          <span
            // Bars are told apart by their place alone.
            // biome-ignore lint/suspicious/noArrayIndexKey: see above
            key={index}
            title={label(share, index)}
            className={clsx("min-w-0 flex-1 rounded-[2px]", BAR[statusTone(share)])}
          />
        ))}
      </span>
      <span className="col-span-2 text-sm text-ink-2 tabular-nums wide:order-4 wide:col-span-1 wide:text-end">
        <span className="wide:hidden">{t("modelStatus.firstByte")} </span>
        {period.first_byte_ms === undefined
          ? t("modelStatus.none")
          : t("modelStatus.seconds", { seconds: (period.first_byte_ms / 1000).toFixed(2) })}
      </span>
    </li>
  );
};
