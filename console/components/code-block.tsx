import { clsx } from "clsx";

interface CodeBlockProps {
  text: string;
  /** Name for screen readers. */
  label: string;
  className?: string;
}

/** Code that scrolls sideways in itself: an address or a word that is broken looks like two. */
export const CodeBlock = ({ text, label, className }: CodeBlockProps) => (
  // A group and no section: a page with many blocks would have many landmarks of one name.
  // biome-ignore lint/a11y/useSemanticElements: a fieldset groups controls
  <div
    role="group"
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls only a part that has the focus
    tabIndex={0}
    aria-label={label}
    className={clsx("overflow-x-auto", className)}
  >
    <pre className="w-fit whitespace-pre font-mono text-xs leading-relaxed">{text}</pre>
  </div>
);
