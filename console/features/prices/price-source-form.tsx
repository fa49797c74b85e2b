import type { PricePreviewBody, PriceSource } from "@tollgate/contract/management/price-sync";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button";
import { FileField } from "../../components/file-field";
import { SelectField } from "../../components/select-field";
import { SwitchField } from "../../components/switch-field";
import { TextField } from "../../components/text-field";
import { useSession } from "../../lib/session";

const FOR_ADMINS: readonly PriceSource[] = ["models.dev", "litellm", "catalogue", "document"];
const FOR_ROOT: readonly PriceSource[] = [...FOR_ADMINS, "url"];

interface PriceSourceFormProps {
  isComparing: boolean;
  onCompare: (asked: PricePreviewBody) => void;
}

/** The choice of the list to compare with. */
export const PriceSourceForm = ({ isComparing, onCompare }: PriceSourceFormProps) => {
  const { t } = useTranslation();
  const { isRoot } = useSession();
  const [source, setSource] = useState<PriceSource>("models.dev");
  const [url, setUrl] = useState("");
  const [file, setFile] = useState<File>();
  const [isOnlyOffered, setOnlyOffered] = useState(true);
  const [isIncomplete, setIncomplete] = useState(false);

  const compare = async () => {
    const isMissing = (source === "url" && url.trim() === "") || (source === "document" && !file);
    setIncomplete(isMissing);
    if (isMissing) return;
    onCompare({
      source,
      only_offered: isOnlyOffered,
      ...(source === "url" ? { url: url.trim() } : {}),
      ...(source === "document" && file ? { document: await file.text() } : {}),
    });
  };
  const mistake = isIncomplete ? t("field.missing") : undefined;

  return (
    <form
      aria-label={t("price.compareWith")}
      noValidate
      className="flex flex-col gap-4 rounded-lg border border-line bg-surface p-4"
      onSubmit={(event) => {
        event.preventDefault();
        void compare();
      }}
    >
      <div className="grid gap-4 wide:grid-cols-2">
        <SelectField
          label={t("price.source")}
          hint={t(`price.sourceHint.${source === "models.dev" ? "modelsDev" : source}`)}
          value={source}
          options={(isRoot ? FOR_ROOT : FOR_ADMINS).map((value) => ({
            value,
            label: t(`price.sourceName.${value === "models.dev" ? "modelsDev" : value}`),
          }))}
          onChange={(next) => {
            setSource(next);
            setIncomplete(false);
          }}
        />
        {source === "url" && (
          <TextField
            label={t("price.address")}
            type="url"
            isRequired
            autoComplete="off"
            placeholder="https://gateway.example.com"
            value={url}
            onChange={(event) => setUrl(event.target.value)}
            error={mistake}
          />
        )}
        {source === "document" && (
          <FileField
            label={t("price.file")}
            choose={t("price.chooseFile")}
            none={t("price.noFile")}
            isRequired
            error={mistake}
            accept="application/json,.json"
            onChange={setFile}
          />
        )}
      </div>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <SwitchField
          label={t("price.onlyOffered")}
          hint={t("price.onlyOfferedHint")}
          isOn={isOnlyOffered}
          onChange={setOnlyOffered}
        />
        <Button type="submit" variant="primary" isBusy={isComparing}>
          {t("price.compare")}
        </Button>
      </div>
    </form>
  );
};
