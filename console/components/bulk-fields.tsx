import { type FormEvent, type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { type Mistakes, useMistakes } from "../lib/use-mistakes";
import { Button } from "./button";
import { Dialog, DialogActions } from "./dialog";

/** The typed values of many records' fields, and which of them are enabled. */
export const useBulkEdit = <Typed extends object>(none: Typed) => {
  const [typed, setTyped] = useState(none);
  const [on, setOn] = useState<ReadonlySet<keyof Typed>>(new Set());
  const mistakes = useMistakes();
  const switchOn = (name: keyof Typed, isOn: boolean) =>
    setOn((before) => new Set([...before, name].filter((each) => isOn || each !== name)));
  return {
    typed,
    on,
    switchOn,
    mistakes,
    /** The server's message about a field of the change, by its name on the wire. */
    errorOf: (field: string): string | undefined => mistakes.of(`change.${field}`),
    /** Changes a field, which enables it, or the row that it shares. */
    put: <Name extends keyof Typed>(name: Name, value: Typed[Name], row: keyof Typed = name) => {
      setTyped((before) => ({ ...before, [name]: value }));
      switchOn(row, true);
    },
    clear: () => {
      setTyped(none);
      setOn(new Set());
    },
  };
};

export interface BulkEdit {
  on: ReadonlySet<PropertyKey>;
  // Method syntax: an edit of certain fields is also one of any fields.
  switchOn(name: string, isOn: boolean): void;
  errorOf: (field: string) => string | undefined;
}

interface BulkRowProps {
  edit: BulkEdit;
  name: string;
  label: string;
  children: ReactNode;
}

/** A field, with the checkbox that enables it. */
export const BulkRow = ({ edit, name, label, children }: BulkRowProps) => {
  const { t } = useTranslation();
  return (
    <div className="grid grid-cols-[auto_1fr] items-start gap-x-2.5">
      <input
        type="checkbox"
        aria-label={t("batch.write", { field: label })}
        checked={edit.on.has(name)}
        onChange={({ target }) => edit.switchOn(name, target.checked)}
        className="mt-0.5 block size-4 accent-accent"
      />
      {children}
    </div>
  );
};

interface BulkWindowProps {
  isOpen: boolean;
  title: string;
  /** The typed values are complete and valid. */
  canSave: boolean;
  /** The refused fields of the change. */
  mistakes: Mistakes;
  onClose: () => void;
  /** Resolves once saved, and rejects if the server refuses. */
  onSave: () => Promise<void>;
  /** Called once saved. */
  onSaved: () => void;
  children: ReactNode;
}

/** The window of a change of many records; it stays open with its typed values if the change fails. */
export const BulkWindow = ({
  isOpen,
  title,
  canSave,
  mistakes,
  onClose,
  onSave,
  onSaved,
  children,
}: BulkWindowProps) => {
  const { t } = useTranslation();
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!canSave) return;
    mistakes.begin(event.currentTarget);
    setBusy(true);
    try {
      await onSave();
      onSaved();
      onClose();
    } catch (error) {
      // The query client has reported the failure; the typed values stay.
      if (error instanceof Error) mistakes.atField(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={title}>
      <form onSubmit={submit} noValidate className="flex flex-col gap-4">
        {children}
        <DialogActions>
          <Button type="submit" variant="primary" isBusy={isBusy} disabled={!canSave}>
            {t("action.submit")}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
};
