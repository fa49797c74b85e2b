import { ChevronRight } from "lucide-react";
import type { ReactNode } from "react";

interface SettingCardProps {
  /** Its anchor. */
  id?: string;
  title: string;
  text?: ReactNode;
  /** Set for a collapsible card: whether it is open initially. */
  isOpen?: boolean | undefined;
  children: ReactNode;
}

const CARD = "rounded-lg border border-line bg-surface";

/** A settings card: its subject, then its settings. */
export const SettingCard = ({ id, title, text, isOpen, children }: SettingCardProps) => {
  const head = (
    <div className="min-w-0">
      <h2 className="font-semibold text-lg">{title}</h2>
      {text && <p className="mt-0.5 break-words text-sm text-ink-2">{text}</p>}
    </div>
  );
  if (isOpen === undefined)
    return (
      <section id={id} aria-label={title} className={`flex flex-col gap-5 p-4 wide:p-6 ${CARD}`}>
        {head}
        {children}
      </section>
    );
  return (
    <section id={id} aria-label={title} className={CARD}>
      {/* The browser's own search opens it when it finds a match inside. */}
      <details open={isOpen} className="group">
        <summary className="flex cursor-pointer list-none items-start gap-2.5 rounded-lg p-4 hover:bg-hover wide:px-6 group-open:pb-0 group-open:hover:bg-transparent">
          <ChevronRight
            aria-hidden
            className="mt-1.5 size-4 shrink-0 text-ink-3 transition-transform group-open:rotate-90 motion-reduce:transition-none"
          />
          {head}
        </summary>
        <div className="flex flex-col gap-5 p-4 wide:p-6">{children}</div>
      </details>
    </section>
  );
};

/** Scrolls a card, or an element in it, into view, and expands a collapsed card. */
export const openCard = (element: Element): void => {
  const details = element.closest("details") ?? element.querySelector("details");
  if (details) details.open = true;
};

interface SettingRowProps {
  name: string;
  text?: ReactNode;
  /** Its button, at the right. */
  action?: ReactNode;
  /** Stands below. */
  children?: ReactNode;
}

/** A row of a card with a button in place of an input. */
export const SettingRow = ({ name, text, action, children }: SettingRowProps) => (
  <li className="flex min-w-0 flex-wrap items-center justify-between gap-x-8 gap-y-2 py-3.5 first:pt-0 last:pb-0">
    <div className="min-w-0 flex-1 basis-60">
      <div className="font-medium text-sm">{name}</div>
      <div className="min-h-5 break-words text-sm text-ink-2">{text}</div>
    </div>
    {action}
    {children}
  </li>
);

export const SettingRows = ({ children }: { children: ReactNode }) => (
  <ul className="flex flex-col divide-y divide-line">{children}</ul>
);
