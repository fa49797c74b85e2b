import i18next from "i18next";
import { notify } from "./notify";

/**
 * Switches a record on or off, confirms it, and offers undo after switching off.
 * @param set switches it; the query client has already reported its failure
 */
export const switchRecord = async (
  isOn: boolean,
  set: (isOn: boolean) => Promise<unknown>,
): Promise<void> => {
  await set(isOn);
  const text = i18next.t("action.done");
  if (isOn) notify.success(text);
  else notify.undoable(text, () => void switchRecord(true, set).catch(() => undefined));
};
