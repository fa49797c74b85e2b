import { useState } from "react";
import { parseDate } from "../lib/format";
import { Button } from "./button";
import { DateTimeField } from "./date-time-field";

type Ends = Record<"from" | "to", string>;

interface OwnRangeProps {
  /** The page's state in the address. */
  search: Partial<Ends> & { range?: string | undefined };
  /** The form's texts, from its page. */
  translate: (text: "from" | "to" | "apply" | "timeInvalid" | "endsBefore") => string;
  onApply: (range: Ends) => void;
}

/** The form of the custom range, while it is chosen. */
export const OwnRange = ({ search: { range, from = "", to = "" }, ...form }: OwnRangeProps) =>
  range === "own" && <OwnRangeForm key={`${from} ${to}`} from={from} to={to} {...form} />;

type OwnRangeFormProps = Ends & Omit<OwnRangeProps, "search">;

/** Both ends of a custom range, which applies on submit. */
export const OwnRangeForm = ({ from, to, translate, onApply }: OwnRangeFormProps) => {
  const [draft, setDraft] = useState({ from, to });
  const [isChecked, setChecked] = useState(false);
  const begin = parseDate(draft.from);
  const end = parseDate(draft.to);
  const beginMistake = begin ? undefined : translate("timeInvalid");
  const endMistake = !end
    ? translate("timeInvalid")
    : begin && begin > end
      ? translate("endsBefore")
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
        label={translate("from")}
        value={draft.from}
        error={isChecked ? beginMistake : undefined}
        onChange={(text) => setDraft({ ...draft, from: text })}
      />
      <DateTimeField
        label={translate("to")}
        value={draft.to}
        error={isChecked ? endMistake : undefined}
        onChange={(text) => setDraft({ ...draft, to: text })}
      />
      <Button type="submit" variant="primary" className="w-fit">
        {translate("apply")}
      </Button>
    </form>
  );
};
