import { useEffect, useRef, useState } from "react";
import { refusedField } from "./api-client";
import { failureText } from "./failure-text";
import { focusInvalid } from "./focus-mistake";
import { reportError } from "./report-error";

/** Props of a form's call: whether a failure is shown at a field, in place of the usual notice. */
export interface AtField {
  atField: (error: Error) => boolean;
}

/**
 * Shows refusals that name a field at that field, opens what hides it and focuses it. The usual notice follows if the
 * server names no field, as older ones and other products do, or one that the form does not show.
 * @param show puts the message at the field with this name on the wire. @returns false if the form has no such field
 * @param onTyped the user changes the focused field
 */
export const useRefusals = (show: (field: string, message: string) => boolean, onTyped?: () => void) => {
  const form = useRef<HTMLFormElement>(null);
  const typed = useRef(onTyped);
  typed.current = onTyped;
  const [shown, setShown] = useState<Error>();
  // After the message has been rendered.
  useEffect(() => {
    if (!shown) return;
    const field = form.current && focusInvalid(form.current);
    if (field) field.addEventListener("input", () => typed.current?.(), { once: true });
    else reportError(shown);
  }, [shown]);
  return {
    /** Remembers the form whose call may be refused. */
    begin: (element: HTMLFormElement): void => {
      form.current = element;
    },
    atField: (error: Error): boolean => {
      const field = refusedField(error);
      if (field === undefined || !form.current?.isConnected) return false;
      if (!show(field, failureText(error))) return false;
      setShown(error);
      return true;
    },
  };
};
