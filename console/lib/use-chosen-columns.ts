import { useSyncExternalStore } from "react";
import { readStored, subscribeStored, writeStored } from "./local-store";

interface Choosable {
  id: string;
  label: string;
  isOptional?: true;
  card?: string;
  choice?: string;
}

export interface ColumnChoice {
  id: string;
  label: string;
  isShown: boolean;
  toggle: () => void;
}

/** The column of row actions is always shown. */
const isChoosable = ({ card }: Choosable): boolean => card !== "foot";

const nameOf = ({ id, choice }: Choosable): string => choice ?? id;

const isStandard = ({ isOptional }: Choosable): boolean => isOptional !== true;

/**
 * The columns of a list chosen by the user, stored in this browser.
 * @param list names the list. @returns the columns to show, and a choice for each column.
 */
export const useChosenColumns = <Column extends Choosable>(
  list: string,
  columns: readonly Column[],
): { shown: Column[]; choices: ColumnChoice[] } => {
  const name = `columns-${list}`;
  // Stores only differences from the default: a column added later appears by itself.
  const stored = useSyncExternalStore(subscribeStored, () => readStored(name)) ?? "";
  const changed = new Set(stored.split(",").filter((id) => id !== ""));
  const isShown = (column: Column): boolean =>
    isStandard(column) !== (isChoosable(column) && changed.has(nameOf(column)));
  const shown = columns.filter(isShown);
  const toggle = (column: Column): void => {
    const next = new Set(changed);
    const choice = nameOf(column);
    if (!next.delete(choice)) next.add(choice);
    writeStored(name, next.size === 0 ? undefined : [...next].join());
  };
  return {
    // A table without columns would offer no visible way back.
    shown: shown.some(isChoosable) ? shown : columns.filter(isStandard),
    choices: columns.filter(isChoosable).map((column) => ({
      id: column.id,
      label: column.label,
      isShown: isShown(column),
      toggle: () => toggle(column),
    })),
  };
};
