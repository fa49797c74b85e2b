import { SYSTEM_PROMPT_MODES } from "@tollgate/contract/management/channel-overrides";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import { EditableRows } from "../../components/editable-rows";
import { Field } from "../../components/field";
import { JsonField } from "../../components/json-field";
import { Segmented } from "../../components/segmented";
import { SwitchField } from "../../components/switch-field";
import { TextAreaField } from "../../components/text-field";
import type { OverrideFields, OverrideMistake, OverridePair } from "./override-fields";

const BODY_EXAMPLE = JSON.stringify(
  { set: { temperature: 0.2 }, merge: { reasoning: { effort: "low" } }, delete: ["user"] },
  null,
  2,
);

const EXAMPLE = JSON.stringify(
  { body: { set: { temperature: 0.2 } }, headers: { "x-title": "{client:x-title}" } },
  null,
  2,
);

interface OverrideInputsProps {
  value: OverrideFields;
  onChange: (value: OverrideFields) => void;
  errorOf: (part: OverrideMistake["part"]) => string | undefined;
}

/** The overrides, as JSON or as fields. */
const OverrideInputs = (props: OverrideInputsProps) =>
  props.value.json === undefined ? <Parts {...props} /> : <WholeJson {...props} json={props.value.json} />;

export default OverrideInputs;

const WholeJson = ({ value, json, onChange, errorOf }: OverrideInputsProps & { json: string }) => {
  const { t } = useTranslation();
  return (
    <Field
      label={t("channelOverrides.json")}
      hint={t("channelOverrides.headersHint")}
      error={errorOf("json")}
    >
      {(control) => (
        <JsonField
          control={control}
          label={t("channelOverrides.json")}
          placeholder={EXAMPLE}
          value={json}
          onChange={(text) => onChange({ ...value, json: text })}
        />
      )}
    </Field>
  );
};

const Parts = ({ value, onChange, errorOf }: OverrideInputsProps) => {
  const { t } = useTranslation();
  const set = (change: Partial<OverrideFields>) => onChange({ ...value, ...change });
  return (
    <>
      <SwitchField
        label={t("channelOverrides.passBody")}
        hint={errorOf("passBody") ?? t("channelOverrides.passBodyHint")}
        isOn={value.passBody}
        onChange={(passBody) => set({ passBody })}
      />
      <SwitchField
        label={t("channelOverrides.cacheMarks")}
        hint={t("channelOverrides.cacheMarksHint")}
        isOn={value.cacheMarks}
        onChange={(cacheMarks) => set({ cacheMarks })}
      />
      <Field label={t("channelOverrides.body")} hint={t("channelOverrides.bodyHint")} error={errorOf("body")}>
        {(control) => (
          <JsonField
            control={control}
            label={t("channelOverrides.body")}
            placeholder={BODY_EXAMPLE}
            value={value.body}
            onChange={(body) => set({ body })}
          />
        )}
      </Field>
      <Pairs
        label={t("channelOverrides.headers")}
        hint={t("channelOverrides.headersHint")}
        error={errorOf("headers")}
        names={[t("channelOverrides.headerName"), t("channelOverrides.headerValue")]}
        examples={["x-title", "{client:x-title}"]}
        add={t("channelOverrides.addHeader")}
        pairs={value.headers}
        onChange={(headers) => set({ headers })}
      />
      <TextAreaField
        label={t("channelOverrides.prompt")}
        hint={t("channelOverrides.promptHint")}
        error={errorOf("prompt")}
        aside={
          <Segmented
            label={t("channelOverrides.promptMode")}
            value={value.promptMode}
            segments={SYSTEM_PROMPT_MODES.map((mode) => ({
              value: mode,
              label: t(`channelOverrides.promptModes.${mode}`),
            }))}
            onChange={(promptMode) => set({ promptMode })}
          />
        }
        value={value.prompt}
        onChange={(event) => set({ prompt: event.target.value })}
      />
      <Pairs
        label={t("channelOverrides.statuses")}
        hint={t("channelOverrides.statusesHint")}
        error={errorOf("statuses")}
        names={[t("channelOverrides.statusTold"), t("channelOverrides.statusMeant")]}
        examples={["400", "500"]}
        add={t("channelOverrides.addStatus")}
        pairs={value.statuses}
        onChange={(statuses) => set({ statuses })}
        isNarrow
      />
    </>
  );
};

interface PairsProps {
  label: string;
  hint: string;
  error: string | undefined;
  /** Labels of the two columns. */
  names: readonly [string, string];
  examples: readonly [string, string];
  add: string;
  pairs: readonly OverridePair[];
  onChange: (pairs: OverridePair[]) => void;
  /** Short values, for a narrow column. */
  isNarrow?: boolean;
}

/** An editable table with two columns. */
const Pairs = ({ label, hint, error, names, examples, add, pairs, onChange, isNarrow }: PairsProps) => {
  const { t } = useTranslation();
  const noteId = useId();
  return (
    <fieldset className="flex min-w-0 flex-col gap-1.5" aria-describedby={noteId}>
      <legend className="mb-1.5 font-medium text-sm">{label}</legend>
      <EditableRows
        rows={pairs}
        onChange={onChange}
        add={add}
        blank={(): OverridePair => ({ from: "", to: "" })}
        remove={({ from }, index) => t("channelOverrides.removeLine", { name: from || String(index + 1) })}
        rowClassName={isNarrow ? "flex max-w-80 gap-2" : "flex gap-2"}
      >
        {(pair, put, index) =>
          (["from", "to"] as const).map((side, column) => (
            <input
              key={side}
              className={`control min-w-0 font-mono text-sm ${side === "from" && !isNarrow ? "flex-[2]" : "flex-[3]"}`}
              aria-label={`${names[column]} ${index + 1}`}
              placeholder={examples[column]}
              aria-invalid={error ? true : undefined}
              autoComplete="off"
              spellCheck={false}
              value={pair[side]}
              onChange={(event) => put({ ...pair, [side]: event.target.value })}
            />
          ))
        }
      </EditableRows>
      <div id={noteId} className={error ? "text-sm text-red" : "text-sm text-ink-2"}>
        {error ?? hint}
      </div>
    </fieldset>
  );
};
