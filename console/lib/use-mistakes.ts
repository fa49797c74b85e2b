import { useState } from "react";
import { focusInvalid } from "./focus-mistake";
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
    /** Forgets the last refusal, before the form is sent, and focuses the first mistake that the form finds itself. */
    begin: (form: HTMLFormElement): void => {
      refusals.begin(form);
      setRefused(undefined);
      // After the form has rendered its messages.
      setTimeout(() => form.isConnected && focusInvalid(form));
    },
    /** The server's message about a field. */
    of: (field: string): string | undefined => (refused?.field === field ? refused.message : undefined),
  };
};

/** The refused fields of a form. */
export type Mistakes = ReturnType<typeof useMistakes>;
