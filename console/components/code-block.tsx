import { clsx } from "clsx";

interface CodeBlockProps {
  text: string;
  /** Name for screen readers. */
  label: string;
  className?: string;
}

/** Code that scrolls sideways in itself: an address or a word that is broken looks like two. */
export const CodeBlock = ({ text, label, className }: CodeBlockProps) => (
  <section
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls only a region that has the focus
    tabIndex={0}
    aria-label={label}
    className={clsx("overflow-x-auto", className)}
  >
    <pre className="w-fit whitespace-pre font-mono text-xs leading-relaxed">{text}</pre>
  </section>
);
