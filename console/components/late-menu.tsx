import { cloneElement, type ReactElement, useState } from "react";
import type { ButtonProps } from "./button";
import { LazyBoundary } from "./lazy-boundary";
import type { MenuEntry } from "./menu";

// A fifth of what a page would weigh.
const loadMenu = async () => ({ default: (await import("./menu")).Menu });

/** Has it there for the click that may follow. What fails is told when it is opened. */
const expectMenu = (): void => {
  loadMenu().catch(() => undefined);
};

interface LateMenuProps {
  /** The button that opens the menu. */
  trigger: ReactElement<ButtonProps>;
  entries: readonly MenuEntry[];
}

/** A button's menu whose code is fetched when a person is about to open it; the click that asks for its code opens it. */
export const LateMenu = ({ trigger, entries }: LateMenuProps) => {
  const [isWanted, setWanted] = useState(false);
  if (isWanted)
    return (
      <LazyBoundary
        load={loadMenu}
        fallback={cloneElement(trigger, { "aria-haspopup": "menu" })}
        onMissing={() => setWanted(false)}
        with={{ trigger, entries, isOpenAtFirst: true }}
      />
    );
  return cloneElement(trigger, {
    "aria-haspopup": "menu",
    "aria-expanded": false,
    onPointerEnter: expectMenu,
    onFocus: expectMenu,
    onClick: () => setWanted(true),
    onKeyDown: ({ key }) => {
      if (key === "ArrowDown" || key === "ArrowUp") setWanted(true);
    },
  });
};
