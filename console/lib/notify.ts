/*
 * Messages to the user. Any module may send one, even before the toaster is loaded: messages are queued until it
 * connects.
 */

export type NoticeKind = "success" | "info" | "error" | "warning" | "notice" | "undoable";

export interface Notice {
  kind: NoticeKind;
  text: string;
  /** A second, quieter line. */
  detail?: string;
  /** Markdown or HTML written by an administrator; shown sanitised in place of the text. */
  html?: string;
  /** Reverts the reported change. */
  undo?: () => void;
}

/**
 * Milliseconds until a toast closes by itself (specification section 9); notices stay until closed. A toast with undo
 * stays long enough to be read and reached.
 */
export const TOAST_TIMEOUT_MS: Record<NoticeKind, number> = {
  success: 1500,
  info: 3000,
  error: 5000,
  warning: 10000,
  notice: 0,
  undoable: 10_000,
};

const waiting: Notice[] = [];
let deliver: ((notice: Notice) => void) | undefined;

const send = (notice: Notice): void => {
  if (deliver) deliver(notice);
  else waiting.push(notice);
};

/** Shows a toast. */
export const notify = {
  success: (text: string) => send({ kind: "success", text }),
  info: (text: string) => send({ kind: "info", text }),
  error: (text: string, detail?: string) => send({ kind: "error", text, detail }),
  warning: (text: string) => send({ kind: "warning", text }),
  notice: (text: string, html?: string) => send({ kind: "notice", text, html }),
  undoable: (text: string, undo: () => void) => send({ kind: "undoable", text, undo }),
};

/** Connects the toaster; queued messages are delivered immediately. */
export const connectToaster = (receiver: (notice: Notice) => void): (() => void) => {
  deliver = receiver;
  for (const notice of waiting.splice(0)) receiver(notice);
  return () => {
    if (deliver === receiver) deliver = undefined;
  };
};
