import { useQuery } from "@tanstack/react-query";
import type { ApiKey } from "@tollgate/contract/api/api-keys";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import ConnectGuide from "../../components/connect-guide";
import { SelectField } from "../../components/select-field";
import { TextField } from "../../components/text-field";
import { bearerKey } from "../../lib/bearer-key";
import { connectTemplatesQuery } from "../../lib/connect-templates";
import { exampleModel, offeredModelsQuery } from "../../lib/offered-models";
import { serverAddress, useStatus } from "../../lib/status";

interface ConnectKeyProps {
  token: ApiKey;
  /** Shown before the choice of the model, for example the choice of the key. */
  before?: ReactNode;
}

/** Instructions to connect programs with one key: filled in with the key, the address and a model that it may use. */
export const ConnectKey = ({ token, before }: ConnectKeyProps) => {
  const { t } = useTranslation();
  const status = useStatus();
  const key = bearerKey(token.key);
  const { data: models, error } = useQuery(offeredModelsQuery(key));
  const { data: templates = [] } = useQuery(connectTemplatesQuery);
  const [chosen, setChosen] = useState<string>();
  const model = chosen ?? (models && exampleModel(models)) ?? "";
  const connection = {
    address: serverAddress(status),
    key,
    model: model || t("token.connect.someModel"),
  };
  const isNameless = models?.length === 0 || error !== null;
  return (
    <ConnectGuide
      connection={connection}
      templates={templates}
      above={
        <>
          {before}
          {isNameless ? (
            <TextField
              label={t("field.model")}
              value={chosen ?? ""}
              hint={t(error ? "token.connect.modelsFailed" : "token.connect.noModels")}
              autoComplete="off"
              onChange={(event) => setChosen(event.target.value)}
            />
          ) : (
            <SelectField
              label={t("field.model")}
              value={model}
              options={(models ?? []).map((name) => ({ value: name, label: name }))}
              onChange={setChosen}
            />
          )}
        </>
      }
    />
  );
};
