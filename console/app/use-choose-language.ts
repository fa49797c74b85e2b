import { useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { chooseLanguage } from "../lib/i18n";
import { isLanguage } from "../lib/languages";
import { notify } from "../lib/notify";

/** Switches the language of the console, and of what the server says. */
export const useChooseLanguage = (): ((language: string) => void) => {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  return (language) => {
    if (!isLanguage(language)) return;
    chooseLanguage(language)
      // What a server says is in the language that it was asked in.
      .then(() => queryClient.invalidateQueries())
      .catch(() => notify.error(t("page.codeMissing")));
  };
};
