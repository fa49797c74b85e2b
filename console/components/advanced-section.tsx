import { ChevronRight } from "lucide-react";
import type { ReactNode } from "react";

interface AdvancedSectionProps {
  title: string;
  hint: string;
  /** Unfolded from the start: something in it is set. */
  isOpen: boolean;
  children: ReactNode;
}

/** Fields that few people need, folded away until a person wants them. */
export const AdvancedSection = ({ title, hint, isOpen, children }: AdvancedSectionProps) => (
  <details open={isOpen} className="group border-line border-t pt-4">
    <summary className="flex cursor-pointer list-none items-center gap-1.5 rounded-sm font-medium text-sm">
      <ChevronRight
        aria-hidden
        className="size-4 text-ink-3 transition-transform group-open:rotate-90 motion-reduce:transition-none"
      />
      {title}
    </summary>
    <p className="mt-1 text-sm text-ink-2">{hint}</p>
    <div className="mt-4 flex flex-col gap-5">{children}</div>
  </details>
);
