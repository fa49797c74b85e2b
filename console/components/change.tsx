import { clsx } from "clsx";
import { ArrowDown, ArrowUp } from "lucide-react";
import { useTranslation } from "react-i18next";
import { formatShare } from "../lib/format-measure";
import { type Compared, changeOf, type ValueChange } from "../lib/usage/change";

const TONES: Record<ValueChange["tone"], string> = {
  good: "text-green",
  bad: "text-red",
  neither: "text-ink-2",
  noise: "text-ink-3",
};

interface ChangeProps extends Compared {
  /** The compared time range. */
  title?: string;
}

/** The change of a number, coloured only if it is good or bad news. */
export const Change = ({ title, ...compared }: ChangeProps) => {
  const { t } = useTranslation();
  const change = changeOf(compared);
  if (!change) return null;
  const { isMore, share, tone } = change;
  const Arrow = isMore ? ArrowUp : ArrowDown;
  const noise = tone === "noise" ? t("usage.change.noise") : undefined;
  return (
    <span
      title={[title, noise].filter((text) => text !== undefined).join("\n") || undefined}
      className={clsx(
        "flex items-center gap-0.5 whitespace-nowrap text-xs tabular-nums",
        tone !== "noise" && "font-medium",
        TONES[tone],
      )}
    >
      <Arrow aria-hidden className="size-3" />
      <span className="sr-only">{t(isMore ? "usage.change.more" : "usage.change.less")}</span>
      {share > 9.99 ? ">999%" : formatShare(share)}
      {noise && <span className="sr-only">{noise}</span>}
    </span>
  );
};
