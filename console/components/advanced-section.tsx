import { ChevronRight } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";

interface AdvancedSectionProps {
  title: string;
  hint: string;
  /** Opens it initially, because something in it is set. */
  isOpen: boolean;
  /** Opens it later, because a field in it has a mistake. */
  hasMistake?: boolean;
  children: ReactNode;
}

/** Rarely needed fields, collapsed until the user opens them. */
export const AdvancedSection = ({
  title,
  hint,
  isOpen,
  hasMistake = false,
  children,
}: AdvancedSectionProps) => {
  const [wasOpened, setOpened] = useState(isOpen);
  // Its fields must be on the page for the form to find the mistake, which opens the section (focusInvalid).
  if (hasMistake && !wasOpened) setOpened(true);
  const details = useRef<HTMLDetailsElement>(null);
  // A field whose code loads late is not there yet for the form to find.
  useEffect(() => {
    if (hasMistake && details.current) details.current.open = true;
  }, [hasMistake]);
  return (
    <details
      ref={details}
      open={isOpen}
      onToggle={() => setOpened(true)}
      className="group border-line border-t pt-4"
    >
      <summary className="touch flex cursor-pointer list-none items-center gap-1.5 rounded-sm font-medium text-sm">
        <ChevronRight
          aria-hidden
          className="size-4 text-ink-3 transition-transform group-open:rotate-90 motion-reduce:transition-none"
        />
        {title}
      </summary>
      <p className="mt-1 text-sm text-ink-2">{hint}</p>
      <div className="mt-4 flex flex-col gap-5">{(isOpen || wasOpened) && children}</div>
    </details>
  );
};
