import { Link } from "@tanstack/react-router";
import { type Channel, changeChannel, encodeChannelBody, getChannel } from "@tollgate/contract/api/channels";
import { MODEL_PRICE_TABLE } from "@tollgate/contract/options/option-tables";
import { Plus, Trash2 } from "lucide-react";
import { useDeferredValue, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button";
import { EditPage } from "../../components/form-page";
import { JsonTableField } from "../../components/json-table-field";
import { LeaveGuard } from "../../components/leave-guard";
import { PageFrame, Panel } from "../../components/page-frame";
import { SelectField } from "../../components/select-field";
import { TextField } from "../../components/text-field";
import { RefusedError } from "../../lib/api-client";
import { findJsonMistake } from "../../lib/json-text";
import { notify } from "../../lib/notify";
import { useUpdate } from "../../lib/use-endpoint";
import { useMistakes } from "../../lib/use-mistakes";
import {
  BUYING_KINDS,
  type BuyingFields,
  type BuyingKind,
  faultyRule,
  fromBuyingFields,
  newRule,
  type RuleFields,
  type RuleMistake,
  ruleMistakes,
  toBuyingFields,
} from "./buying-form";
import { BuyingTable } from "./buying-table";
import { channelQuery } from "./channel-queries";
import { UpstreamPriceList } from "./upstream-price-list";

/** /channel/buying/{id}: the upstream's prices of a channel. */
export const BuyingPage = () => {
  const { t } = useTranslation();
  return (
    <EditPage title={t("buying.title")} query={channelQuery}>
      {(channel) => <BuyingEditor channel={channel} />}
    </EditPage>
  );
};

/** The typed prices, beside those that they began from. */
const useBuyingForm = (stored: string) => {
  const [before, setBefore] = useState(stored);
  const [fields, setFields] = useState(() => toBuyingFields(stored));
  const written = fromBuyingFields(fields);
  const wrong = typeof written === "string" ? undefined : written;
  const change = (part: Partial<BuyingFields>): void => setFields((now) => ({ ...now, ...part }));
  return {
    fields,
    /** undefined while the form has a mistake. */
    written: typeof written === "string" ? written : undefined,
    isUsualWrong: wrong !== undefined && faultyRule(wrong) === undefined,
    wrongRule: wrong && faultyRule(wrong),
    before,
    isChanged: written !== before,
    /** Goes on from saved prices. */
    setBefore,
    change,
    changeRule: (id: number, part: Partial<RuleFields>): void =>
      change({ rules: fields.rules.map((rule) => (rule.id === id ? { ...rule, ...part } : rule)) }),
  };
};

type BuyingForm = ReturnType<typeof useBuyingForm>;

const BuyingEditor = ({ channel }: { channel: Channel }) => {
  const { t } = useTranslation();
  const stored = channel.buyingPrices ?? "";
  const form = useBuyingForm(stored);
  const [isChecked, setChecked] = useState(false);
  const shown = useDeferredValue(form.written ?? stored);
  const refused = useMistakes();
  const update = useUpdate(getChannel, changeChannel, refused);
  const submit = (element: HTMLFormElement) => {
    refused.begin(element);
    setChecked(true);
    const { written, before } = form;
    if (written === undefined) {
      notify.error(t("buying.invalid"));
      return;
    }
    const toBody = ({ id, buyingPrices = "" }: Channel) => {
      const message = t("buying.changedMeanwhile");
      // The body replaces all prices, not only the edited ones.
      if (buyingPrices !== before)
        throw new RefusedError(message, { success: false, message, field: "buying_prices" });
      return encodeChannelBody({ id, buyingPrices: written });
    };
    const onSuccess = () => {
      form.setBefore(written);
      notify.success(t("action.done"));
    };
    update.mutate({ id: channel.id, toBody }, { onSuccess });
  };
  return (
    <PageFrame
      title={t("buying.titleOf", { name: channel.name })}
      description={
        <>
          {t("buying.description")}{" "}
          <Link
            to="/channel/edit/$id"
            params={{ id: String(channel.id) }}
            className="text-accent underline underline-offset-2"
          >
            {t("buying.toChannel")}
          </Link>
        </>
      }
    >
      <LeaveGuard isChanged={form.isChanged} isSaving={update.isPending} />
      <Panel>
        <form
          noValidate
          className="flex max-w-document flex-col gap-5"
          onSubmit={(event) => {
            event.preventDefault();
            submit(event.currentTarget);
          }}
        >
          <UsualPrices form={form} isChecked={isChecked} />
          <Rules form={form} isChecked={isChecked} refused={refused.of("buying_prices")} />
          <div className="flex justify-end gap-2 border-line border-t pt-4">
            <Button type="submit" variant="primary" isBusy={update.isPending} disabled={!form.isChanged}>
              {t("action.submit")}
            </Button>
          </div>
        </form>
      </Panel>
      <UpstreamPriceList channel={channel} buyingPrices={shown} />
      <BuyingTable channel={channel} buyingPrices={shown} />
    </PageFrame>
  );
};

interface PartProps {
  form: BuyingForm;
  /** Shows mistakes, after an attempt to save. */
  isChecked: boolean;
}

const USUAL = ["unknown", "list", "upstream"] as const;

/** The price of models without a rule. */
const UsualPrices = ({ form: { fields, isUsualWrong, change }, isChecked }: PartProps) => {
  const { t } = useTranslation();
  return (
    <div className="flex flex-col gap-1.5">
      <div className="flex flex-wrap items-start gap-3">
        <SelectField
          label={t("buying.usual")}
          value={fields.usual}
          className="w-64 max-w-full"
          options={USUAL.map((value) => ({ value, label: t(`buying.kind.${value}`) }))}
          onChange={(usual) => change({ usual })}
        />
        {fields.usual !== "unknown" && (
          <TextField
            label={t("buying.factor")}
            inputMode="decimal"
            className="w-32"
            value={fields.usualFactor}
            error={isChecked && isUsualWrong ? t("buying.notANumber") : undefined}
            onChange={(event) => change({ usualFactor: event.target.value })}
          />
        )}
      </div>
      <p className="text-sm text-ink-2">{t("buying.usualHint")}</p>
    </div>
  );
};

/** The prices of single models and of patterns. */
const Rules = ({
  form: { fields, wrongRule, change, changeRule },
  isChecked,
  refused,
}: PartProps & { refused: string | undefined }) => {
  const { t } = useTranslation();
  const noteId = useId();
  const othersOf = (rule: RuleFields) =>
    fields.rules.filter(({ id }) => id !== rule.id).map(({ model }) => model.trim());
  return (
    <fieldset
      data-invalid={refused === undefined ? undefined : true}
      aria-describedby={refused && noteId}
      className="flex flex-col gap-3"
    >
      <legend className="mb-1 font-medium">{t("buying.rules")}</legend>
      <p className="text-sm text-ink-2">{t("buying.rulesHint")}</p>
      {refused && (
        <p id={noteId} role="alert" className="text-red text-sm">
          {refused}
        </p>
      )}
      {fields.rules.map((rule, index) => (
        <Rule
          key={rule.id}
          rule={rule}
          mistakes={isChecked ? ruleMistakes(rule, othersOf(rule)) : NO_MISTAKES}
          error={isChecked && wrongRule === index ? t("buying.ruleInvalid") : undefined}
          onChange={(part) => changeRule(rule.id, part)}
          onRemove={() => change({ rules: fields.rules.filter(({ id }) => id !== rule.id) })}
        />
      ))}
      <Button className="w-fit" onClick={() => change({ rules: [...fields.rules, newRule()] })}>
        <Plus aria-hidden className="size-3.5" />
        {t("buying.addRule")}
      </Button>
    </fieldset>
  );
};

const NO_MISTAKES: ReadonlySet<RuleMistake> = new Set();

interface RuleProps {
  rule: RuleFields;
  mistakes: ReadonlySet<RuleMistake>;
  /** A mistake that belongs to no field. */
  error: string | undefined;
  onChange: (part: Partial<RuleFields>) => void;
  onRemove: () => void;
}

const Rule = ({ rule, mistakes, error, onChange, onRemove }: RuleProps) => {
  const { t } = useTranslation();
  const { model, kind, entries } = rule;
  const misplaced = error === undefined ? undefined : findJsonMistake(entries);
  const amount = (name: "factor" | "input" | "output" | "cacheRead" | "perCall") => (
    <TextField
      label={t(`buying.${name}`)}
      inputMode="decimal"
      className="w-28"
      value={rule[name]}
      error={
        mistakes.has(name) ? t(name === "factor" ? "buying.notANumber" : "buying.amountInvalid") : undefined
      }
      onChange={(event) => onChange({ [name]: event.target.value })}
    />
  );
  return (
    <div className="flex flex-col gap-2 rounded-md border border-line p-3">
      <div className="flex flex-wrap items-start gap-3">
        <div className="min-w-48 flex-1">
          <TextField
            label={t("buying.model")}
            placeholder="gpt-*"
            autoComplete="off"
            spellCheck={false}
            value={model}
            error={mistakes.has("model") ? t("buying.modelInvalid") : mistakes.size > 0 ? undefined : error}
            onChange={(event) => onChange({ model: event.target.value })}
          />
        </div>
        <SelectField<BuyingKind>
          label={t("buying.kindLabel")}
          value={kind}
          className="w-56 max-w-full"
          options={BUYING_KINDS.map((value) => ({ value, label: t(`buying.kind.${value}`) }))}
          onChange={(next) => onChange({ kind: next })}
        />
        {(kind === "list" || kind === "upstream") && amount("factor")}
        {kind === "tokens" && (
          <>
            {amount("input")}
            {amount("output")}
            {amount("cacheRead")}
          </>
        )}
        {kind === "call" && amount("perCall")}
        <Button
          variant="quietDanger"
          size="icon"
          className="mt-[27px]"
          aria-label={t("buying.removeRule", { model: model || "–" })}
          title={t("buying.removeRule", { model: model || "–" })}
          onClick={onRemove}
        >
          <Trash2 aria-hidden className="size-3.5" />
        </Button>
      </div>
      {kind === "entries" && (
        <JsonTableField
          table={MODEL_PRICE_TABLE}
          label={t("buying.entries")}
          hint={t("buying.entriesHint")}
          value={entries}
          error={misplaced && t("json.mistakeAt", { ...misplaced })}
          isChecked={error !== undefined}
          onChange={(typed) => onChange({ entries: typed })}
        />
      )}
    </div>
  );
};
