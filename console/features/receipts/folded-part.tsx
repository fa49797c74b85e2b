import { ChevronRight } from "lucide-react";
import { type ReactNode, useState } from "react";

interface FoldedPartProps {
  title: string;
  /** Made when the reader first opens the part. */
  children: () => ReactNode;
}

/** A collapsed part of a receipt, which is loaded when the user opens it. */
export const FoldedPart = ({ title, children }: FoldedPartProps) => {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className="group" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="flex cursor-pointer list-none items-center gap-1.5 rounded-sm font-medium text-sm">
        <ChevronRight
          aria-hidden
          className="size-4 text-ink-3 transition-transform group-open:rotate-90 motion-reduce:transition-none"
        />
        {title}
      </summary>
      {isOpen && children()}
    </details>
  );
};
