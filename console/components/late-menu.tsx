import { type ComponentType, cloneElement, type ReactElement, useState } from "react";
import type { ButtonProps } from "./button";
import { LazyBoundary } from "./lazy-boundary";
import type { MenuEntry } from "./menu";

/** What a menu that comes late is given besides what it is about. */
export interface LateMenuTrigger {
  /** The button that opens the menu. */
  trigger: ReactElement<ButtonProps>;
  /** Opens it as it appears: its button was clicked before its code had come. */
  isOpenAtFirst?: boolean;
}

interface LateProps<Props> extends LateMenuTrigger {
  /** Fetches the menu, which renders its button itself. */
  load: () => Promise<{ default: ComponentType<Props & LateMenuTrigger> }>;
  with: Props;
}

/** A menu whose code is fetched when a person is about to open it; the click that asks for its code opens it. */
export const Late = <Props extends object>({ trigger, load, with: props }: LateProps<Props>) => {
  const [isWanted, setWanted] = useState(false);
  if (isWanted)
    return (
      <LazyBoundary
        load={load}
        fallback={cloneElement(trigger, { "aria-haspopup": "menu" })}
        onMissing={() => setWanted(false)}
        with={{ ...props, trigger, isOpenAtFirst: true }}
      />
    );
  /** Has it there for the click that may follow. What fails is told when it is opened. */
  const expect = (): void => {
    load().catch(() => undefined);
  };
  return cloneElement(trigger, {
    "aria-haspopup": "menu",
    "aria-expanded": false,
    onPointerEnter: expect,
    onFocus: expect,
    onClick: () => setWanted(true),
    onKeyDown: ({ key }) => {
      if (key === "ArrowDown" || key === "ArrowUp") setWanted(true);
    },
  });
};

// A fifth of what a page would weigh.
const loadMenu = async () => ({ default: (await import("./menu")).Menu });

/** A button's menu of actions. */
export const LateMenu = ({
  trigger,
  entries,
}: {
  trigger: ReactElement<ButtonProps>;
  entries: readonly MenuEntry[];
}) => <Late trigger={trigger} load={loadMenu} with={{ entries }} />;
