import { type ReactNode, useId } from "react";
import { useTranslation } from "react-i18next";
import { Dialog } from "../components/dialog";
import { Keys } from "./keys";
import { useNavigation } from "./navigation";
import { GO, HELP, menuKeys, SEARCH } from "./shortcut-keys";

/** All shortcuts of the console, with their effects. */
const ShortcutWindow = ({ onClose }: { onClose: () => void }) => {
  const { t } = useTranslation();
  const sections = useNavigation();
  return (
    <Dialog isOpen isWide onClose={onClose} title={t("shortcut.title")}>
      <div className="grid gap-x-8 gap-y-5 wide:grid-cols-2">
        <KeyList title={t("shortcut.everywhere")}>
          <Line keys={menuKeys()} does={t("shortcut.menu")} />
          <Line keys={[SEARCH]} does={t("shortcut.search")} />
          <Line keys={[HELP]} does={t("shortcut.help")} />
          <Line keys={["Esc"]} does={t("shortcut.close")} />
        </KeyList>
        <KeyList title={t("shortcut.go")}>
          {sections.map(({ key, label }) => (
            <Line key={key} keys={[GO, key]} does={t(label)} />
          ))}
        </KeyList>
      </div>
    </Dialog>
  );
};

const KeyList = ({ title, children }: { title: string; children: ReactNode }) => {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <h3 id={id} className="mb-1 text-xs text-ink-2">
        {title}
      </h3>
      <dl className="divide-y divide-line">{children}</dl>
    </section>
  );
};

const Line = ({ keys, does }: { keys: readonly string[]; does: string }) => (
  <div className="flex min-h-9 items-center justify-between gap-4 text-sm">
    <dt>{does}</dt>
    <dd>
      <Keys keys={keys} />
    </dd>
  </div>
);

export default ShortcutWindow;
