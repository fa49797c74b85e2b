import { useState } from "react";
import { useRefusals } from "./use-refusals";

/**
 * Refused fields of a form that keeps its own values, by their names on the wire. A message is shown until the user
 * types into its field or sends the form again.
 */
export const useMistakes = () => {
  const [refused, setRefused] = useState<{ field: string; message: string }>();
  const refusals = useRefusals(
    (field, message) => setRefused({ field, message }),
    () => setRefused(undefined),
  );
  return {
    atField: refusals.atField,
    /** Forgets the last refusal, before the form is sent. */
    begin: (form: HTMLFormElement): void => {
      refusals.begin(form);
      setRefused(undefined);
    },
    /** The server's message about a field. */
    of: (field: string): string | undefined => (refused?.field === field ? refused.message : undefined),
  };
};

/** The refused fields of a form. */
export type Mistakes = ReturnType<typeof useMistakes>;
