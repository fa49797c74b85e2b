import { findErrorRule, passableStatus, textFor } from "@tollgate/contract/management/error-rules";
import { VENDOR_CARDS } from "@tollgate/vendors/slim/cards";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Panel } from "../../../components/page-frame";
import { SelectField } from "../../../components/select-field";
import { TextAreaField, TextField } from "../../../components/text-field";
import { LANGUAGE_KEYS, LANGUAGES } from "../../../lib/languages";
import { useVendorName } from "../../../lib/vendor-name";
import { readyRules, type TypedRule } from "./typed-rule";

/** An error to try the rules on, as it is typed. */
interface Sample {
  channel: string;
  type: number;
  status: string;
  words: string;
}

const DEFAULT_SAMPLE: Sample = { channel: "", type: VENDOR_CARDS[0]?.type ?? 1, status: "429", words: "" };

const toNumber = (text: string): number => (/^\d+$/.test(text.trim()) ? Number(text) : 0);

/** Shows what a client reads of an error, by the rules as they are typed. */
export const TryErrorRules = ({ rules }: { rules: readonly TypedRule[] }) => {
  const { t } = useTranslation();
  const nameOf = useVendorName();
  const [sample, setSample] = useState(DEFAULT_SAMPLE);
  const put = (change: Partial<Sample>) => setSample({ ...sample, ...change });
  return (
    <section aria-label={t("errorRule.try")}>
      <Panel>
        <h2 className="font-semibold text-lg">{t("errorRule.try")}</h2>
        <p className="mt-0.5 mb-4 text-sm text-ink-2">{t("errorRule.tryHint")}</p>
        <div className="grid gap-x-6 gap-y-4 lg:grid-cols-2">
          <div className="grid content-start gap-3 wide:grid-cols-3">
            <TextField
              label={t("errorRule.sampleStatus")}
              inputMode="numeric"
              autoComplete="off"
              value={sample.status}
              onChange={({ target }) => put({ status: target.value })}
            />
            <SelectField
              label={t("errorRule.sampleType")}
              value={sample.type}
              options={VENDOR_CARDS.map(({ type }) => ({ value: type, label: nameOf(type) }))}
              onChange={(type) => put({ type })}
            />
            <TextField
              label={t("errorRule.sampleChannel")}
              inputMode="numeric"
              autoComplete="off"
              value={sample.channel}
              onChange={({ target }) => put({ channel: target.value })}
            />
            <div className="wide:col-span-3">
              <TextAreaField
                label={t("errorRule.sampleWords")}
                className="min-h-16!"
                value={sample.words}
                onChange={({ target }) => put({ words: target.value })}
              />
            </div>
          </div>
          <Outcome rules={rules} sample={sample} />
        </div>
      </Panel>
    </section>
  );
};

/** The rule that holds for the error, and its answer. */
const Outcome = ({ rules, sample }: { rules: readonly TypedRule[]; sample: Sample }) => {
  const { t } = useTranslation();
  const ready = readyRules(rules);
  const status = toNumber(sample.status);
  const index = findErrorRule(ready.rules, {
    channelId: toNumber(sample.channel),
    channelType: sample.type,
    status,
    code: "",
    message: sample.words,
  });
  const rule = ready.rules[index];
  if (!rule)
    return (
      <p role="status" className="self-start rounded-md bg-sunken px-3.5 py-2.5 text-sm">
        {t("errorRule.noneFits")}
      </p>
    );
  const shownStatus = rule.status ?? (rule.answer === "original" ? passableStatus(status) : undefined);
  return (
    <div role="status" className="min-w-0 self-start rounded-md bg-sunken px-3.5 py-2.5 text-sm">
      <p className="font-medium">{t("errorRule.fits", { number: ready.numbers[index] })}</p>
      <p className="mt-1 font-mono text-xs">
        {shownStatus === undefined ? t("errorRule.usualStatus") : `HTTP ${shownStatus}`}
      </p>
      {rule.answer === "original" ? (
        <p className="mt-2 break-words">{sample.words.trim() || t("errorRule.usualText")}</p>
      ) : (
        <dl className="mt-2 grid gap-2">
          {LANGUAGE_KEYS.map((language) => (
            <div key={language} className="min-w-0">
              <dt className="text-xs text-ink-2">{LANGUAGES[language].name}</dt>
              <dd className="whitespace-pre-line break-words">{textFor(rule.text, language)}</dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  );
};
