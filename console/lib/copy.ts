import i18next from "i18next";
import { notify } from "./notify";

/** Puts a text on the clipboard; false where the browser refuses (plain http, no permission). */
export const writeClipboard = async (text: string): Promise<boolean> => {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
};

/** Copies and confirms; if the clipboard refuses, warns and passes the text to `fallback` (such as a search box). */
export const copyOrShow = async (text: string, fallback: (text: string) => void): Promise<void> => {
  if (await writeClipboard(text)) {
    notify.success(i18next.t("copy.done"));
  } else {
    notify.warning(i18next.t("copy.failed"));
    fallback(text);
  }
};
