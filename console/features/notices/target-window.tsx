import { MAX_NOTICE_NAME, type NoticeTargetWire } from "@tollgate/contract/api/notices";
import { eventsFor, type NoticeEventName } from "@tollgate/contract/notices/notice-events";
import {
  isSecretField,
  NOTICE_TARGET_NAMES,
  type NoticeFieldName,
  type NoticeTargetName,
} from "@tollgate/contract/notices/notice-targets";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button";
import { Dialog, DialogActions } from "../../components/dialog";
import { SelectField } from "../../components/select-field";
import { SwitchField } from "../../components/switch-field";
import { TextField } from "../../components/text-field";
import { focusMistake } from "../../lib/focus-mistake";
import { currentLanguage } from "../../lib/i18n";
import { LANGUAGE_KEYS, LANGUAGES } from "../../lib/languages";
import { notify } from "../../lib/notify";
import { useSave } from "../../lib/use-endpoint";
import { type Mistakes, useMistakes } from "../../lib/use-mistakes";
import { noticesOf, type Scope } from "./scope";
import { askedFields, bodyOf, draftOf, missingFields, newDraft, type TargetDraft } from "./target-form";

interface TargetWindowProps {
  scope: Scope;
  /** The edited target; undefined for a new one. */
  target: NoticeTargetWire | undefined;
  onClose: () => void;
}

/** The window to add or edit a target. */
const TargetWindow = ({ scope, target, onClose }: TargetWindowProps) => {
  const { t } = useTranslation();
  const { createTarget, changeTarget } = noticesOf(scope);
  const refused = useMistakes();
  const save = useSave(createTarget, changeTarget, refused);
  const [draft, setDraft] = useState(() => (target ? draftOf(target) : newDraft(scope, currentLanguage())));
  const [missing, setMissing] = useState<readonly NoticeFieldName[]>([]);
  const change = (part: Partial<TargetDraft>) => setDraft((before) => ({ ...before, ...part }));
  const stored = target?.secrets ?? [];
  const submit = (form: HTMLFormElement): void => {
    refused.begin(form);
    const found = missingFields(scope, draft, stored);
    setMissing(found);
    if (focusMistake(form, Object.fromEntries(found.map((name) => [name, true])))) return;
    save.mutate(
      { id: target?.id, body: bodyOf(scope, draft) },
      {
        onSuccess: () => {
          notify.success(t("notice.saved"));
          onClose();
        },
      },
    );
  };
  return (
    <Dialog isOpen onClose={onClose} title={t(target ? "notice.edit" : "notice.add")}>
      <form
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          submit(event.currentTarget);
        }}
      >
        {!target && (
          <SelectField<NoticeTargetName>
            label={t("notice.kind")}
            value={draft.kind}
            options={NOTICE_TARGET_NAMES.map((kind) => ({
              value: kind,
              label: t(`notice.target.${kind}`),
            }))}
            onChange={(kind) => {
              setMissing([]);
              change({ kind, fields: {} });
            }}
          />
        )}
        <p className="text-sm text-ink-2">
          {t(
            scope === "user" && draft.kind === "email" ? "notice.hint.ownEmail" : `notice.hint.${draft.kind}`,
          )}
        </p>
        <TextField
          label={t("notice.name")}
          error={refused.of("name")}
          value={draft.name}
          maxLength={MAX_NOTICE_NAME}
          autoComplete="off"
          placeholder={t(`notice.target.${draft.kind}`)}
          onChange={(event) => change({ name: event.currentTarget.value })}
        />
        <TargetFields
          scope={scope}
          draft={draft}
          stored={stored}
          missing={missing}
          refused={refused}
          onChange={(fields) => change({ fields })}
        />
        <SelectField
          label={t("notice.language")}
          error={refused.of("language")}
          value={draft.language}
          options={LANGUAGE_KEYS.map((key) => ({ value: key, label: LANGUAGES[key].name }))}
          onChange={(language) => change({ language })}
        />
        <EventChoice scope={scope} chosen={draft.events} onChange={(events) => change({ events })} />
        <SwitchField
          label={t("notice.enabled")}
          isOn={draft.isEnabled}
          onChange={(isEnabled) => change({ isEnabled })}
        />
        <DialogActions>
          <Button type="submit" variant="primary" isBusy={save.isPending}>
            {t("notice.save")}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
};

interface TargetFieldsProps {
  scope: Scope;
  draft: TargetDraft;
  /** Secrets stored on the server. */
  stored: readonly string[];
  missing: readonly NoticeFieldName[];
  refused: Mistakes;
  onChange: (fields: TargetDraft["fields"]) => void;
}

/** The fields of a kind of target, such as an address. */
const TargetFields = ({ scope, draft, stored, missing, refused, onChange }: TargetFieldsProps) => {
  const { t } = useTranslation();
  return askedFields(scope, draft.kind).map(([name, field]) => (
    <TextField
      key={name}
      name={name}
      label={t(`notice.field.${name}`)}
      isRequired={!field.isOptional}
      value={draft.fields[name] ?? ""}
      // Not a password: browsers would offer to store it, and fill in a different one.
      type="text"
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      placeholder={isSecretField(field) && stored.includes(name) ? t("notice.kept") : (field.default ?? "")}
      error={missing.includes(name) ? t("notice.missing") : refused.of(`fields.${name}`)}
      onChange={(event) => onChange({ ...draft.fields, [name]: event.currentTarget.value })}
    />
  ));
};

interface EventChoiceProps {
  scope: Scope;
  chosen: readonly NoticeEventName[];
  onChange: (events: readonly NoticeEventName[]) => void;
}

const EventChoice = ({ scope, chosen, onChange }: EventChoiceProps) => {
  const { t } = useTranslation();
  const offered = eventsFor(scope);
  return (
    <fieldset className="flex flex-col gap-1">
      <legend className="mb-1.5 font-medium text-sm">{t("notice.events")}</legend>
      {offered.map((event) => (
        <label
          key={event}
          className="flex min-h-7 max-wide:min-h-control cursor-pointer items-center gap-2.5 text-sm"
        >
          <input
            type="checkbox"
            className="size-4 shrink-0 accent-accent"
            checked={chosen.includes(event)}
            onChange={({ currentTarget: { checked } }) =>
              onChange(offered.filter((each) => (each === event ? checked : chosen.includes(each))))
            }
          />
          {t(`notice.event.${event}`)}
        </label>
      ))}
    </fieldset>
  );
};

export default TargetWindow;
