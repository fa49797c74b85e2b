import type { ReactNode } from "react";

/** The next step: a sentence, controls, or both. */
type NextStep = { text: string; children?: ReactNode } | { text?: string | undefined; children: ReactNode };

type EmptyStateProps = { icon: ReactNode; title: string } & NextStep;

/** Shown for an empty list or page: the reason and the next step. */
export const EmptyState = ({ icon, title, text, children }: EmptyStateProps) => (
  <div className="flex flex-col items-center gap-1 px-6 py-14 text-center">
    <div
      aria-hidden
      className="mb-2 grid size-11 place-items-center rounded-full bg-sunken text-ink-3 [&_svg]:size-5"
    >
      {icon}
    </div>
    <div className="font-medium">{title}</div>
    {text && <div className="max-w-sm text-balance text-sm text-ink-2">{text}</div>}
    {children && <div className="mt-4 flex flex-wrap justify-center gap-2">{children}</div>}
  </div>
);
