import type { Option } from "@tollgate/contract/api/options";
import { useState } from "react";
import type { OptionValues } from "./option-changes";

/** What the fields of a section began with. */
export interface ShownValues {
  values: OptionValues;
  /** Grows when the fields are to begin again. */
  edition: number;
  /** Something was typed: what others save meanwhile no longer replaces what is shown. */
  touch: () => void;
  /** Takes over what is stored of what was sent. */
  saved: (sent: readonly Option[], now: OptionValues) => void;
  /** Begins again with what is stored now. */
  load: () => void;
}

/**
 * The values that a section's fields began with. They stay the same while something is typed, whatever is read meanwhile: what was not
 * typed is not sent, and what was is compared with what the person has seen.
 */
export const useShownValues = (fields: readonly string[], stored: OptionValues): ShownValues => {
  const [values, setValues] = useState(stored);
  const [edition, setEdition] = useState(0);
  const [isTouched, setTouched] = useState(false);
  const load = () => {
    setValues(stored);
    setEdition(edition + 1);
    setTouched(false);
  };
  if (!isTouched && fields.some((key) => stored[key] !== values[key])) load();
  return {
    values,
    edition,
    touch: () => setTouched(true),
    saved: (sent, now) =>
      setValues((before) => ({
        ...before,
        ...Object.fromEntries(
          sent.filter(({ key, value }) => now[key] === value).map(({ key, value }) => [key, value]),
        ),
      })),
    load,
  };
};
