import { MAX_ERROR_RULES, parseErrorRules } from "@tollgate/contract/management/error-rules";
import { mayChangeOption } from "@tollgate/contract/options/option-rights";
import { MessageSquareWarning } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { AdminsOnly } from "../../../components/admins-only";
import { Button } from "../../../components/button";
import { EditableRows } from "../../../components/editable-rows";
import { EmptyState } from "../../../components/empty-state";
import { LeaveGuard } from "../../../components/leave-guard";
import { PageFrame, Panel } from "../../../components/page-frame";
import { focusInvalid } from "../../../lib/focus-mistake";
import { notify } from "../../../lib/notify";
import { LoadedOptions } from "../loaded-options";
import { useSaveOptions } from "../save-options";
import { useOptionRole } from "../use-option-role";
import { ErrorRuleFields } from "./error-rule-fields";
import { TryErrorRules } from "./try-error-rules";
import { BLANK_RULE, mistakeIn, type TypedRule, toTyped, writeRules } from "./typed-rule";

const KEY = "ErrorRules";

/** /setting/errors: what clients read of upstreams' errors; for administrators. */
export const ErrorRulesPage = () => {
  const { t } = useTranslation();
  const isAllowed = mayChangeOption(useOptionRole(), KEY);
  return (
    <PageFrame title={t("errorRule.title")} description={t("errorRule.description")}>
      {isAllowed ? (
        <LoadedOptions>{(stored) => <Rules stored={stored[KEY]} />}</LoadedOptions>
      ) : (
        <Panel>
          <AdminsOnly title={t("errorRule.forAdmins")} />
        </Panel>
      )}
    </PageFrame>
  );
};

const readRules = (text: string): TypedRule[] | undefined => {
  const parsed = parseErrorRules(text);
  return "fault" in parsed ? undefined : parsed.map(toTyped);
};

/** @param stored the option's text; undefined where the server has no such option. */
const Rules = ({ stored }: { stored: string | undefined }) => {
  const { t } = useTranslation();
  const read = stored === undefined ? undefined : readRules(stored);
  if (stored === undefined || !read)
    return (
      <Panel>
        <p>{t(stored === undefined ? "errorRule.unknown" : "errorRule.unreadable")}</p>
      </Panel>
    );
  return <Editor stored={stored} read={read} />;
};

const Editor = ({ stored, read }: { stored: string; read: TypedRule[] }) => {
  const { t } = useTranslation();
  /** With the text that it was begun from: another administrator may save meanwhile. */
  const [draft, setDraft] = useState<{ before: string; rules: TypedRule[] }>();
  const [isChecked, setChecked] = useState(false);
  const rules = draft?.rules ?? read;
  const save = useSaveOptions({
    onSaved: () => {
      setDraft(undefined);
      setChecked(false);
      notify.success(t("errorRule.saved"));
    },
    onFailed: () => undefined,
  });
  const mistakes = rules.map(mistakeIn);
  const submit = (form: HTMLFormElement) => {
    setChecked(true);
    // After the messages have been rendered.
    if (mistakes.some(Boolean)) setTimeout(() => focusInvalid(form));
    if (!draft || mistakes.some(Boolean)) return;
    save.mutate([{ key: KEY, value: writeRules(rules), before: draft.before }]);
  };
  return (
    <>
      <form
        aria-label={t("errorRule.title")}
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          submit(event.currentTarget);
        }}
      >
        {rules.length === 0 && (
          <Panel>
            <EmptyState
              icon={<MessageSquareWarning />}
              title={t("errorRule.none")}
              text={t("errorRule.noneText")}
            />
          </Panel>
        )}
        <EditableRows
          rows={rules}
          onChange={(changed) => setDraft({ before: draft?.before ?? stored, rules: changed })}
          add={t("errorRule.add")}
          blank={() => BLANK_RULE}
          most={MAX_ERROR_RULES}
          remove={(_, index) => t("errorRule.remove", { number: index + 1 })}
          order={{
            up: (_, index) => t("errorRule.up", { number: index + 1 }),
            down: (_, index) => t("errorRule.down", { number: index + 1 }),
          }}
          className="gap-4"
          rowClassName="flex flex-col-reverse gap-3 rounded-lg border border-line bg-surface p-4 wide:flex-row wide:items-start wide:p-6"
        >
          {(rule, put, index) => (
            <>
              <ErrorRuleFields rule={rule} mistake={isChecked ? mistakes[index] : undefined} onChange={put} />
              <span className="shrink-0 font-semibold text-sm tabular-nums wide:order-first">
                {index + 1}
              </span>
            </>
          )}
        </EditableRows>
        {draft && (
          <div className="floating sticky bottom-2 z-20 flex flex-wrap items-center justify-end gap-3 bg-surface px-4 py-2.5 wide:bottom-4">
            {isChecked && mistakes.some(Boolean) && (
              <p role="alert" className="me-auto text-red text-sm">
                {t("errorRule.mistakes")}
              </p>
            )}
            <Button
              disabled={save.isPending}
              onClick={() => {
                setDraft(undefined);
                setChecked(false);
              }}
            >
              {t("errorRule.discard")}
            </Button>
            <Button variant="primary" type="submit" isBusy={save.isPending}>
              {t("errorRule.save")}
            </Button>
          </div>
        )}
      </form>
      <TryErrorRules rules={rules} />
      <LeaveGuard isChanged={draft !== undefined} isSaving={save.isPending} />
    </>
  );
};
