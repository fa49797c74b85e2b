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

/** Props of a popup that is loaded late, besides its own. */
export interface LateTrigger {
  trigger: Trigger;
  /** Opens it on its first render: its button was clicked before the code had loaded. */
  isOpenAtFirst?: boolean;
}

interface LateProps<Props> {
  trigger: Trigger;
  /** Loads the popup, which renders its button itself. */
  load: () => Promise<{ default: ComponentType<Props & LateTrigger> }>;
  with: Props;
  /** The kind of popup. */
  popup?: "menu" | "listbox" | "dialog";
}

const opens = (
  popup: LateProps<object>["popup"],
  { key, ctrlKey, metaKey, altKey }: KeyboardEvent,
): boolean => {
  if (popup === "dialog" || ctrlKey || metaKey || altKey) return false;
  return key === "ArrowDown" || key === "ArrowUp" || (popup === "listbox" && /^[\p{L}\p{N}]$/u.test(key));
};

/** A popup whose code is loaded when a user is about to open it; the click that requests the code opens it. */
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
    // A popup that opens later would steal the focus from its new place.
    onBlur: forget,
    onKeyDown: (event) => {
      if (!opens(popup, event)) return;
      event.preventDefault();
      want();
    },
  });
};

// A fifth of a page's weight.
const loadMenu = async () => ({ default: (await import("./menu")).Menu });

export const LateMenu = ({ trigger, entries }: { trigger: Trigger; entries: readonly MenuEntry[] }) => (
  <Late trigger={trigger} load={loadMenu} with={{ entries }} />
);
