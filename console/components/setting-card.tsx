import type { ReactNode } from "react";

interface SettingCardProps {
  /** By which it is brought into view. */
  id?: string;
  title: string;
  text?: ReactNode;
  children: ReactNode;
}

/** A card of the settings: what it is about at the left, and what can be set at the right, or below. */
export const SettingCard = ({ id, title, text, children }: SettingCardProps) => (
  <section
    id={id}
    aria-label={title}
    className="grid scroll-mt-20 gap-x-10 gap-y-4 rounded-lg border border-line bg-surface p-4 wide:p-6 lg:grid-cols-[210px_minmax(0,1fr)]"
  >
    <div className="min-w-0">
      <h2 className="font-semibold text-lg">{title}</h2>
      {text && <p className="mt-1 break-words text-sm text-ink-2">{text}</p>}
    </div>
    <div className="flex min-w-0 flex-col gap-5">{children}</div>
  </section>
);
