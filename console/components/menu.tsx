import { Menu as BaseMenu } from "@base-ui/react/menu";
import { clsx } from "clsx";
import { Check } from "lucide-react";
import { type ComponentProps, Fragment, type ReactElement, type ReactNode } from "react";

export interface MenuEntry {
  label: string;
  icon?: ReactNode;
  onSelect: () => void;
  /** Shown at its end, for example an amount. */
  hint?: string | undefined;
  /** A link in place of an action; its text and style are set here. */
  link?: ReactElement<ComponentProps<"a">>;
  /** Reason that it is disabled; undefined if enabled. */
  refusal?: string;
  /** A switch entry; the menu stays open. */
  isChecked?: boolean;
  /** A destructive action: red and separated from the entries before it. */
  isDanger?: boolean;
  /** Running, and disabled until done. */
  isBusy?: boolean;
  /** It opens a window. */
  opensWindow?: boolean;
  /** Heading shared by consecutive entries. */
  group?: string;
}

interface MenuProps {
  /** The button that opens the menu. */
  trigger: ReactElement;
  entries: readonly MenuEntry[];
  /** Opens it on its first render: its button was clicked before the code had loaded. */
  isOpenAtFirst?: boolean;
}

const ITEM =
  "flex min-h-control cursor-pointer items-center gap-2 rounded-sm px-2.5 text-sm outline-none data-disabled:cursor-not-allowed data-disabled:text-ink-3 data-highlighted:bg-hover";
const DANGER = "not-data-disabled:text-red data-highlighted:bg-red-soft";

/** Groups consecutive entries with the same heading, or with none. */
const inGroups = (entries: readonly MenuEntry[]): [MenuEntry, ...MenuEntry[]][] => {
  const groups: [MenuEntry, ...MenuEntry[]][] = [];
  for (const entry of entries) {
    const last = groups.at(-1);
    if (last && last[0].group === entry.group && last[0].isDanger === entry.isDanger) last.push(entry);
    else groups.push([entry]);
  }
  return groups;
};

export const Menu = ({ trigger, entries, isOpenAtFirst }: MenuProps) => (
  <BaseMenu.Root modal={false} defaultOpen={isOpenAtFirst}>
    <BaseMenu.Trigger render={trigger} />
    <BaseMenu.Portal>
      <BaseMenu.Positioner align="end" sideOffset={4} className="z-45">
        <BaseMenu.Popup className="floating min-w-36 max-h-(--available-height) max-w-[min(320px,calc(100vw-16px))] overflow-y-auto p-1">
          {inGroups(entries).map((group, index) => (
            <Fragment key={group[0].label}>
              {index > 0 && <BaseMenu.Separator className="-mx-1 my-1 h-px bg-line" />}
              <BaseMenu.Group>
                {group[0].group !== undefined && (
                  <BaseMenu.GroupLabel className="px-2.5 pt-1 pb-0.5 text-xs text-ink-3">
                    {group[0].group}
                  </BaseMenu.GroupLabel>
                )}
                {group.map((entry) => (
                  <Entry key={entry.label} {...entry} />
                ))}
              </BaseMenu.Group>
            </Fragment>
          ))}
        </BaseMenu.Popup>
      </BaseMenu.Positioner>
    </BaseMenu.Portal>
  </BaseMenu.Root>
);

const Entry = ({ label, icon, hint, onSelect, link, refusal, isChecked, ...rest }: MenuEntry) => {
  if (isChecked !== undefined)
    return (
      <BaseMenu.CheckboxItem checked={isChecked} onCheckedChange={onSelect} className={ITEM}>
        <Check aria-hidden className={isChecked ? "size-4" : "invisible size-4"} />
        {label}
      </BaseMenu.CheckboxItem>
    );
  if (link)
    return (
      <BaseMenu.LinkItem render={link} closeOnClick className={ITEM}>
        {icon}
        {label}
        {hint && <span className="ms-auto ps-3 text-ink-2 tabular-nums">{hint}</span>}
      </BaseMenu.LinkItem>
    );
  return (
    <BaseMenu.Item
      onClick={onSelect}
      disabled={refusal !== undefined || rest.isBusy}
      aria-haspopup={rest.opensWindow ? "dialog" : undefined}
      className={clsx(ITEM, rest.isDanger && DANGER)}
    >
      {icon}
      {label}
      {refusal && <span className="ms-auto min-w-0 ps-3 text-xs text-ink-3">{refusal}</span>}
    </BaseMenu.Item>
  );
};
