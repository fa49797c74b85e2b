import { Dialog } from "@base-ui/react/dialog";
import { clsx } from "clsx";
import type { ComponentProps } from "react";

/** The buttons at the end of a window, the confirming one last; on a phone they share its width. */
export const DIALOG_ACTIONS = "flex flex-wrap items-center justify-end gap-2 max-wide:[&>button]:flex-1";

interface DialogFrameProps extends ComponentProps<typeof Dialog.Popup> {
  /** Its width and its place from the top. */
  className: string;
}

/** The box of every window, over the dimmed page. It is never wider than the screen. */
export const DialogFrame = ({ className, ...popup }: DialogFrameProps) => (
  <Dialog.Portal>
    <Dialog.Backdrop className="fixed inset-0 z-40 bg-overlay transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0" />
    <Dialog.Popup
      {...popup}
      className={clsx(
        "floating fixed left-1/2 z-40 flex max-w-[calc(100vw-32px)] -translate-x-1/2 flex-col",
        className,
      )}
    />
  </Dialog.Portal>
);
