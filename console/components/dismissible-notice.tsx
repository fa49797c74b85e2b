import { Info, X } from "lucide-react";
import { type ReactNode, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { readStored, subscribeStored, writeStored } from "../lib/local-store";

/** A hint that stays hidden once closed; local storage keeps that as prompt-<name>. */
export const DismissibleNotice = ({ name, children }: { name: string; children: ReactNode }) => {
  const { t } = useTranslation();
  const key = `prompt-${name}`;
  const isDismissed = useSyncExternalStore(subscribeStored, () => readStored(key) !== undefined);
  if (isDismissed) return null;
  return (
    <aside className="flex items-start gap-2.5 rounded-md bg-accent-soft py-2.5 ps-3.5 pe-2 text-sm">
      <Info aria-hidden className="mt-[3px] size-4 shrink-0 text-accent" />
      <div className="flex-1">{children}</div>
      <button
        type="button"
        aria-label={t("action.dismiss")}
        onClick={() => writeStored(key, "true")}
        className="touch grid size-6 shrink-0 place-items-center rounded-sm text-ink-2 hover:text-ink"
      >
        <X aria-hidden className="size-3.5" />
      </button>
    </aside>
  );
};
