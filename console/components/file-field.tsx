import { FileUp } from "lucide-react";
import { type ReactNode, useState } from "react";
import { buttonVariants } from "./button";
import { Field } from "./field";

interface FileFieldProps {
  label: string;
  /** Text on the button, and beside it without a file: a browser's own texts are in the browser's language. */
  choose: string;
  none: string;
  /** Accepted file types. */
  accept: string;
  hint?: ReactNode;
  error?: string;
  isRequired?: boolean;
  onChange: (file: File | undefined) => void;
}

/** Chooses a file. */
export const FileField = ({
  label,
  choose,
  none,
  accept,
  hint,
  error,
  isRequired,
  onChange,
}: FileFieldProps) => {
  const [name, setName] = useState<string>();
  return (
    <Field label={label} hint={hint} error={error} isRequired={isRequired}>
      {(control) => (
        <label className="flex min-w-0 cursor-pointer items-center gap-2.5">
          <input
            {...control}
            type="file"
            accept={accept}
            className="peer sr-only"
            onChange={({ target }) => {
              const file = target.files?.[0];
              setName(file?.name);
              onChange(file);
            }}
          />
          <span
            className={`${buttonVariants()} hover:bg-hover peer-focus-visible:outline-2 peer-focus-visible:outline-accent peer-focus-visible:outline-offset-2`}
          >
            <FileUp aria-hidden className="size-3.5" />
            {choose}
          </span>
          <span className={name === undefined ? "truncate text-sm text-ink-3" : "truncate text-sm"}>
            {name ?? none}
          </span>
        </label>
      )}
    </Field>
  );
};
