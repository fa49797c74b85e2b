import { useQueryClient } from "@tanstack/react-query";
import { OPTION_KEYS, OPTION_SECTIONS, OPTIONS } from "@tollgate/contract/options/options";
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import { refusedField } from "../../lib/api-client";
import { failureText } from "../../lib/failure-text";
import { notify } from "../../lib/notify";
import { readNow } from "../../lib/query-client";
import { useAddress } from "../../lib/use-address";
import { changeOf, findMistake, type OptionValues } from "./option-changes";
import { optionsQuery } from "./options-query";
import { type OptionChange, useSaveOptions } from "./save-options";
import { comparesValues, type FieldKey, isField } from "./sections";
import type { DraftStore } from "./use-drafts";
import { focusOption } from "./use-located-option";

/** A setting that differs from the stored value. */
export interface DraftChange extends OptionChange {
  key: FieldKey;
  typed: string;
}

/** The settings with changed drafts, in the order of the page. */
export const changesOf = ({ drafts }: DraftStore, stored: OptionValues): DraftChange[] =>
  OPTION_KEYS.filter(isField).flatMap((key): DraftChange[] => {
    const draft = drafts[key];
    const value = draft && changeOf(key, draft.value, stored);
    if (draft === undefined || value === undefined) return [];
    const isCompared = comparesValues(stored) && draft.before !== undefined;
    return [{ key, value, typed: draft.value, ...(isCompared ? { before: draft.before } : {}) }];
  });

/** Saves the drafts of all tabs, unless one has a mistake: then focuses the first mistake. */
export const useSaveDrafts = (store: DraftStore, stored: OptionValues): (() => void) => {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const [, changeAddress] = useAddress(() => ({}) as { tab?: string; option?: string });
  const firstRefused = useRef<FieldKey>(undefined);
  /** Focuses a setting, on whichever tab, after its mistake has been rendered. */
  const show = (key: FieldKey) =>
    requestAnimationFrame(() => {
      if (!focusOption(key)) changeAddress({ tab: OPTION_SECTIONS[OPTIONS[key].section], option: key });
    });
  const save = useSaveOptions<DraftChange>({
    onSaved: ({ key, typed, value }) => store.saved(key, typed, value),
    onFailed: ({ key }, error) => {
      store.refused(key, failureText(error));
      if (refusedField(error) === "value") firstRefused.current ??= key;
    },
  });
  return () => {
    const changes = changesOf(store, stored);
    if (changes.length === 0) {
      notify.info(t("setting.unchanged"));
      return;
    }
    store.check();
    const isHttps = window.location.protocol === "https:";
    const faulty = changes.find(
      ({ key, value }) => store.drafts[key]?.isFaulty || findMistake(key, value, isHttps),
    );
    if (faulty) {
      show(faulty.key);
      return;
    }
    store.beginSave();
    firstRefused.current = undefined;
    save.mutate(changes, {
      onSettled: (_, error) => store.endSave(error === null),
      onError: () => {
        if (firstRefused.current !== undefined) show(firstRefused.current);
        // The reason has been reported; the current values let the page show what to do.
        if (comparesValues(stored)) readNow(queryClient, optionsQuery).catch(() => undefined);
      },
      onSuccess: () => notify.success(t("action.done")),
    });
  };
};
