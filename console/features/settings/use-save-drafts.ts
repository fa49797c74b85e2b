import { useQueryClient } from "@tanstack/react-query";
import { OPTION_KEYS, OPTION_SECTIONS, OPTIONS } from "@tollgate/contract/options/options";
import { useTranslation } from "react-i18next";
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

/** A setting that differs from what is stored. */
export interface DraftChange extends OptionChange {
  key: FieldKey;
  typed: string;
}

/** The settings whose drafts differ from what is stored, in the order of the page. */
export const changesOf = ({ drafts }: DraftStore, stored: OptionValues): DraftChange[] =>
  OPTION_KEYS.filter(isField).flatMap((key): DraftChange[] => {
    const draft = drafts[key];
    const value = draft && changeOf(key, draft.value, stored);
    if (draft === undefined || value === undefined) return [];
    const isCompared = comparesValues(stored) && draft.before !== undefined;
    return [{ key, value, typed: draft.value, ...(isCompared ? { before: draft.before } : {}) }];
  });

/** Saves what is typed on all tabs, unless there is a mistake in it: then the first one is led to. */
export const useSaveDrafts = (store: DraftStore, stored: OptionValues): (() => void) => {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const [, changeAddress] = useAddress(() => ({}) as { tab?: string; option?: string });
  const save = useSaveOptions<DraftChange>({
    onSaved: ({ key, typed, value }) => store.saved(key, typed, value),
    onFailed: ({ key }, error) => store.refused(key, failureText(error)),
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
      // Once the mistake is told.
      requestAnimationFrame(() => {
        if (!focusOption(faulty.key))
          changeAddress({ tab: OPTION_SECTIONS[OPTIONS[faulty.key].section], option: faulty.key });
      });
      return;
    }
    store.beginSave();
    save.mutate(changes, {
      onSettled: (_, error) => store.endSave(error === null),
      onError: () => {
        // The server has said why; what can be done about it, the page says once it knows the present values.
        if (comparesValues(stored)) readNow(queryClient, optionsQuery).catch(() => undefined);
      },
      onSuccess: () => notify.success(t("action.done")),
    });
  };
};
