import { Menu as BaseMenu } from "@base-ui/react/menu";
import { Check } from "lucide-react";
import type { ReactElement, ReactNode } from "react";

export interface MenuEntry {
  label: string;
  icon?: ReactNode;
  onSelect: () => void;
  /** Why it cannot be chosen; undefined where it can. */
  refusal?: string;
  /** It is switched on or off; the menu stays open. */
  isChecked?: boolean;
}

interface MenuProps {
  /** The button that opens the menu. */
  trigger: ReactElement;
  entries: MenuEntry[];
  /** Opens it as it appears: its button was clicked before its code had come. */
  isOpenAtFirst?: boolean;
}

const ITEM =
  "flex min-h-8 cursor-pointer items-center gap-2 rounded-sm px-2.5 text-sm outline-none data-disabled:cursor-not-allowed data-disabled:text-ink-3 data-highlighted:bg-hover";

/** A button's menu of actions. */
export const Menu = ({ trigger, entries, isOpenAtFirst }: MenuProps) => (
  <BaseMenu.Root modal={false} defaultOpen={isOpenAtFirst}>
    <BaseMenu.Trigger render={trigger} />
    <BaseMenu.Portal>
      <BaseMenu.Positioner align="end" sideOffset={4} className="z-45">
        <BaseMenu.Popup className="floating min-w-36 p-1">
          {entries.map((entry) =>
            entry.isChecked === undefined ? (
              <BaseMenu.Item
                key={entry.label}
                onClick={entry.onSelect}
                disabled={entry.refusal !== undefined}
                className={ITEM}
              >
                {entry.icon}
                {entry.label}
                {entry.refusal && <span className="ms-auto ps-3 text-xs text-ink-3">{entry.refusal}</span>}
              </BaseMenu.Item>
            ) : (
              <BaseMenu.CheckboxItem
                key={entry.label}
                checked={entry.isChecked}
                onCheckedChange={entry.onSelect}
                className={ITEM}
              >
                <Check aria-hidden className={entry.isChecked ? "size-4" : "invisible size-4"} />
                {entry.label}
              </BaseMenu.CheckboxItem>
            ),
          )}
        </BaseMenu.Popup>
      </BaseMenu.Positioner>
    </BaseMenu.Portal>
  </BaseMenu.Root>
);
