import { ChevronDown } from "lucide-react";
import { Button } from "./button";
import { LateMenu } from "./late-popup";
import type { MenuEntry } from "./menu";

interface SplitButtonProps {
  label: string;
  /** Its label for screen readers. */
  name: string;
  onClick: () => void;
  /** Reason that the default action is disabled; the others stay enabled. */
  refusal?: string;
  /** Label of the small button beside it. */
  moreLabel: string;
  entries: MenuEntry[];
}

/** A row's button for the default variant of an action, with a menu of the others. */
export const SplitButton = ({ label, name, onClick, refusal, moreLabel, entries }: SplitButtonProps) => (
  <span className="inline-flex">
    <Button
      variant="quiet"
      size="small"
      className="rounded-e-none pe-1"
      aria-label={name}
      aria-disabled={refusal !== undefined || undefined}
      title={refusal}
      onClick={refusal === undefined ? onClick : undefined}
    >
      {label}
    </Button>
    <LateMenu
      trigger={
        <Button variant="quiet" size="smallIcon" className="rounded-s-none" aria-label={moreLabel}>
          <ChevronDown aria-hidden className="size-3.5" />
        </Button>
      }
      entries={entries}
    />
  </span>
);
