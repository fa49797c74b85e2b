import type { Receipt, ReceiptAttempt } from "@tollgate/contract/api/receipts";
import { COST_UNITS } from "@tollgate/contract/values/quota";
import { clsx } from "clsx";
import { useTranslation } from "react-i18next";
import { StateMark, type Tone } from "../../components/badge";
import { RecordLink } from "../../components/record-link";
import { formatQuota } from "../../lib/format";
import { formatDuration } from "../../lib/format-measure";
import { outcomeOf, outcomeTone } from "./outcomes";

const FILL: Record<Tone, string> = {
  green: "var(--green)",
  olive: "var(--olive)",
  yellow: "var(--yellow)",
  red: "var(--red)",
  grey: "var(--ink-3)",
};

/** Possible tick distances of the time axis. */
const STEPS_MS = [
  1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 30_000, 60_000, 120_000, 300_000,
];
const MAX_STEPS = 4;

const axisTicks = (totalMs: number): number[] => {
  const step = STEPS_MS.find((each) => totalMs / each <= MAX_STEPS) ?? totalMs / MAX_STEPS;
  return Array.from({ length: Math.floor((totalMs * 0.96) / step) + 1 }, (_, index) => index * step);
};

/** 0, 500 ms, 2 s: without trailing zero decimals. */
const formatTick = (ms: number): string => (ms === 0 ? "0" : formatDuration(ms).replace(/\.?0+ s$/, " s"));

/** The attempts of a request below each other, on one time axis: the wait is pale, the answer in full colour. */
export const AttemptTimeline = ({ receipt }: { receipt: Receipt }) => {
  const { t } = useTranslation();
  const { attempts } = receipt;
  if (attempts.length === 0) return <p className="text-ink-2">{t("receipt.noAttempts")}</p>;
  const totalMs = Math.max(
    1,
    receipt.duration_ms,
    ...attempts.map((attempt) => attempt.started_ms + attempt.duration_ms),
  );
  return (
    <ol className="flex flex-col gap-4">
      {attempts.map((attempt, index) => (
        <Attempt
          // biome-ignore lint/suspicious/noArrayIndexKey: a receipt's attempts never change.
          key={index}
          attempt={attempt}
          number={index + 1}
          totalMs={totalMs}
          isLast={index === attempts.length - 1}
        />
      ))}
    </ol>
  );
};

interface AttemptProps {
  attempt: ReceiptAttempt;
  number: number;
  totalMs: number;
  /** The axis is below the last attempt. */
  isLast: boolean;
}

const Attempt = ({ attempt, number, totalMs, isLast }: AttemptProps) => {
  const { t } = useTranslation();
  const outcome = outcomeOf(attempt);
  return (
    <li>
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <span className="flex min-w-0 flex-wrap items-baseline gap-x-2">
          <span className="font-medium">{t("receipt.attempt", { number })}</span>
          {attempt.channel > 0 && (
            <span className="min-w-0 break-words text-ink-2">
              <RecordLink kind="channel" id={attempt.channel}>
                {t("receipt.channel", { id: attempt.channel, name: attempt.channel_name })}
              </RecordLink>
            </span>
          )}
        </span>
        <span className="flex flex-wrap items-baseline gap-x-3 text-sm tabular-nums">
          <StateMark tone={outcomeTone(outcome)}>{t(`receipt.outcome.${outcome}`)}</StateMark>
          {attempt.status > 0 && <span className="text-ink-2">HTTP {attempt.status}</span>}
        </span>
      </div>
      <Bar attempt={attempt} totalMs={totalMs} />
      <p className="text-sm text-ink-2 tabular-nums">
        {t("receipt.attemptTimes", {
          start: formatDuration(attempt.started_ms),
          duration: formatDuration(attempt.duration_ms),
        })}
        {attempt.first_byte_ms !== undefined &&
          ` ${t("receipt.attemptFirstByte", { wait: formatDuration(attempt.first_byte_ms) })}`}
      </p>
      <ChosenBy reason={attempt.chosen_by} />
      {attempt.fallback_model !== undefined && (
        <p className="text-sm">{t("receipt.fallbackModel", { model: attempt.fallback_model })}</p>
      )}
      <ServedModel attempt={attempt} />
      <EndedCost attempt={attempt} />
      <Effort names={attempt.overrides ?? []} />
      <Overrides names={(attempt.overrides ?? []).filter((name) => !name.startsWith(EFFORT))} />
      {isLast && <Axis totalMs={totalMs} />}
    </li>
  );
};

const REASONS = ["conversation", "cheapest", "fastest", "exploring"] as const;

/** The reason for choosing the channel, unless it was its weight. */
const ChosenBy = ({ reason }: { reason: string | undefined }) => {
  const { t } = useTranslation();
  const known = REASONS.find((each) => each === reason);
  return known ? <p className="text-sm text-ink-2">{t(`receipt.chosenBy.${known}`)}</p> : null;
};

/** What the upstream may charge for an attempt for which nothing was charged. */
const EndedCost = ({ attempt }: { attempt: ReceiptAttempt }) => {
  const { t } = useTranslation();
  const { cost_thousandths: cost, cost_formula: formula, is_cost_estimated: isEstimated } = attempt;
  if (cost === undefined) return null;
  const amount = formatQuota(cost / COST_UNITS, 6);
  return (
    <p className="break-words text-sm text-ink-2">
      {t(isEstimated ? "receipt.endedCostEstimated" : "receipt.endedCost", { amount })}
      <span className="ms-2 font-mono">{formula}</span>
    </p>
  );
};

/** The model that the answer names, marked if it is not the one that was asked for. */
const ServedModel = ({
  attempt: { served_model: model, is_other_model: isOther },
}: {
  attempt: ReceiptAttempt;
}) => {
  const { t } = useTranslation();
  if (model === undefined) return null;
  return (
    <p className={clsx("break-words text-sm", isOther ? "text-red" : "text-ink-2")}>
      {t(isOther ? "receipt.otherModel" : "receipt.servedModel", { model })}
    </p>
  );
};

const EFFORT = "effort:";

/** The reasoning effort that the name of the model asked for. */
const Effort = ({ names }: { names: readonly string[] }) => {
  const { t } = useTranslation();
  const effort = names.find((name) => name.startsWith(EFFORT))?.slice(EFFORT.length);
  return effort === undefined ? null : <p className="text-sm">{t("receipt.effort", { effort })}</p>;
};

/** Effects of the channel's overrides on an attempt (contract/api/receipts.ts). */
const Overrides = ({ names }: { names: readonly string[] }) => {
  const { t } = useTranslation();
  if (names.length === 0) return null;
  const formatOverride = (override: string): string => {
    const [kind = "", first = "", second = ""] = override.split(":");
    switch (kind) {
      case "system-prompt":
        return t(`receipt.override.system-prompt-${first === "prepend" ? "prepend" : "fill"}`);
      case "status":
        return t("receipt.override.status", { told: first, meant: second });
      case "pass-body":
        return t("receipt.override.pass-body");
      case "cache-marks":
        return t("receipt.override.cache-marks");
      case "header":
        return t("receipt.override.header", { name: first });
      default:
        return override.slice(kind.length + 1);
    }
  };
  return (
    <div className="mt-1.5 flex flex-wrap items-baseline gap-1.5 text-sm">
      <span className="text-ink-2">{t("receipt.overrides")}</span>
      {[...new Set(names)].map((name) => (
        <code
          key={name}
          className="max-w-full break-all rounded-sm bg-sunken px-1.5 py-0.5 font-mono text-xs"
        >
          {formatOverride(name)}
        </code>
      ))}
    </div>
  );
};

const BAR_HEIGHT = 14;
/** Keeps an attempt of zero duration visible. */
const LEAST_PERCENT = 0.6;

/** Hidden from screen readers, because the text beside it says the same. */
const Bar = ({ attempt, totalMs }: { attempt: ReceiptAttempt; totalMs: number }) => {
  const percent = (ms: number) => (ms / totalMs) * 100;
  const start = Math.min(100 - LEAST_PERCENT, percent(attempt.started_ms));
  const width = Math.max(LEAST_PERCENT, percent(attempt.duration_ms));
  const waiting =
    attempt.first_byte_ms === undefined ? width : Math.min(width, percent(attempt.first_byte_ms));
  const fill = FILL[outcomeTone(outcomeOf(attempt))];
  return (
    <svg aria-hidden="true" className="block w-full" height={BAR_HEIGHT} style={{ marginBlock: 5 }}>
      <rect width="100%" height={BAR_HEIGHT} rx={3} fill="var(--sunken)" />
      {axisTicks(totalMs).map((tick) => (
        <line
          key={tick}
          x1={`${percent(tick)}%`}
          x2={`${percent(tick)}%`}
          y2={BAR_HEIGHT}
          stroke="var(--line-strong)"
          strokeDasharray="2 3"
        />
      ))}
      <rect
        x={`${start}%`}
        width={`${width}%`}
        height={BAR_HEIGHT}
        rx={3}
        fill={fill}
        opacity={attempt.first_byte_ms === undefined ? 1 : 0.4}
      />
      {attempt.first_byte_ms !== undefined && (
        <rect
          x={`${start + waiting}%`}
          width={`${Math.max(LEAST_PERCENT, width - waiting)}%`}
          height={BAR_HEIGHT}
          rx={3}
          fill={fill}
        />
      )}
    </svg>
  );
};

const Axis = ({ totalMs }: { totalMs: number }) => (
  <div aria-hidden className="relative mt-1 h-6 border-line border-t text-xs text-ink-3 tabular-nums">
    {axisTicks(totalMs).map((tick) => (
      <span
        key={tick}
        className={clsx("absolute top-1", tick > 0 && "-translate-x-1/2")}
        style={{ left: `${(tick / totalMs) * 100}%` }}
      >
        {formatTick(tick)}
      </span>
    ))}
  </div>
);
