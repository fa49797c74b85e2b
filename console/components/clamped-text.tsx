import { clsx } from "clsx";
import { useState } from "react";
import { useTranslation } from "react-i18next";

/** Texts with more characters or several lines are cut and can be expanded. */
const LONG = 64;

/** A text on one line until it is expanded. */
export const ClampedText = ({ text }: { text: string }) => {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const isLong = text.length > LONG || text.includes("\n");
  // The table's row stays one line.
  if (!isLong)
    return (
      <span className="block min-w-0 wide:truncate" title={text}>
        {text}
      </span>
    );
  return (
    <div className={clsx("flex min-w-0 gap-1", isOpen && "flex-col items-start")}>
      <span className={isOpen ? "whitespace-pre-wrap break-words" : "min-w-0 truncate"}>{text}</span>
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        className="touch h-control-tiny shrink-0 rounded-sm px-1 text-sm text-accent hover:bg-hover"
      >
        {isOpen ? t("action.fold") : t("action.unfold")}
      </button>
    </div>
  );
};
