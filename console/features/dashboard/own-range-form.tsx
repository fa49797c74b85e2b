import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button";
import { DateTimeField } from "../../components/date-time-field";
import { parseDate } from "../../lib/format";

interface OwnRangeFormProps {
  from: string;
  to: string;
  onApply: (range: { from: string; to: string }) => void;
}

/** The two ends of an own range. Nothing happens until it is submitted. */
export const OwnRangeForm = ({ from, to, onApply }: OwnRangeFormProps) => {
  const { t } = useTranslation();
  const [draft, setDraft] = useState({ from, to });
  const [isChecked, setChecked] = useState(false);
  const begin = parseDate(draft.from);
  const end = parseDate(draft.to);
  const beginMistake = begin ? undefined : t("dashboard.timeInvalid");
  const endMistake = !end
    ? t("dashboard.timeInvalid")
    : begin && begin > end
      ? t("dashboard.endsBefore")
      : undefined;
  return (
    <form
      className="grid items-start gap-3 rounded-lg border border-line bg-surface p-4 wide:grid-cols-2"
      onSubmit={(event) => {
        event.preventDefault();
        setChecked(true);
        if (!beginMistake && !endMistake) onApply(draft);
      }}
    >
      <DateTimeField
        label={t("dashboard.from")}
        value={draft.from}
        error={isChecked ? beginMistake : undefined}
        onChange={(text) => setDraft({ ...draft, from: text })}
      />
      <DateTimeField
        label={t("dashboard.to")}
        value={draft.to}
        error={isChecked ? endMistake : undefined}
        onChange={(text) => setDraft({ ...draft, to: text })}
      />
      <Button type="submit" variant="primary" className="">
        {t("dashboard.apply")}
      </Button>
    </form>
  );
};
