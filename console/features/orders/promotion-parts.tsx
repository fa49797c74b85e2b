import type { ActivityWire, PromotedQuoteWire } from "@tollgate/contract/api/order-terms";
import { formatMoney } from "@tollgate/contract/payments/currencies";
import { splitList } from "@tollgate/contract/values/split-list";
import { Gift } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { TextField } from "../../components/text-field";
import { UnbrokenDates } from "../../components/unbroken-dates";
import { HttpError, RefusedError } from "../../lib/api-client";
import { exactQuota } from "../../lib/exact-quota";
import { formatTime } from "../../lib/format";

interface ActivitiesProps {
  activities: readonly ActivityWire[];
  product: "top-up" | "plan";
}

/** HTTP status of a limit that is reached. */
const TOO_MANY = 429;

/** Hundredths of a percent in a percent. */
const HUNDREDTHS = 100;

/** The activities that a buyer can use, with their steps and their end. */
export const Activities = ({ activities, product }: ActivitiesProps) => {
  const { t } = useTranslation();
  const shown = activities.filter(({ products }) => splitList(products).includes(product));
  if (shown.length === 0) return null;
  return (
    <section
      aria-label={t("order.activities")}
      className="flex flex-col gap-2 rounded-md border border-line bg-accent-soft px-3 py-2.5 text-sm"
    >
      <h3 className="flex items-center gap-1.5 font-medium">
        <Gift aria-hidden className="size-4 shrink-0" />
        {t("order.activities")}
      </h3>
      <ul className="flex flex-col gap-1.5">
        {shown.map((activity) => (
          <Activity key={activity.id} activity={activity} />
        ))}
      </ul>
    </section>
  );
};

const Activity = ({ activity }: { activity: ActivityWire }) => {
  const { t } = useTranslation();
  const { name, steps, max_effect: most, is_first_only: isFirst, ends_at: endsAt } = activity;
  const effect = activity.effect === "discount" ? "discount" : "bonus";
  const unit = activity.unit === "percent" ? "percent" : "quota";
  const parts = [
    ...steps.map(({ from, value }) =>
      t(`order.activityStep.${effect}-${unit}`, {
        from: exactQuota(from),
        value: unit === "percent" ? value / HUNDREDTHS : exactQuota(value),
      }),
    ),
    ...(most > 0 ? [t("order.activityMost", { quota: exactQuota(most) })] : []),
    ...(isFirst ? [t("order.activityFirst")] : []),
    ...(endsAt > 0 ? [t("order.activityEnds", { time: formatTime(endsAt) })] : []),
  ];
  return (
    <li className="break-words">
      <span className="font-medium">{name}</span>{" "}
      <span className="text-ink-2 tabular-nums">
        <UnbrokenDates text={parts.join(" · ")} />
      </span>
    </li>
  );
};

/** A typed promotion code. The server checks it when its field is left, because each wrong code counts as a guess. */
export const usePromotionCode = () => {
  const [typed, setTyped] = useState("");
  const [checked, setChecked] = useState("");
  const next = typed.trim();
  return {
    typed,
    setTyped,
    /** The code in the quote. */
    checked,
    /** Puts the typed code into the quote. @returns whether the quote changes. */
    check: (): boolean => {
      setChecked(next);
      return next !== checked;
    },
  };
};

/** Refusals of a quote by their fields; a limit of wrong codes belongs to the code as well. */
export const mistakesOf = (error: Error | null): { mistake?: string; codeMistake?: string } => {
  if (error instanceof HttpError && error.status === TOO_MANY) return { codeMistake: error.message };
  if (!(error instanceof RefusedError)) return {};
  return error.envelope.field === "code" ? { codeMistake: error.message } : { mistake: error.message };
};

interface CodeFieldProps {
  code: ReturnType<typeof usePromotionCode>;
  error: string | undefined;
  quote: PromotedQuoteWire | undefined;
}

/** The field of a promotion code; its effect is in the summary of the quote. */
export const CodeField = ({ code, error, quote }: CodeFieldProps) => {
  const { t } = useTranslation();
  return (
    <TextField
      label={t("order.code")}
      hint={quote?.is_code_unused ? t("order.codeUnused") : t("order.codeHint")}
      error={error}
      name="code"
      autoComplete="off"
      autoCapitalize="characters"
      spellCheck={false}
      value={code.typed}
      className="wide:max-w-60"
      onChange={({ target }) => code.setTyped(target.value)}
      onBlur={() => code.check()}
    />
  );
};

/** Lines of a quote's promotions, in a list of definitions. */
export const PromotionLines = ({ quote }: { quote: PromotedQuoteWire }) => (
  <>
    {quote.promotions.map(({ id, name, code, effect, quota, amount }) => (
      <div key={id} className="contents">
        <dt className="break-words text-ink-2">
          {code === "" || code === name ? name : `${name} (${code})`}
        </dt>
        <dd className="text-end text-green tabular-nums">
          {effect === "discount" ? `−${formatMoney(amount, quote.currency)}` : `+${exactQuota(quota)}`}
        </dd>
      </div>
    ))}
  </>
);
