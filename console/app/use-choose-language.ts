import { useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { chooseLanguage } from "../lib/i18n";
import { isLanguage } from "../lib/languages";
import { notify } from "../lib/notify";

/** Switches the language of the console and of the server's texts. */
export const useChooseLanguage = (): ((language: string) => void) => {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  return (language) => {
    if (!isLanguage(language)) return;
    chooseLanguage(language)
      // The server's cached texts are in the previous language.
      .then(() => queryClient.invalidateQueries())
      .catch(() => notify.error(t("page.codeMissing")));
  };
};
