import { useEffect, useRef, useState } from "react";
import { refusedField } from "./api-client";
import { failureText } from "./failure-text";
import { focusInvalid } from "./focus-mistake";

/** Props of a form's call: shows a failure at the field that it names, beside the notice (specification section 8). */
export interface AtField {
  atField: (error: Error) => void;
}

/**
 * Shows refusals that name a field at that field, opens what hides it and focuses it. Older servers and other products
 * name none.
 * @param show puts the message at the field with this name on the wire, if the form has it
 * @param onTyped the user changes the focused field
 */
export const useRefusals = (show: (field: string, message: string) => void, onTyped?: () => void) => {
  const form = useRef<HTMLFormElement>(null);
  const typed = useRef(onTyped);
  typed.current = onTyped;
  const [shown, setShown] = useState<Error>();
  // After the message has been rendered.
  useEffect(() => {
    if (!shown) return;
    const field = form.current && focusInvalid(form.current);
    // Later, because a render between this listener and React's own puts the old value back into a controlled field.
    field?.addEventListener("input", () => setTimeout(() => typed.current?.()), { once: true });
  }, [shown]);
  return {
    /** Remembers the form whose call may be refused. */
    begin: (element: HTMLFormElement): void => {
      form.current = element;
    },
    atField: (error: Error): void => {
      const field = refusedField(error);
      if (field === undefined || !form.current?.isConnected) return;
      show(field, failureText(error));
      setShown(error);
    },
  };
};
