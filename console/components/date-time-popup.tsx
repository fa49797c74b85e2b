import { Popover } from "@base-ui/react/popover";
import { useState } from "react";
import { formatDate, parseDate } from "../lib/format";
import { useCramped } from "../lib/use-narrow";
import { DateTimePanel } from "./date-time-panel";
import type { LateTrigger } from "./late-popup";

interface DateTimePopupProps extends LateTrigger {
  label: string;
  value: string;
  onChange: (value: string) => void;
}

/** The calendar of a field, with its button. */
const DateTimePopup = ({ label, value, onChange, trigger, isOpenAtFirst = false }: DateTimePopupProps) => {
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  const isCramped = useCramped();
  return (
    <Popover.Root open={isOpen} onOpenChange={setOpen}>
      <Popover.Trigger render={trigger} />
      <Popover.Portal>
        <Popover.Positioner
          align="end"
          sideOffset={4}
          collisionPadding={8}
          // Neither side of the field has room for a month there.
          collisionAvoidance={isCramped ? { side: "shift" } : undefined}
          className="z-45"
        >
          <Popover.Popup
            aria-label={label}
            className="floating max-h-[calc(100dvh-16px)] w-[288px] overflow-y-auto p-3"
          >
            <DateTimePanel
              date={parseDate(value)}
              onChange={(date) => onChange(formatDate(date))}
              onDone={() => setOpen(false)}
            />
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
};

export default DateTimePopup;
