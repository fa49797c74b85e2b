import { clsx } from "clsx";
import { CircleAlert, CircleCheck, Info, Megaphone, TriangleAlert, X } from "lucide-react";
import { useEffect, useEffectEvent, useReducer, useState } from "react";
import { createPortal } from "react-dom";
import { useTranslation } from "react-i18next";
import { connectToaster, type Notice, type NoticeKind, TOAST_TIMEOUT_MS } from "../lib/notify";
import { Button } from "./button";
import { RichText } from "./rich-text";

interface Shown extends Notice {
  id: number;
}

type Change = { add: Shown } | { remove: number };

/** Maximum number of messages at once; the oldest is removed. */
const LIMIT = 5;

/** Whether two messages say the same; each with an undo reverts another change. */
const isSame = (a: Notice, b: Notice): boolean =>
  [a, b].every(({ undo }) => undo === undefined) &&
  a.kind === b.kind &&
  a.text === b.text &&
  a.detail === b.detail &&
  a.html === b.html;

/** A repeated message takes the place of the earlier one: a page whose calls all fail for one reason says so once. */
const change = (toasts: Shown[], step: Change): Shown[] =>
  "add" in step
    ? [...toasts.filter((toast) => !isSame(toast, step.add)), step.add].slice(-LIMIT)
    : toasts.filter((toast) => toast.id !== step.remove);

let lastId = 0;

/** Shows the messages of `notify`, top right, or top centre on a narrow screen. */
export const Toaster = () => {
  const [toasts, dispatch] = useReducer(change, []);

  // An effect, because the message queue is outside React and may fill before this component mounts.
  useEffect(
    () =>
      connectToaster((notice) => {
        lastId += 1;
        dispatch({ add: { ...notice, id: lastId } });
      }),
    [],
  );

  const { t } = useTranslation();
  return createPortal(
    <section
      aria-label={t("toast.region")}
      className="pointer-events-none fixed inset-x-3 top-3 z-50 mx-auto flex max-w-[400px] flex-col gap-2 wide:inset-x-auto wide:end-5 wide:top-[68px] wide:w-[380px]"
    >
      {/* Both regions exist before their first message: one added together with a message is not always announced. */}
      <Region isUrgent toasts={toasts} onClose={(id) => dispatch({ remove: id })} />
      <Region isUrgent={false} toasts={toasts} onClose={(id) => dispatch({ remove: id })} />
    </section>,
    // Outside the page, so that a dialog's backdrop does not cover it.
    document.body,
  );
};

interface RegionProps {
  /** Urgent ones interrupt a screen reader, others wait for it to finish. */
  isUrgent: boolean;
  toasts: Shown[];
  onClose: (id: number) => void;
}

const Region = ({ isUrgent, toasts, onClose }: RegionProps) => (
  <div
    role={isUrgent ? "alert" : "status"}
    // Repeats the role's default explicitly: only then does an open dialog leave it to screen readers.
    aria-live={isUrgent ? "assertive" : "polite"}
    aria-atomic={false}
    className="flex flex-col gap-2 empty:hidden"
  >
    {toasts
      .filter((toast) => (toast.kind === "error" || toast.kind === "warning") === isUrgent)
      .map((toast) => (
        <Toast key={toast.id} toast={toast} onClose={() => onClose(toast.id)} />
      ))}
  </div>
);

const ICON: Record<NoticeKind, [typeof Info, string]> = {
  success: [CircleCheck, "text-green"],
  info: [Info, "text-accent"],
  error: [CircleAlert, "text-red"],
  warning: [TriangleAlert, "text-yellow"],
  notice: [Megaphone, "text-accent"],
  undoable: [CircleCheck, "text-green"],
};

/** One message. It closes by itself, but not while hovered or focused. */
const Toast = ({ toast, onClose }: { toast: Shown; onClose: () => void }) => {
  const { t } = useTranslation();
  const [isHeld, setHeld] = useState(false);
  const close = useEffectEvent(onClose);
  const [Icon, color] = ICON[toast.kind];
  const timeoutMs = TOAST_TIMEOUT_MS[toast.kind];

  // An effect, because the clock is outside React.
  useEffect(() => {
    if (timeoutMs === 0 || isHeld) return;
    const timer = setTimeout(() => close(), timeoutMs);
    return () => clearTimeout(timer);
  }, [timeoutMs, isHeld]);

  return (
    <article
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
      className="floating pointer-events-auto flex animate-[toast-in_160ms_ease-out] items-start gap-2.5 py-2.5 ps-3.5 pe-2"
    >
      <Icon aria-hidden className={clsx("mt-[3px] size-4 shrink-0", color)} />
      <div className="max-h-[50dvh] min-w-0 flex-1 overflow-y-auto py-px">
        {toast.html === undefined ? (
          <p className="whitespace-pre-line break-words">{toast.text}</p>
        ) : (
          <RichText source={toast.html} />
        )}
        {toast.detail && <p className="text-sm text-ink-2">{toast.detail}</p>}
      </div>
      {toast.undo && (
        <Button
          variant="plain"
          size="small"
          className="-my-0.5"
          onClick={() => {
            toast.undo?.();
            onClose();
          }}
        >
          {t("action.undo")}
        </Button>
      )}
      <button
        type="button"
        aria-label={t("action.close")}
        onClick={onClose}
        className="touch grid size-6 shrink-0 place-items-center rounded-sm text-ink-3 hover:bg-hover hover:text-ink"
      >
        <X aria-hidden className="size-3.5" />
      </button>
    </article>
  );
};
