import type { ApiKey } from "@tollgate/contract/api/api-keys";
import { Download } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button";
import { Dialog } from "../../components/dialog";
import { copyOrShow } from "../../lib/copy";
import { toCsv } from "../../lib/csv";
import { downloadText } from "../../lib/download-text";

const secretOf = ({ key }: ApiKey): string => `sk-${key}`;

const FILES = {
  csv: (keys: readonly ApiKey[]) =>
    toCsv([["name", "key"], ...keys.map((key) => [key.name, secretOf(key)] as const)]),
  txt: (keys: readonly ApiKey[]) => keys.map((key) => `${secretOf(key)}\n`).join(""),
} as const;

interface NewKeysWindowProps {
  keys: readonly ApiKey[];
  onClose: () => void;
}

/** Offers the secrets of keys that were created together as a file. */
const NewKeysWindow = ({ keys, onClose }: NewKeysWindowProps) => {
  const { t } = useTranslation();
  return (
    <Dialog isOpen onClose={onClose} title={t("token.many.created", { count: keys.length })}>
      <p className="text-sm text-ink-2">{t("token.many.save")}</p>
      <ul className="mt-3 max-h-60 divide-y divide-line overflow-y-auto text-sm">
        {keys.map((key) => (
          <li key={key.id} className="break-words py-1.5">
            {key.name}
          </li>
        ))}
      </ul>
      <div className="mt-4 flex flex-wrap gap-2">
        {(["csv", "txt"] as const).map((format) => (
          <Button key={format} onClick={() => downloadText(FILES[format](keys), `keys.${format}`)}>
            <Download aria-hidden className="size-4" />
            {t(`token.many.${format}`)}
          </Button>
        ))}
        <Button onClick={() => void copyOrShow(FILES.txt(keys), () => undefined)}>
          {t("token.many.copy")}
        </Button>
        <Button variant="primary" className="ms-auto" onClick={onClose}>
          {t("token.many.close")}
        </Button>
      </div>
    </Dialog>
  );
};

export default NewKeysWindow;
