import { Ellipsis, LoaderCircle } from "lucide-react";
import { cloneElement, type ReactNode, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useReadOnly } from "../lib/read-only";
import { Button, buttonVariants } from "./button";
import type { Column } from "./column";
import { LateMenu } from "./late-popup";
import { LazyBoundary } from "./lazy-boundary";
import type { MenuEntry } from "./menu";
import { SplitButton } from "./split-button";

// Loaded with the first question.
const loadConfirmDialog = () => import("./confirm-dialog");

/** An action on a row. */
export interface RowAction extends Omit<MenuEntry, "onSelect" | "isChecked"> {
  /** The action, unless it is a link. The query client has reported a failure of the promise. */
  onSelect?: () => unknown;
  /** Asks for confirmation first; the window stays open, busy, until it is done. */
  question?: {
    question: string;
    /** The effect, in one sentence. */
    consequence: string;
    /** Label of the confirming button. */
    confirm: string;
    /** The action destroys nothing: its button is not red. */
    isHarmless?: boolean;
  };
  /** Variants of the action: a menu beside its button, or a group in the row's menu. */
  others?: { label: string; entries: MenuEntry[] };
}

interface RowActionsProps {
  /** The name of the row, for screen readers. */
  of: string;
  /** The most used first: two are buttons in the row, the rest in its menu, destructive ones last. */
  actions: readonly RowAction[];
}

const MAX_INLINE = 2;

/** Whether an action leads to another page that is no form. */
const isReading = ({ link }: RowAction): boolean => {
  const { to } = (link?.props ?? {}) as { to?: unknown };
  return typeof to === "string" && !/\/(?:add|edit)\b/.test(to);
};

/** Actions on one row: at most two buttons, and a menu with the rest. */
export const RowActions = ({ of, actions: all }: RowActionsProps) => {
  const { t } = useTranslation();
  // Where records may only be read, links to other pages than forms stay.
  const isReadOnly = useReadOnly();
  const actions = isReadOnly ? all.filter(isReading) : all;
  const [asked, setAsked] = useState<{ label: string; isOpen: boolean }>();
  const more = useRef<HTMLButtonElement>(null);
  const calm = actions.filter(({ isDanger }) => !isDanger);
  const inline = actions.length === 1 ? actions : calm.slice(0, MAX_INLINE);
  const rest = actions.length === 1 ? [] : [...calm.slice(MAX_INLINE), ...actions.filter((a) => a.isDanger)];
  const isBusy = rest.some((action) => action.isBusy);

  const start = (action: RowAction) => {
    if (action.question) setAsked({ label: action.label, isOpen: true });
    else void Promise.resolve(action.onSelect?.()).catch(() => undefined);
  };
  // Matched by label: its effect may have changed since the question was rendered.
  const question = actions.find(({ label }) => label === asked?.label);

  return (
    <div className="flex items-center max-wide:flex-wrap wide:-me-1.5 wide:justify-end">
      {inline.map((action) => (
        <InlineAction key={action.label} of={of} action={action} onStart={() => start(action)} />
      ))}
      {rest.length > 0 && (
        <LateMenu
          trigger={
            <Button
              ref={more}
              variant="quiet"
              size="smallIcon"
              className="max-wide:ms-auto"
              aria-label={t("table.more", { name: of })}
              aria-busy={isBusy || undefined}
            >
              {isBusy ? (
                <LoaderCircle aria-hidden className="size-3.5 animate-[spin_0.9s_linear_infinite]" />
              ) : (
                <Ellipsis aria-hidden className="size-4" />
              )}
            </Button>
          }
          entries={rest.flatMap((action) => entriesOf(action, () => start(action)))}
        />
      )}
      {asked && question?.question && (
        <LazyBoundary
          load={loadConfirmDialog}
          with={{
            isOpen: asked.isOpen,
            onOpenChange: (isOpen: boolean) => setAsked({ ...asked, isOpen }),
            // The menu item that opened the question is gone with its menu.
            returnTo: rest.includes(question) ? more : undefined,
            ...question.question,
            onConfirm: async () => question.onSelect?.(),
          }}
          onMissing={() => setAsked(undefined)}
        />
      )}
    </div>
  );
};

/** An action's entries in the row's menu. */
const entriesOf = ({ others, ...action }: RowAction, onStart: () => void): MenuEntry[] =>
  others
    ? others.entries.map((entry) => ({ ...entry, group: action.label }))
    : [{ ...action, onSelect: onStart, opensWindow: action.opensWindow ?? action.question !== undefined }];

interface InlineActionProps {
  of: string;
  action: RowAction;
  onStart: () => void;
}

const InlineAction = ({ of, action, onStart }: InlineActionProps) => {
  const { t } = useTranslation();
  const { label, icon, link, refusal, others } = action;
  const name = t("table.actionOf", { action: label, name: of });
  const variant = action.isDanger ? "quietDanger" : "quiet";
  if (others)
    return (
      <SplitButton
        label={label}
        name={name}
        onClick={onStart}
        refusal={refusal}
        moreLabel={others.label}
        entries={others.entries}
      />
    );
  if (link)
    return cloneElement(link, {
      className: buttonVariants({ variant, size: "small" }),
      "aria-label": name,
      children: label,
    });
  return (
    <Button
      variant={variant}
      size="small"
      aria-label={name}
      aria-haspopup={action.question || action.opensWindow ? "dialog" : undefined}
      // Stays focusable, so that its reason is readable by keyboard.
      aria-disabled={refusal !== undefined || undefined}
      title={refusal}
      isBusy={action.isBusy}
      onClick={refusal === undefined ? onStart : undefined}
    >
      {icon}
      {label}
    </Button>
  );
};

/** The last column of a list, for row actions. */
export const useActionsColumn = <Row,>(cell: (row: Row) => ReactNode): Column<Row> => {
  const { t } = useTranslation();
  return { id: "actions", label: t("field.actions"), cell, card: "foot", isPinned: true, className: "w-px" };
};
