import { Dialog as BaseDialog } from "@base-ui/react/dialog";
import { useQueryClient } from "@tanstack/react-query";
import { isAdmin } from "@tollgate/contract/values/roles";
import { clsx } from "clsx";
import { Search } from "lucide-react";
import { Fragment, type KeyboardEvent, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../components/button";
import { DialogFrame } from "../components/dialog-frame";
import { LazyBoundary } from "../components/lazy-boundary";
import { loadTexts } from "../lib/i18n";
import { currentUser } from "../lib/session";
import type { ActedEntry } from "./command-records";
import { useCommands } from "./commands";
import { KEPT_KEY } from "./found-records";
import { Keys } from "./keys";
import type { Command } from "./rank-commands";
import { RecordActions } from "./record-actions";
import { HELP } from "./shortcut-keys";

// Loaded with the first question.
const loadConfirmDialog = () => import("../components/confirm-dialog");

interface CommandMenuProps {
  onClose: () => void;
  /** Shows the list of shortcuts in place of this menu. */
  onShowKeys: () => void;
}

/** Whether the signed-in user is an administrator: only these find records of other users. */
const seesAll = (): boolean => isAdmin(currentUser()?.role ?? 0);

/** Loads the texts that only this menu uses. */
export const loadCommandTexts = (): Promise<unknown> =>
  loadTexts([
    "commands",
    "settings",
    "notices",
    "orders",
    "tickets",
    "tokens",
    // The actions of administrators.
    ...(seesAll()
      ? ([
          "announcements",
          "channels",
          "plans",
          "prices",
          "pricing",
          "promotions",
          "quick-start",
          "reconciliation",
          "redemptions",
          "rehearsal",
          "users",
        ] as const)
      : []),
  ]);

/** Reads the lists that this menu keeps again: they may show a record as it was before a command. */
const useForgetKept = () => {
  const client = useQueryClient();
  return (): void => void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[1] === KEPT_KEY });
};

/** The commands that run now: the menu may be opened again before one has ended. */
const running = new Set<string>();

/** Runs a command unless it runs already. The command reports its failure. */
const runOnce = async ({ id, run }: Command): Promise<void> => {
  if (running.has(id)) return;
  running.add(id);
  try {
    await run();
  } catch {
    // Reported.
  } finally {
    running.delete(id);
  }
};

/** Runs commands. One with a question is `asked` about first. */
const useRun = (onClose: () => void) => {
  const [asked, setAsked] = useState<Command>();
  const forgetKept = useForgetKept();
  const run = (command: Command | undefined): void => {
    if (command?.question) setAsked(command);
    else if (command) {
      onClose();
      void runOnce(command).then(forgetKept);
    }
  };
  return { asked, run };
};

/** Pages, actions and records that match the typed text, by keyboard or mouse. */
const CommandMenu = ({ onClose, onShowKeys }: CommandMenuProps) => {
  const { t } = useTranslation();
  const [text, setText] = useState("");
  /** The chosen command, which keeps its place in the choice while others arrive; undefined for the first one. */
  const [chosenId, setChosenId] = useState<string>();
  const listId = useId();
  const { groups, acted, isSearching, hasFailed, retry } = useCommands(text, onShowKeys);
  const commands = groups.flatMap((group) => group.commands);
  const chosen = Math.max(
    0,
    commands.findIndex(({ id }) => id === chosenId),
  );
  const idOf = (index: number): string => `${listId}-${index}`;
  const { asked, run } = useRun(onClose);
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && commands.length > 0) {
      event.preventDefault();
      const next = (chosen + step + commands.length) % commands.length;
      setChosenId(commands[next]?.id);
      document.getElementById(idOf(next))?.scrollIntoView({ block: "nearest" });
    } else if (event.key === "Enter" && !event.nativeEvent.isComposing) {
      event.preventDefault();
      run(commands[chosen]);
    }
  };
  let index = -1;
  if (asked) return <Asked command={asked} onClose={onClose} />;
  return (
    <BaseDialog.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <ActedRows rows={acted} />
      <DialogFrame
        aria-label={t("command.title")}
        className="top-[12dvh] max-h-[70dvh] w-[600px] overflow-hidden"
      >
        <div className="flex items-center gap-2 border-line border-b px-4">
          <Search aria-hidden className="size-4 shrink-0 text-ink-3" />
          <input
            role="combobox"
            aria-label={t("command.title")}
            aria-expanded
            aria-controls={listId}
            aria-activedescendant={commands.length > 0 ? idOf(chosen) : undefined}
            placeholder={t(seesAll() ? "command.placeholder" : "command.placeholderOfCustomers")}
            value={text}
            autoComplete="off"
            spellCheck={false}
            className="h-12 min-w-0 flex-1 text-ellipsis bg-transparent text-lg outline-none placeholder:text-ink-3"
            onChange={(event) => {
              setText(event.target.value);
              setChosenId(undefined);
            }}
            onKeyDown={onKeyDown}
          />
        </div>
        <div
          id={listId}
          role="listbox"
          aria-label={t("command.title")}
          className={clsx("overflow-y-auto p-1.5", commands.length === 0 && "hidden")}
        >
          {groups.map((group) => (
            <Fragment key={group.label}>
              <p role="presentation" className="px-2.5 pt-2 pb-1 text-xs text-ink-3">
                {group.label}
              </p>
              {group.commands.map((command) => {
                index += 1;
                const own = index;
                return (
                  <CommandOption
                    key={command.id}
                    id={idOf(own)}
                    command={command}
                    isChosen={own === chosen}
                    onChoose={() => setChosenId(command.id)}
                    onRun={() => run(command)}
                  />
                );
              })}
            </Fragment>
          ))}
        </div>
        {commands.length === 0 && (isSearching || !hasFailed) && (
          <NoCommands text={text} isSearching={isSearching} />
        )}
        {hasFailed && !isSearching && <FailedSearch onRetry={retry} />}
        <p role="status" className="sr-only">
          {text !== "" && commands.length > 0 && t("command.count", { count: commands.length })}
        </p>
        <KeyHints />
      </DialogFrame>
    </BaseDialog.Root>
  );
};

interface AskedProps {
  command: Command;
  onClose: () => void;
}

/** The question before a command, in place of the menu. */
const Asked = ({ command, onClose }: AskedProps) => {
  const forgetKept = useForgetKept();
  return (
    command.question && (
      <LazyBoundary
        load={loadConfirmDialog}
        with={{
          ...command.question,
          isOpen: true,
          onOpenChange: (isOpen: boolean) => !isOpen && onClose(),
          onConfirm: async () => {
            await command.run();
            forgetKept();
          },
        }}
        onMissing={onClose}
      />
    )
  );
};

/** Hands over the actions of the found rows; shows nothing. */
const ActedRows = ({ rows }: { rows: readonly ActedEntry[] }) =>
  rows.map(({ key, ...row }) => <RecordActions key={key} {...row} />);

const NoCommands = ({ text, isSearching }: { text: string; isSearching: boolean }) => {
  const { t } = useTranslation();
  return (
    <p role="status" className="px-4 py-8 text-center text-ink-2">
      {isSearching ? t("command.searching") : t("command.nothing", { text })}
    </p>
  );
};

/** The keys of the menu, for screens with a keyboard. */
const KeyHints = () => {
  const { t } = useTranslation();
  return (
    <div className="flex items-center gap-4 border-line border-t px-4 py-2 text-xs text-ink-3 max-wide:hidden">
      <span className="me-auto">{t("command.keys")}</span>
      <Keys keys={[HELP]} />
      {t("shortcut.title")}
    </div>
  );
};

/** States that the results may be incomplete. */
const FailedSearch = ({ onRetry }: { onRetry: () => void }) => {
  const { t } = useTranslation();
  return (
    <div role="alert" className="flex items-center gap-3 border-line border-t px-4 py-2 text-red text-sm">
      <span className="me-auto">{t("command.failed")}</span>
      <Button size="small" onClick={onRetry}>
        {t("action.retry")}
      </Button>
    </div>
  );
};

interface CommandOptionProps {
  id: string;
  command: Command;
  isChosen: boolean;
  onChoose: () => void;
  onRun: () => void;
}

const CommandOption = ({ id, command, isChosen, onChoose, onRun }: CommandOptionProps) => (
  // biome-ignore lint/a11y/useKeyWithClickEvents: the field above keeps the focus and handles the keys.
  <div
    id={id}
    role="option"
    tabIndex={-1}
    aria-selected={isChosen}
    className="flex min-h-9 cursor-pointer items-center gap-3 rounded-md px-2.5 text-sm aria-selected:bg-hover"
    onPointerMove={onChoose}
    onClick={onRun}
  >
    <span className="min-w-0 flex-1 truncate">{command.label}</span>
    {command.hint && <span className="max-w-[45%] truncate text-ink-2 text-xs">{command.hint}</span>}
    {command.keys && (
      <span aria-hidden className="flex max-wide:hidden">
        <Keys keys={command.keys} />
      </span>
    )}
  </div>
);

export default CommandMenu;
