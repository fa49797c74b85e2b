import { isOfType } from "@tollgate/contract/options/options";
import { clsx } from "clsx";
import { ChevronDown } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button";
import { readPoints } from "../../components/quota-field";
import { exactQuota } from "../../lib/exact-quota";
import { inThousands, isShownInCurrency } from "../../lib/format";
import { findChangedLines, withAmounts } from "./changed-lines";
import { useChoiceText } from "./choice-field";
import { type OptionValues, shownValue } from "./option-changes";
import type { DraftChange } from "./use-save-drafts";

/** Maximum number of shown lines removed from a long text, and of lines added to it. */
const MAX_LINES = 8;

interface SaveBarProps {
  changes: readonly DraftChange[];
  stored: OptionValues;
  isSaving: boolean;
  onSave: () => void;
  onDiscard: () => void;
}

/** Shown at the window's lower edge while there are unsaved changes: their number, their content, and the buttons. */
export const SaveBar = ({ changes, stored, isSaving, onSave, onDiscard }: SaveBarProps) => {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  return (
    <section
      aria-label={t("setting.bar.title")}
      className="floating sticky bottom-2 z-20 flex flex-col bg-surface wide:bottom-4"
    >
      {isOpen && (
        <ul
          aria-label={t("setting.bar.list")}
          className="max-h-[40dvh] divide-y divide-line overflow-y-auto border-line border-b px-4"
        >
          {changes.map((change) => (
            <Change key={change.key} change={change} stored={stored} />
          ))}
        </ul>
      )}
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2 px-4 py-2.5">
        <span role="status" className="text-sm max-wide:w-full">
          {t("setting.bar.count", { count: changes.length })}
        </span>
        <Button variant="quiet" className="me-auto" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {t("setting.bar.show")}
          <ChevronDown aria-hidden className={isOpen ? "size-4" : "size-4 rotate-180"} />
        </Button>
        <Button onClick={onDiscard} disabled={isSaving}>
          {t("setting.bar.discard")}
        </Button>
        <Button variant="primary" isBusy={isSaving} onClick={onSave}>
          {t("setting.bar.save")}
        </Button>
      </div>
    </section>
  );
};

/** Words a value of an option as its field shows it. */
const useFormatValue = (): ((key: DraftChange["key"], text: string) => string) => {
  const { t } = useTranslation();
  const choiceText = useChoiceText();
  const formatAmount = (text: string): string => {
    const quota = readPoints(text);
    if (Number.isNaN(quota)) return t("setting.bar.noAmount");
    const points = inThousands(quota);
    return isShownInCurrency() ? t("setting.bar.amount", { amount: exactQuota(quota), points }) : points;
  };
  return (key, text) => {
    if (text === "") return t("setting.bar.empty");
    if (isOfType(key, "quota")) return formatAmount(text);
    if (isOfType(key, "json")) return withAmounts(text, formatAmount);
    return isOfType(key, "choice") ? choiceText(text) : text;
  };
};

const Change = ({ change: { key, typed, value }, stored }: { change: DraftChange; stored: OptionValues }) => {
  const { t } = useTranslation();
  const formatValue = useFormatValue();
  const before = shownValue(key, stored);
  const now = isOfType(key, "ratios") || isOfType(key, "json") ? typed : value;
  const { removed, added } = findChangedLines(before, now);
  const lines = (all: readonly string[], className: string) => (
    <div className={clsx("whitespace-pre-line", className)}>
      {all
        .slice(0, MAX_LINES)
        .map((line) => formatValue(key, line))
        .join("\n")}
    </div>
  );
  const hidden = Math.max(0, removed.length - MAX_LINES) + Math.max(0, added.length - MAX_LINES);
  const isShort = !before.includes("\n") && !now.includes("\n");
  return (
    <li className="py-2 text-sm">
      <div className="font-medium">{t(`option.${key}`)}</div>
      {isOfType(key, "secret") ? (
        <div className="text-ink-2">{t("setting.bar.secret")}</div>
      ) : (
        <div className="min-w-0 break-words font-mono text-xs">
          {isShort ? (
            <>
              <del className="text-red">{formatValue(key, before)}</del>
              {" → "}
              <ins className="text-green no-underline">{formatValue(key, now)}</ins>
            </>
          ) : (
            <>
              {lines(removed, "text-red line-through")}
              {lines(added, "text-green")}
              {hidden > 0 && <div className="text-ink-2">{t("setting.bar.more", { count: hidden })}</div>}
            </>
          )}
        </div>
      )}
    </li>
  );
};
