import type { OptionKey } from "@tollgate/contract/options/options";
import { useCallback, useState } from "react";

/** What was typed into the field of a setting. */
export interface Draft {
  value: string;
  /** The stored value that the person began with. */
  before: string | undefined;
  /** Rows of its table cannot be saved as they stand. */
  isFaulty: boolean;
}

export type Drafts = Readonly<Partial<Record<OptionKey, Draft>>>;

/** What is typed on the tabs of the site's settings until it is saved: it stays while other tabs are looked at. */
export interface DraftStore {
  drafts: Drafts;
  /** It was to be saved: mistakes are shown. */
  isChecked: boolean;
  /** Why the server refused a setting, by its key. */
  failures: Readonly<Partial<Record<OptionKey, string>>>;
  isSaving: boolean;
  /** Takes what was typed; undefined for the stored value. */
  edit: (key: OptionKey, draft: Draft | undefined) => void;
  check: () => void;
  /** What is typed is on its way to the server. */
  beginSave: () => void;
  endSave: (isDone: boolean) => void;
  /** The server has stored a value, which was sent for what was typed. */
  saved: (key: OptionKey, typed: string, value: string) => void;
  refused: (key: OptionKey, why: string) => void;
  /** Gives up one setting, or all. */
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
        // What was typed since is a change of what is stored now.
        return draft && draft.value !== text
          ? { ...now, drafts: { ...now.drafts, [key]: { ...draft, before: value } } }
          : discardOne(now, key);
      }),
    refused: (key, why) => setTyped((now) => ({ ...now, failures: { ...now.failures, [key]: why } })),
    discard: (key) => setTyped((now) => (key ? discardOne(now, key) : NOTHING)),
  };
};
