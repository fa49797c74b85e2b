import type { OptionKey } from "@tollgate/contract/options/options";
import { useCallback, useState } from "react";

/** The typed value of a setting. */
export interface Draft {
  value: string;
  /** The stored value when editing began. */
  before: string | undefined;
  /** Rows of its table cannot be saved in this state. */
  isFaulty: boolean;
}

export type Drafts = Readonly<Partial<Record<OptionKey, Draft>>>;

/** The unsaved values of the site's settings: they stay while other tabs are shown. */
export interface DraftStore {
  drafts: Drafts;
  /** Shows mistakes, after an attempt to save. */
  isChecked: boolean;
  /** The server's reasons for rejecting settings, by key. */
  failures: Readonly<Partial<Record<OptionKey, string>>>;
  isSaving: boolean;
  /** Stores a typed value; undefined for the stored one. */
  edit: (key: OptionKey, draft: Draft | undefined) => void;
  check: () => void;
  /** Marks the start of a save. */
  beginSave: () => void;
  endSave: (isDone: boolean) => void;
  /** The server has stored the value sent for the typed text. */
  saved: (key: OptionKey, typed: string, value: string) => void;
  refused: (key: OptionKey, why: string) => void;
  /** Discards one setting, or all. */
  discard: (key?: OptionKey) => void;
}

type Typed = Pick<DraftStore, "drafts" | "isChecked" | "failures">;

const NOTHING: Typed = { drafts: {}, isChecked: false, failures: {} };

const without = <Value>(values: Readonly<Partial<Record<OptionKey, Value>>>, key: OptionKey) => {
  const { [key]: _, ...others } = values;
  return others;
};

const discardOne = ({ drafts, failures, isChecked }: Typed, key: OptionKey): Typed => ({
  drafts: without(drafts, key),
  failures: without(failures, key),
  isChecked,
});

export const useDrafts = (): DraftStore => {
  const [typed, setTyped] = useState(NOTHING);
  const [isSaving, setSaving] = useState(false);
  const edit = useCallback((key: OptionKey, draft: Draft | undefined) => {
    setTyped((now) => {
      if (!draft) return discardOne(now, key);
      const before = now.drafts[key] ? now.drafts[key].before : draft.before;
      return { ...now, drafts: { ...now.drafts, [key]: { ...draft, before } } };
    });
  }, []);
  return {
    ...typed,
    isSaving,
    edit,
    beginSave: () => setSaving(true),
    endSave: (isDone) => {
      setSaving(false);
      if (isDone) setTyped((now) => ({ ...now, isChecked: false }));
    },
    check: () => setTyped((now) => ({ ...now, isChecked: true })),
    saved: (key, text, value) =>
      setTyped((now) => {
        const draft = now.drafts[key];
        // Input typed during the save is a change of the newly stored value.
        return draft && draft.value !== text
          ? { ...now, drafts: { ...now.drafts, [key]: { ...draft, before: value } } }
          : discardOne(now, key);
      }),
    refused: (key, why) => setTyped((now) => ({ ...now, failures: { ...now.failures, [key]: why } })),
    discard: (key) => setTyped((now) => (key ? discardOne(now, key) : NOTHING)),
  };
};
