import { MAX_QUOTA } from "@tollgate/contract/values/quota";
import { clsx } from "clsx";
import { ArrowLeftRight } from "lucide-react";
import { type ReactNode, type Ref, useState, useSyncExternalStore } from "react";
import { type Control, type FieldPathByValue, type FieldValues, useController } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { currencyName } from "../lib/currency-name";
import { exactQuota, isInDollars, nearestPoints, quotaInMoney, readMoney } from "../lib/exact-quota";
import { inThousands, isShownInCurrency, pointsPerShown, shownCurrency } from "../lib/format";
import { readStored, subscribeStored, writeStored } from "../lib/local-store";
import { readWholeNumber } from "../lib/typed-number";
import { type ControlProps, Field, type FieldLayout } from "./field";

type Unit = "money" | "points";

/** Local storage key of the chosen unit, shared by all quota fields. */
const UNIT = "quota_unit";

export const useUnit = (startsIn: Unit): Unit => {
  const stored = useSyncExternalStore(subscribeStored, () => readStored(UNIT));
  if (!isShownInCurrency()) return "points";
  return stored === "money" || stored === "points" ? stored : startsIn;
};

/** Value for typed money that is no valid amount: every form rejects it. */
const NO_AMOUNT = "NaN";

/** Typed points as a table stores them: the whole text, also with an exponent. NaN for a text that is no number. */
export const readPoints = (text: string): number => (text.trim() === "" ? Number.NaN : Number(text));

const pointsOf = (typed: string): string =>
  typed.trim() === "" ? "" : String(readMoney(typed) ?? NO_AMOUNT);

export interface QuotaFieldProps {
  label: string;
  /** Typed points of quota; "" if empty. */
  value: string;
  onChange: (points: string) => void;
  onBlur?: () => void;
  /** Field name of the points in a form that is read on submit. */
  name?: string;
  min?: number;
  max?: number;
  /** The unit until the user has chosen one; points where the specification requires it. */
  startsIn?: Unit;
  hint?: ReactNode;
  /** Mistake in the points; for money outside the bounds the field shows its own text. */
  error?: string;
  placeholder?: string;
  disabled?: boolean;
  aside?: ReactNode;
  layout?: FieldLayout;
  ref?: Ref<HTMLInputElement>;
}

/** An amount's mistake, and its worth in the other unit. */
const useAmount = (
  { value, min = 0, max = MAX_QUOTA, error, disabled }: QuotaFieldProps,
  isMoney: boolean,
) => {
  const { t } = useTranslation();
  const quota = readWholeNumber(value);
  const isAmount = !Number.isNaN(quota);
  const written = isMoney ? exactQuota : inThousands;
  const range = { min: written(min), max: written(max), step: written(1) };
  const ownMistake =
    max < MAX_QUOTA
      ? t(isMoney ? "quotaField.between" : "quotaField.pointsBetween", range)
      : t(isMoney ? "quotaField.from" : "quotaField.pointsFrom", range);
  const worth = isMoney
    ? t("quotaField.points", { count: quota, points: inThousands(quota) })
    : isShownInCurrency() && t("field.worth", { amount: exactQuota(quota) });
  const isInside = quota >= min && quota <= max;
  return {
    isAmount,
    isOutside: value.trim() !== "" && !isInside,
    // The form's text about its bounds counts in points. The server's reason is for an amount inside them.
    mistake: isMoney && !isInside ? ownMistake : (error ?? ownMistake),
    worth: isAmount && !disabled && worth,
  };
};

/** An amount of quota, typed in money or in points, with its worth in the other unit below. */
export const QuotaField = (field: QuotaFieldProps) => {
  const { label, startsIn = "money", hint, error, aside, layout, onBlur, onChange } = field;
  const isMoney = useUnit(startsIn) === "money";
  const [isLeft, setLeft] = useState(false);
  const { isAmount, isOutside, mistake, worth } = useAmount(field, isMoney);
  return (
    <Field
      label={label}
      aside={aside}
      layout={layout}
      error={(isLeft && isOutside) || error !== undefined ? mistake : undefined}
      hint={
        (worth || hint) && (
          <>
            {worth && <div>{worth}</div>}
            {hint}
          </>
        )
      }
    >
      {(control) => (
        <AmountInput
          {...field}
          control={control}
          isMoney={isMoney}
          isAmount={isAmount}
          onBlur={() => {
            setLeft(true);
            onBlur?.();
          }}
          onChange={(points) => {
            setLeft(false);
            onChange(points);
          }}
        />
      )}
    </Field>
  );
};

interface AmountInputProps extends QuotaFieldProps {
  control: Partial<ControlProps> & { "aria-label"?: string };
  isMoney: boolean;
  isAmount: boolean;
  /** Keeps points that are no number as typed, for a form in which an empty amount has a meaning. */
  isFreeText?: boolean;
}

/** The worth of the value, for an input of money. */
const moneyOf = ({ value, isFreeText }: AmountInputProps): string => {
  const quota = isFreeText ? readPoints(value) : readWholeNumber(value);
  return Number.isNaN(quota) ? "" : quotaInMoney(quota);
};

/** Attributes of an input of points. */
const pointsInput = ({ isFreeText, name, value, min = 0 }: AmountInputProps) => ({
  ...(!isFreeText && { type: "number", step: 1, min }),
  inputMode: "numeric" as const,
  name,
  value,
});

interface UnitSwitchProps {
  isMoney: boolean;
  isDisabled: boolean;
  /** The typed text is no amount. */
  isRefused: boolean;
  /** Called before points replace refused money. */
  onRefused: () => void;
}

/** Changes the unit of all quota fields. */
const UnitSwitch = ({ isMoney, isDisabled, isRefused, onRefused }: UnitSwitchProps) => {
  const { t, i18n } = useTranslation();
  const isDollars = isInDollars();
  const currency = currencyName(i18n.language);
  const typeMoney = isDollars ? t("quotaField.typeMoney") : t("quotaField.typeCurrency", { currency });
  const inMoney = isDollars ? t("quotaField.inMoney") : currency;
  return (
    <button
      type="button"
      disabled={isDisabled || (!isMoney && isRefused)}
      title={isMoney ? t("quotaField.typePoints") : typeMoney}
      className="touch absolute end-1.5 inline-flex h-control-tiny items-center gap-1 rounded-sm px-1.5 text-ink-2 text-xs hover:bg-hover hover:text-ink disabled:opacity-50"
      onClick={() => {
        if (isRefused) onRefused();
        writeStored(UNIT, isMoney ? "points" : "money");
      }}
    >
      {isMoney ? inMoney : t("quotaField.inPoints")}
      <ArrowLeftRight aria-hidden className="size-3" />
    </button>
  );
};

/** Space in front of the money for the currency's symbol: "¥", "NT$", "CHF". */
const symbolRoom = (symbol: string): string =>
  symbol.length === 1 ? "ps-7" : symbol.length === 2 ? "ps-9" : "ps-12";

/** The input of an amount, with its unit switch. */
export const AmountInput = (field: AmountInputProps) => {
  const { ref, control, isMoney, isAmount, name, value, disabled, placeholder, layout } = field;
  const perUnit = pointsPerShown();
  const { symbol } = shownCurrency();
  /** Money as typed, used while it still matches the value and the points of the currency's unit. */
  const [typed, setTyped] = useState({ text: "", points: "", perUnit });
  const isTyped = typed.points === value && typed.perUnit === perUnit;
  const unit = isMoney
    ? { inputMode: "decimal" as const, value: isTyped ? typed.text : moneyOf(field) }
    : pointsInput(field);
  return (
    <div className={clsx("relative flex items-center", layout === "row" && "lg:max-w-60")}>
      {isMoney && (
        <span aria-hidden className="pointer-events-none absolute start-3 text-ink-3 text-sm">
          {symbol}
        </span>
      )}
      <input
        ref={ref}
        {...control}
        {...unit}
        data-name={name}
        disabled={disabled}
        placeholder={placeholder}
        autoComplete="off"
        className={clsx(
          "control tabular-nums",
          isMoney && symbolRoom(symbol),
          isShownInCurrency() && "pe-20",
        )}
        onBlur={field.onBlur}
        onChange={({ target }) => {
          const points = isMoney ? pointsOf(target.value) : target.value;
          if (isMoney) setTyped({ text: target.value, points, perUnit });
          field.onChange(points);
        }}
      />
      {isMoney && name !== undefined && <input type="hidden" name={name} value={value} disabled={disabled} />}
      {isShownInCurrency() && (
        <UnitSwitch
          isMoney={isMoney}
          isDisabled={disabled === true}
          isRefused={value !== "" && !isAmount}
          // Points cannot represent every amount: then the field goes on with the nearest ones.
          onRefused={() => field.onChange(String(nearestPoints(typed.text) ?? ""))}
        />
      )}
    </div>
  );
};

interface QuotaInputProps<Fields extends FieldValues>
  extends Omit<QuotaFieldProps, "value" | "onChange" | "onBlur" | "name" | "ref"> {
  control: Control<Fields>;
  name: FieldPathByValue<Fields, string>;
}

/** A quota field in a form of react-hook-form. */
export const QuotaInput = <Fields extends FieldValues>({
  control,
  name,
  ...rest
}: QuotaInputProps<Fields>) => {
  const { field } = useController({ control, name });
  const { value, onChange, onBlur, ref } = field;
  return <QuotaField {...rest} value={value} onChange={onChange} onBlur={onBlur} ref={ref} />;
};
