import { Eye } from "lucide-react";
import { useStatus } from "../lib/status";

/** Informs users while the site stores the content of their requests. It cannot be dismissed. */
export const BodyNotice = ({ text }: { text: string }) =>
  useStatus()?.body_log === true && (
    <p
      role="note"
      className="flex items-center gap-2.5 rounded-lg border border-line bg-sunken px-4 py-3 text-sm text-ink-2"
    >
      <Eye aria-hidden className="size-4 shrink-0" />
      {text}
    </p>
  );
