import {
  type ComponentProps,
  type ComponentType,
  cloneElement,
  createElement,
  type KeyboardEvent,
  type ReactElement,
} from "react";
import type { MenuEntry } from "./menu";
import { useLateCode } from "./use-late-code";

type Trigger = ReactElement<ComponentProps<"button">>;

/** What a popup that comes late is given besides what it is about. */
export interface LateTrigger {
  /** The button that opens it. */
  trigger: Trigger;
  /** Opens it as it appears: its button was clicked before its code had come. */
  isOpenAtFirst?: boolean;
}

interface LateProps<Props> {
  trigger: Trigger;
  /** Fetches the popup, which renders its button itself. */
  load: () => Promise<{ default: ComponentType<Props & LateTrigger> }>;
  with: Props;
  /** What opens. */
  popup?: "menu" | "listbox" | "dialog";
}

const opens = (
  popup: LateProps<object>["popup"],
  { key, ctrlKey, metaKey, altKey }: KeyboardEvent,
): boolean => {
  if (popup === "dialog" || ctrlKey || metaKey || altKey) return false;
  return key === "ArrowDown" || key === "ArrowUp" || (popup === "listbox" && /^[\p{L}\p{N}]$/u.test(key));
};

/** A popup whose code is fetched when a person is about to open it; the click that asks for its code opens it. */
export const Late = <Props extends object>({
  trigger,
  load,
  with: props,
  popup = "menu",
}: LateProps<Props>) => {
  const { Piece, expect, want, forget } = useLateCode(load);
  if (Piece) return createElement(Piece, { ...props, trigger, isOpenAtFirst: true });
  return cloneElement(trigger, {
    role: popup === "listbox" ? "combobox" : undefined,
    "aria-haspopup": popup,
    "aria-expanded": false,
    onPointerEnter: expect,
    onFocus: expect,
    onClick: want,
    // A popup that opens later would take the focus from where the person has gone.
    onBlur: forget,
    onKeyDown: (event) => {
      if (!opens(popup, event)) return;
      event.preventDefault();
      want();
    },
  });
};

// A fifth of what a page would weigh.
const loadMenu = async () => ({ default: (await import("./menu")).Menu });

/** A button's menu of actions. */
export const LateMenu = ({ trigger, entries }: { trigger: Trigger; entries: readonly MenuEntry[] }) => (
  <Late trigger={trigger} load={loadMenu} with={{ entries }} />
);
