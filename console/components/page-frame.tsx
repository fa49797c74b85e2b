import type { ReactNode } from "react";
import { useFixedAddress } from "../lib/fixed-address";

interface PageFrameProps {
  title: ReactNode;
  description?: ReactNode;
  /** Shown at the right of the title, for example a search box. */
  aside?: ReactNode;
  /** It is part of another page, whose heading precedes its own. */
  isPart?: boolean;
  children: ReactNode;
}

/** A page: its heading, an aside and its content. */
export const PageFrame = ({ title, description, aside, isPart, children }: PageFrameProps) => {
  const isBelow = useFixedAddress() !== undefined;
  return (
    <div className="flex flex-col gap-4">
      <header className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
        <div className="min-w-0">
          {isPart || isBelow ? (
            <h2 className="font-semibold text-lg leading-6">{title}</h2>
          ) : (
            <h1 className="font-semibold text-xl leading-7">{title}</h1>
          )}
          {description && <p className="mt-0.5 text-ink-2">{description}</p>}
        </div>
        {aside}
      </header>
      {children}
    </div>
  );
};

/** A card for a form or a block of text. */
export const Panel = ({ children }: { children: ReactNode }) => (
  <section className="rounded-lg border border-line bg-surface p-4 wide:p-6">{children}</section>
);
