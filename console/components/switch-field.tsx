import { clsx } from "clsx";
import { type ReactNode, useId } from "react";

interface SwitchFieldProps {
  label: string;
  hint?: ReactNode;
  isOn: boolean;
  onChange: (isOn: boolean) => void;
  disabled?: boolean;
  /** A settings row: the switch is at the right. */
  isRow?: boolean;
}

export const SwitchField = ({ label, hint, isOn, onChange, disabled, isRow = false }: SwitchFieldProps) => {
  const id = useId();
  return (
    <div
      className={clsx(
        "flex items-start max-wide:py-2.5",
        isRow ? "flex-row-reverse justify-between gap-8" : "gap-2.5",
      )}
    >
      <button
        type="button"
        role="switch"
        aria-checked={isOn}
        onClick={() => onChange(!isOn)}
        disabled={disabled}
        aria-labelledby={`${id}-label`}
        aria-describedby={hint ? `${id}-hint` : undefined}
        className="touch flex h-6 w-10 shrink-0 items-center rounded-full border border-transparent bg-line-strong p-0.5 transition-colors disabled:opacity-50 aria-checked:bg-accent"
      >
        <span
          className={clsx(
            "size-[18px] rounded-full bg-white shadow-sm transition-transform",
            isOn && "translate-x-4",
          )}
        />
      </button>
      <div className="pt-px">
        <span id={`${id}-label`} className="font-medium text-sm">
          {label}
        </span>
        {hint && (
          <div id={`${id}-hint`} className="text-sm text-ink-2">
            {hint}
          </div>
        )}
      </div>
    </div>
  );
};
