import { useQuery } from "@tanstack/react-query";
import { previewPriceRules } from "@tollgate/contract/api/price-rules";
import type { ModelPriceEntry } from "@tollgate/contract/management/model-price";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button";
import { SelectField } from "../../components/select-field";
import { TextField } from "../../components/text-field";
import { groupsQuery } from "../../lib/groups";
import { useEndpoint } from "../../lib/use-endpoint";
import { useMistakes } from "../../lib/use-mistakes";

import { formatPrice } from "./shown-price";

/** A customer's current price for a model in a group, with the applied rule. */
export const RulePreview = () => {
  const { t } = useTranslation();
  const { data: groups = [] } = useQuery(groupsQuery);
  const [username, setUsername] = useState("");
  const [model, setModel] = useState("");
  const [chosen, setChosen] = useState<string>();
  const refused = useMistakes();
  const preview = useEndpoint(previewPriceRules, refused);
  const [isChecked, setChecked] = useState(false);
  const isMissing = isChecked && model.trim() === "";
  const group = chosen ?? (groups.includes("default") ? "default" : (groups[0] ?? ""));
  const { data } = preview;
  return (
    <section
      aria-label={t("priceRule.preview")}
      className="flex flex-col gap-3 rounded-lg border border-line bg-surface p-4"
    >
      <h2 className="font-semibold text-lg">{t("priceRule.preview")}</h2>
      <form
        noValidate
        className="flex max-w-document flex-wrap items-start gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          refused.begin(event.currentTarget);
          setChecked(true);
          if (model.trim() === "") return;
          preview.mutate({ body: { username: username.trim(), group, model: model.trim() } });
        }}
      >
        <div className="min-w-40 flex-1">
          <TextField
            label={t("priceRule.customer")}
            placeholder={t("priceRule.anybody")}
            autoComplete="off"
            value={username}
            error={refused.of("username")}
            onChange={(event) => setUsername(event.currentTarget.value)}
          />
        </div>
        <SelectField
          label={t("priceRule.group")}
          className="min-w-36 flex-1"
          value={group}
          error={refused.of("group")}
          onChange={setChosen}
          options={groups.map((each) => ({ value: each, label: each }))}
        />
        <div className="min-w-40 flex-1">
          <TextField
            label={t("priceRule.model")}
            isRequired
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            className="font-mono text-sm"
            value={model}
            error={refused.of("model") ?? (isMissing ? t("priceRule.modelMissing") : undefined)}
            onChange={(event) => setModel(event.currentTarget.value)}
          />
        </div>
        <Button type="submit" className="mt-[27px]" isBusy={preview.isPending}>
          {t("priceRule.ask")}
        </Button>
      </form>
      {data && (
        <div role="status" className="flex flex-wrap gap-x-8 gap-y-2 border-line border-t pt-3 text-sm">
          {data.price ? (
            <Amounts label={t("priceRule.pays")} price={data.price} />
          ) : (
            <p>{t("priceRule.noPrice")}</p>
          )}
          {data.rule && data.usual && <Amounts label={t("priceRule.usual")} price={data.usual} />}
          <p>
            <span className="block text-xs text-ink-2">{t("priceRule.rule")}</span>
            {data.rule?.name ?? t("priceRule.noRule")}
          </p>
        </div>
      )}
    </section>
  );
};

const Amounts = ({ label, price }: { label: string; price: ModelPriceEntry }) => {
  const { t } = useTranslation();
  const said =
    "perCall" in price
      ? t("pricing.perCall", { price: formatPrice(price.perCall) })
      : `${formatPrice(price.input)} → ${price.output === undefined ? "–" : formatPrice(price.output)}`;
  return (
    <p>
      <span className="block text-xs text-ink-2">{label}</span>
      <span className="tabular-nums">{said}</span>
    </p>
  );
};
