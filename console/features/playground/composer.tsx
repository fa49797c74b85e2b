import { Paperclip, Send, Square, X } from "lucide-react";
import { type ClipboardEvent, type KeyboardEvent, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button, buttonVariants } from "../../components/button";
import { type AttachmentRefusal, addFiles, MAX_ATTACHED_BYTES, MAX_ATTACHMENTS } from "./attachments";
import type { Attachment } from "./conversation";

interface ComposerProps {
  isRunning: boolean;
  /** Whether a message can be sent as the page stands. */
  isReady: boolean;
  onSend: (text: string, attachments: readonly Attachment[]) => void;
  onStop: () => void;
}

/** Esc stops the answers under way. */
const useStopKey = (isRunning: boolean, onStop: () => void): void => {
  useEffect(() => {
    if (!isRunning) return;
    const stopByKey = (event: globalThis.KeyboardEvent): void => {
      // A window or a list closes first.
      if (event.key === "Escape" && !event.defaultPrevented && !document.querySelector("[role=dialog]"))
        onStop();
    };
    window.addEventListener("keydown", stopByKey);
    return () => window.removeEventListener("keydown", stopByKey);
  }, [isRunning, onStop]);
};

/** Chooses pictures and files. */
const AttachButton = ({ onFiles }: { onFiles: (files: readonly File[]) => void }) => {
  const { t } = useTranslation();
  return (
    <label className="cursor-pointer">
      <input
        type="file"
        multiple
        aria-label={t("playground.attach")}
        className="peer sr-only"
        onChange={({ target }) => {
          onFiles([...(target.files ?? [])]);
          // The same file can be chosen again.
          target.value = "";
        }}
      />
      <span
        title={t("playground.attach")}
        className={`${buttonVariants({ variant: "quiet", size: "icon" })} hover:bg-hover peer-focus-visible:outline-2 peer-focus-visible:outline-accent peer-focus-visible:outline-offset-2`}
      >
        <Paperclip aria-hidden className="size-4" />
      </span>
    </label>
  );
};

/** The next message, with its files. */
export const Composer = ({ isRunning, isReady, onSend, onStop }: ComposerProps) => {
  const { t } = useTranslation();
  const [text, setText] = useState("");
  const [attachments, setAttachments] = useState<readonly Attachment[]>([]);
  const [refusal, setRefusal] = useState<AttachmentRefusal>();
  const field = useRef<HTMLTextAreaElement>(null);
  const canSend = isReady && !isRunning && (text.trim() !== "" || attachments.length > 0);

  useStopKey(isRunning, onStop);
  const send = (): void => {
    if (!canSend) return;
    onSend(text, attachments);
    setText("");
    setAttachments([]);
    setRefusal(undefined);
    field.current?.focus();
  };
  const sendByKey = (event: KeyboardEvent): void => {
    // Enter also ends the composition of an input method.
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  };
  const add = async (files: Iterable<File>): Promise<void> => {
    const added = await addFiles(attachments, files);
    setAttachments(added.attachments);
    setRefusal(added.refusal);
  };
  const paste = (event: ClipboardEvent): void => {
    if (event.clipboardData.files.length === 0) return;
    event.preventDefault();
    void add(event.clipboardData.files);
  };

  return (
    <form
      className="sticky bottom-0 z-10 flex flex-col gap-2 rounded-lg border border-line-strong bg-surface p-3"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <Attached
        attachments={attachments}
        onRemove={(removed) => setAttachments(attachments.filter((each) => each !== removed))}
      />
      {refusal && (
        <p role="alert" className="text-red text-sm">
          {t(`playground.refusal.${refusal}`, {
            most: MAX_ATTACHMENTS,
            megabytes: MAX_ATTACHED_BYTES / 1_000_000,
          })}
        </p>
      )}
      <textarea
        ref={field}
        aria-label={t("playground.message")}
        aria-description={t("playground.keys")}
        placeholder={t("playground.message")}
        rows={2}
        className="control field-sizing-content h-auto max-h-60 min-h-16 resize-none py-2 leading-relaxed"
        value={text}
        onChange={({ target }) => setText(target.value)}
        onKeyDown={sendByKey}
        onPaste={paste}
      />
      <div className="flex items-center gap-2">
        <AttachButton onFiles={(files) => void add(files)} />
        <p className="min-w-0 flex-1 text-ink-3 text-sm max-wide:invisible">{t("playground.keys")}</p>
        {isRunning ? (
          <Button variant="danger" onClick={onStop}>
            <Square aria-hidden className="size-3.5" />
            {t("playground.stop")}
          </Button>
        ) : (
          <Button type="submit" variant="primary" disabled={!canSend}>
            <Send aria-hidden className="size-3.5" />
            {t("playground.send")}
          </Button>
        )}
      </div>
    </form>
  );
};

interface AttachedProps {
  attachments: readonly Attachment[];
  /** Absent for a message that was sent. */
  onRemove?: (attachment: Attachment) => void;
}

/** The pictures and files of a message. */
export const Attached = ({ attachments, onRemove }: AttachedProps) => {
  const { t } = useTranslation();
  if (attachments.length === 0) return null;
  return (
    <ul className="flex flex-wrap gap-2">
      {attachments.map((each, index) => (
        <li
          // biome-ignore lint/suspicious/noArrayIndexKey: a message may have the same file twice
          key={index}
          className="flex max-w-full items-center gap-2 rounded-md border border-line bg-sunken py-1 ps-1 pe-2 text-sm"
        >
          {each.type.startsWith("image/") && each.data !== "" && (
            <img src={each.data} alt="" className="size-10 rounded-sm object-cover" />
          )}
          <span className="min-w-0 truncate">{each.name}</span>
          {each.data === "" && <span className="text-ink-3">{t("playground.notKept")}</span>}
          {onRemove && (
            <button
              type="button"
              aria-label={t("playground.removeFile", { name: each.name })}
              onClick={() => onRemove(each)}
              className="touch grid size-6 shrink-0 place-items-center rounded-sm text-ink-2 hover:text-ink"
            >
              <X aria-hidden className="size-3.5" />
            </button>
          )}
        </li>
      ))}
    </ul>
  );
};
