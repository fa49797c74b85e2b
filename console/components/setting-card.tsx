import type { ReactNode } from "react";

interface SettingCardProps {
  /** By which it is brought into view. */
  id?: string;
  title: string;
  text?: ReactNode;
  children: ReactNode;
}

/** A card of the settings: what it is about, then what can be set. */
export const SettingCard = ({ id, title, text, children }: SettingCardProps) => (
  <section
    id={id}
    aria-label={title}
    className="flex scroll-mt-20 flex-col gap-5 rounded-lg border border-line bg-surface p-4 wide:p-6"
  >
    <div className="min-w-0">
      <h2 className="font-semibold text-lg">{title}</h2>
      {text && <p className="mt-0.5 break-words text-sm text-ink-2">{text}</p>}
    </div>
    {children}
  </section>
);
