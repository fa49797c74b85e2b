import { Lock } from "lucide-react";

/** A line that explains why the controls below it are locked. */
export const LockedNote = ({ text }: { text: string }) => (
  <p className="flex items-center gap-2.5 rounded-lg border border-line bg-sunken px-4 py-3 text-ink-2">
    <Lock aria-hidden className="size-4 shrink-0" />
    {text}
  </p>
);
