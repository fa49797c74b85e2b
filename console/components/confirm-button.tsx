import { useState } from "react";
import { Button, type ButtonProps } from "./button";
import { LazyBoundary } from "./lazy-boundary";

// Loaded with the first question.
const loadConfirmDialog = () => import("./confirm-dialog");

interface ConfirmButtonProps extends Omit<ButtonProps, "onClick"> {
  question: string;
  /** The effect, in one sentence. */
  consequence: string;
  /** Label of the confirming button. */
  confirm: string;
  /** The action destroys nothing: the window's button is not red. */
  isHarmless?: boolean;
  /** Resolves when done; the window stays open, busy, until then. */
  onConfirm: () => Promise<unknown>;
}

/** A button that asks for confirmation. */
export const ConfirmButton = ({
  question,
  consequence,
  confirm,
  isHarmless,
  onConfirm,
  ...button
}: ConfirmButtonProps) => {
  const [isOpen, setOpen] = useState(false);
  const [wasOpened, setOpened] = useState(false);
  return (
    <>
      <Button
        {...button}
        aria-haspopup="dialog"
        onClick={() => {
          setOpened(true);
          setOpen(true);
        }}
      />
      {wasOpened && (
        <LazyBoundary
          load={loadConfirmDialog}
          with={{ isOpen, onOpenChange: setOpen, question, consequence, confirm, isHarmless, onConfirm }}
          onMissing={() => setOpened(false)}
        />
      )}
    </>
  );
};
