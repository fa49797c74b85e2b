import { MAX_RULE_TEXT, RULE_ANSWERS } from "@tollgate/contract/management/error-rules";
import { VENDOR_CARDS } from "@tollgate/vendors/slim/cards";
import { useTranslation } from "react-i18next";
import { ChoicesField } from "../../../components/choices-field";
import { SelectField } from "../../../components/select-field";
import { TextAreaField, TextField } from "../../../components/text-field";
import { LANGUAGE_KEYS, LANGUAGES } from "../../../lib/languages";
import { useVendorName } from "../../../lib/vendor-name";
import type { RuleField, TypedRule } from "./typed-rule";

/** Names of channel types, and the type of a name. */
export const useTypeNames = () => {
  const nameOf = useVendorName();
  const types = new Map(VENDOR_CARDS.map(({ type }) => [nameOf(type), type]));
  return { nameOf, types };
};

interface ErrorRuleFieldsProps {
  rule: TypedRule;
  /** Its wrong field. */
  mistake: RuleField | undefined;
  onChange: (rule: TypedRule) => void;
}

/** One rule: the errors for which it holds, and the answer for the client. */
export const ErrorRuleFields = ({ rule, mistake, onChange }: ErrorRuleFieldsProps) => {
  const { t } = useTranslation();
  const { nameOf, types } = useTypeNames();
  const errorOf = (field: RuleField): { error?: string } =>
    mistake === field ? { error: t(`errorRule.mistake.${field}`) } : {};
  const put = (change: Partial<TypedRule>) => onChange({ ...rule, ...change });
  const names = rule.types.map(nameOf);
  const isOwn = rule.answer === "own";
  return (
    <div className="grid min-w-0 flex-1 gap-x-6 gap-y-4 lg:grid-cols-2">
      <fieldset className="grid min-w-0 content-start gap-3 wide:grid-cols-2">
        <legend className="mb-2 font-semibold text-sm">{t("errorRule.when")}</legend>
        <TextField
          label={t("errorRule.statuses")}
          placeholder={t("errorRule.any")}
          hint={t("errorRule.statusesHint")}
          autoComplete="off"
          value={rule.statuses}
          onChange={({ target }) => put({ statuses: target.value })}
          {...errorOf("statuses")}
        />
        <TextField
          label={t("errorRule.channels")}
          placeholder={t("errorRule.any")}
          hint={t("errorRule.channelsHint")}
          autoComplete="off"
          value={rule.channels}
          onChange={({ target }) => put({ channels: target.value })}
          {...errorOf("channels")}
        />
        <div className="wide:col-span-2">
          <ChoicesField
            label={t("errorRule.types")}
            placeholder={t("errorRule.any")}
            value={names}
            options={[...types.keys()]}
            onChange={(chosen) =>
              put({
                types: chosen.flatMap(
                  (name) => types.get(name) ?? rule.types.find((type) => nameOf(type) === name) ?? [],
                ),
              })
            }
            {...errorOf("types")}
          />
        </div>
        <div className="wide:col-span-2">
          <TextAreaField
            label={t("errorRule.words")}
            placeholder={t("errorRule.anyWords")}
            hint={t("errorRule.wordsHint")}
            className="min-h-16!"
            value={rule.words}
            onChange={({ target }) => put({ words: target.value })}
            {...errorOf("words")}
          />
        </div>
      </fieldset>
      <fieldset className="grid min-w-0 content-start gap-3 wide:grid-cols-2">
        <legend className="mb-2 font-semibold text-sm">{t("errorRule.then")}</legend>
        <div className="wide:col-span-2">
          <SelectField
            label={t("errorRule.answer")}
            hint={isOwn ? undefined : t("errorRule.originalHint")}
            value={rule.answer}
            options={RULE_ANSWERS.map((answer) => ({
              value: answer,
              label: t(`errorRule.answers.${answer}`),
            }))}
            onChange={(answer) => put({ answer })}
            {...errorOf("answer")}
          />
        </div>
        <TextField
          label={t("errorRule.status")}
          placeholder={t("errorRule.unchanged")}
          hint={t("errorRule.statusHint")}
          inputMode="numeric"
          autoComplete="off"
          value={rule.status}
          onChange={({ target }) => put({ status: target.value })}
          {...errorOf("status")}
        />
        <TextField
          label={t("errorRule.code")}
          placeholder={isOwn ? "upstream_error" : t("errorRule.unchanged")}
          hint={t("errorRule.codeHint")}
          autoComplete="off"
          spellCheck={false}
          value={rule.code}
          onChange={({ target }) => put({ code: target.value })}
          {...errorOf("code")}
        />
        {isOwn && <Texts rule={rule} error={errorOf("text").error} onChange={(text) => put({ text })} />}
      </fieldset>
    </div>
  );
};

interface TextsProps {
  rule: TypedRule;
  error: string | undefined;
  onChange: (text: TypedRule["text"]) => void;
}

/** The text of a rule in each language. */
const Texts = ({ rule: { text }, error, onChange }: TextsProps) => {
  const { t } = useTranslation();
  return LANGUAGE_KEYS.map((language, index) => (
    <div key={language} className="wide:col-span-2">
      <TextAreaField
        label={t("errorRule.text", { language: LANGUAGES[language].name })}
        className="min-h-16!"
        maxLength={MAX_RULE_TEXT}
        value={text[language] ?? ""}
        onChange={({ target }) => onChange({ ...text, [language]: target.value })}
        {...(error !== undefined && index === 0 ? { error } : {})}
      />
    </div>
  ));
};
