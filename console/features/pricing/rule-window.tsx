import { hashKey, useQuery, useQueryClient } from "@tanstack/react-query";
import { savePriceRule } from "@tollgate/contract/api/price-rules";
import type { PriceRuleWire } from "@tollgate/contract/management/price-rule";
import { type ComponentProps, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button";
import { Dialog, DialogActions } from "../../components/dialog";
import { SelectField } from "../../components/select-field";
import { TextAreaField, TextField } from "../../components/text-field";
import { refusedField } from "../../lib/api-client";
import { groupsQuery } from "../../lib/groups";
import { notify } from "../../lib/notify";
import { readNow } from "../../lib/query-client";
import { reportError } from "../../lib/report-error";
import { useSession } from "../../lib/session";
import { useEndpoint } from "../../lib/use-endpoint";
import { useMistakes } from "../../lib/use-mistakes";
import { priceRulesQuery } from "./price-rules-query";
import { NEW_RULE, type RuleFields, toRule, toRuleFields } from "./rule-form";

interface RuleWindowProps {
  /** undefined for a new one. */
  rule: PriceRuleWire | undefined;
  /** The customer of a new rule. */
  username?: string | undefined;
  /** The version of prices that was read with the rule. */
  version: number;
  onClose: () => void;
}

const ANY = "";

/** Props of a text input. */
type TextOf = (field: Exclude<keyof RuleFields, "names">) => ComponentProps<"input"> & { error?: string };

const AMOUNTS = ["factor", "ratio", "input", "output", "cacheRead", "perCall"] as const;

/** The rule's price, ratio and factor. */
const Amounts = ({ text }: { text: TextOf }) => {
  const { t } = useTranslation();
  return (
    <fieldset className="flex flex-col gap-3 rounded-md border border-line p-3">
      <legend className="px-1 font-medium text-sm">{t("priceRule.what")}</legend>
      <p className="text-sm text-ink-2">{t("priceRule.whatHint")}</p>
      {/* A label of two lines leaves the inputs of a row at one height. */}
      <div className="grid grid-cols-2 items-end gap-3">
        {AMOUNTS.map((field) => (
          <TextField key={field} label={t(`priceRule.${field}`)} inputMode="decimal" {...text(field)} />
        ))}
      </div>
    </fieldset>
  );
};

interface GroupFieldProps {
  group: string;
  error: string | undefined;
  onChange: (group: string) => void;
}

const GroupField = ({ group, error, onChange }: GroupFieldProps) => {
  const { t } = useTranslation();
  const { data: groups = [] } = useQuery(groupsQuery);
  return (
    <SelectField
      label={t("priceRule.group")}
      error={error}
      value={group}
      onChange={onChange}
      options={[
        { value: ANY, label: t("priceRule.anyGroup") },
        ...[...new Set([...groups, ...(group ? [group] : [])])].map((value) => ({
          value,
          label: value,
        })),
      ]}
    />
  );
};

interface NamesFieldProps {
  names: RuleFields["names"];
  onChange: (names: RuleFields["names"]) => void;
}

/** The model name that the rule matches: the requested or the upstream's. */
const NamesField = ({ names, onChange }: NamesFieldProps) => {
  const { t } = useTranslation();
  return (
    <SelectField
      label={t("priceRule.names")}
      value={names}
      onChange={onChange}
      options={[
        { value: "upstream" as const, label: t("priceRule.upstream") },
        { value: "requested" as const, label: t("priceRule.requested") },
      ]}
    />
  );
};

/** The name on the wire of a field's part of the body. The price is one part: its mistake stands at its first field. */
const wireNameOf = (field: keyof RuleFields, { perCall }: RuleFields): string => {
  if (field === "name" || field === "username") return field;
  const priced = perCall.trim() === "" ? "input" : "perCall";
  return field === priced ? "rule.price" : `rule.${field}`;
};

/**
 * The version of prices that a rule is saved with: the one that was read with the rule. A later one is valid only while
 * the rule is the same, so that no change of another person is overwritten.
 */
const usePriceVersion = (rule: PriceRuleWire | undefined, read: number) => {
  const queryClient = useQueryClient();
  const [version, setVersion] = useState(read);
  /** The change that made the last press fail: of another price, or of this rule. */
  const [change, setChange] = useState<"otherPrices" | "overtaken">();
  const readAgain = async (refusal: Error): Promise<void> => {
    const fresh = await readNow(queryClient, priceRulesQuery).catch(() => undefined);
    if (!fresh) return reportError(refusal);
    const present = rule && fresh.rules.find(({ name }) => name === rule.name);
    const isSame = rule === undefined || hashKey([present]) === hashKey([rule]);
    if (isSame) setVersion(fresh.price_version);
    setChange(isSame ? "otherPrices" : "overtaken");
  };
  return { version, change, readAgain, forgetChange: () => setChange(undefined) };
};

/** The time in which a rule holds. */
const Days = ({ text }: { text: TextOf }) => {
  const { t } = useTranslation();
  return (
    <div className="grid grid-cols-2 gap-3">
      <TextField
        label={t("priceRule.from")}
        hint={t("priceRule.fromHint")}
        placeholder="2026-12-01"
        {...text("from")}
      />
      <TextField
        label={t("priceRule.until")}
        hint={t("priceRule.untilHint")}
        placeholder="2027-01-01"
        {...text("until")}
      />
    </div>
  );
};

/** Creates a price rule, or changes one. */
export const RuleWindow = ({ rule, username = "", version: read, onClose }: RuleWindowProps) => {
  const { t } = useTranslation();
  const refused = useMistakes();
  const save = useEndpoint(savePriceRule, { ...refused, isSilent: true });
  const { version, change, readAgain, forgetChange } = usePriceVersion(rule, read);
  const { isRoot } = useSession();
  const [fields, setFields] = useState<RuleFields>(rule ? toRuleFields(rule) : { ...NEW_RULE, username });
  const set = (change: Partial<RuleFields>): void => setFields((now) => ({ ...now, ...change }));
  const text: TextOf = (field) => ({
    error: refused.of(wireNameOf(field, fields)),
    value: fields[field],
    autoComplete: "off",
    onChange: (event) => set({ [field]: event.currentTarget.value }),
  });
  return (
    <Dialog isOpen onClose={onClose} title={t(rule ? "priceRule.edit" : "priceRule.add")}>
      <form
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          refused.begin(event.currentTarget);
          forgetChange();
          const body = {
            name: fields.name.trim(),
            before: rule?.name,
            username: fields.username.trim(),
            rule: toRule(fields, rule),
            price_version: version,
          };
          save.mutate(
            { body },
            {
              onSuccess: () => {
                notify.success(t("action.done"));
                onClose();
              },
              onError: (error) =>
                refusedField(error) === "price_version" ? void readAgain(error) : reportError(error),
            },
          );
        }}
      >
        <TextField
          label={t("field.name")}
          hint={t("priceRule.nameHint")}
          isRequired
          maxLength={100}
          {...text("name")}
        />
        <div className="grid grid-cols-2 gap-3">
          <TextField
            label={t("priceRule.customer")}
            placeholder={isRoot ? t("priceRule.anybody") : undefined}
            hint={isRoot ? undefined : t("priceRule.rootOnly")}
            isRequired={!isRoot}
            {...text("username")}
          />
          <GroupField
            group={fields.group}
            error={refused.of("rule.group")}
            onChange={(group) => set({ group })}
          />
        </div>
        <TextField
          label={t("priceRule.models")}
          hint={t("priceRule.modelsHint")}
          placeholder="gpt-5*"
          isRequired
          autoCapitalize="none"
          spellCheck={false}
          className="font-mono text-sm"
          {...text("models")}
        />
        <NamesField names={fields.names} onChange={(names) => set({ names })} />
        <Amounts text={text} />
        <Days text={text} />
        <TextAreaField
          label={t("priceRule.note")}
          hint={t("priceRule.noteHint")}
          maxLength={500}
          error={refused.of("rule.note")}
          value={fields.note}
          onChange={(event) => set({ note: event.currentTarget.value })}
        />
        {change && (
          <p role="alert" className="rounded-md bg-yellow-soft px-3 py-2 text-sm text-yellow">
            {t(`priceRule.${change}`)}
          </p>
        )}
        <DialogActions>
          <Button type="submit" variant="primary" isBusy={save.isPending}>
            {t("priceRule.save")}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
};
