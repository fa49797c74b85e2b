import { useQuery } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button";
import { ChoicesField } from "../../components/choices-field";
import { Dialog, DialogActions } from "../../components/dialog";
import { Segmented } from "../../components/segmented";
import { TextField, type TextFieldProps } from "../../components/text-field";
import { groupsQuery } from "../../lib/groups";
import { modelsQuery } from "../../lib/known-models";
import type { ChannelsChange } from "./channel-changes";
import { channelTagsQuery } from "./channel-queries";
import { NOTHING_TYPED, type TypedChange, toChannelsChange } from "./typed-change";

interface EditorProps {
  isOpen: boolean;
  /** Number of edited channels. */
  count: number;
  onClose: () => void;
  /** Resolves once saved, and rejects if the server refuses. */
  onSave: (change: ChannelsChange) => Promise<void>;
}

/** The typed values, and which of them are enabled. */
const useEdit = () => {
  const [typed, setTyped] = useState(NOTHING_TYPED);
  const [on, setOn] = useState<ReadonlySet<keyof TypedChange>>(new Set());
  const switchOn = (name: keyof TypedChange, isOn: boolean) =>
    setOn((before) => new Set([...before, name].filter((each) => isOn || each !== name)));
  return {
    typed,
    on,
    switchOn,
    /** Changes a field, which enables it. */
    put: <Name extends keyof TypedChange>(name: Name, value: TypedChange[Name]) => {
      setTyped((before) => ({ ...before, [name]: value }));
      switchOn(name, true);
    },
    clear: () => {
      setTyped(NOTHING_TYPED);
      setOn(new Set());
    },
  };
};

interface RowProps<Name extends keyof TypedChange = keyof TypedChange> {
  edit: ReturnType<typeof useEdit>;
  name: Name;
  label: string;
}

/** A field, with the checkbox that enables it. */
const Row = ({ edit, name, label, children }: RowProps & { children: ReactNode }) => {
  const { t } = useTranslation();
  return (
    <div className="grid grid-cols-[auto_1fr] items-start gap-x-2.5">
      <input
        type="checkbox"
        aria-label={t("channel.editor.write", { field: label })}
        checked={edit.on.has(name)}
        onChange={({ target }) => edit.switchOn(name, target.checked)}
        className="mt-0.5 block size-4 accent-accent"
      />
      {children}
    </div>
  );
};

const ListRow = ({ options, ...row }: RowProps<"groups" | "added" | "removed"> & { options: string[] }) => (
  <Row {...row}>
    <ChoicesField
      label={row.label}
      value={row.edit.typed[row.name]}
      options={options}
      allowsOthers={row.name !== "groups"}
      onChange={(values) => row.edit.put(row.name, values)}
    />
  </Row>
);

const TextRow = ({
  edit,
  name,
  label,
  ...input
}: RowProps<"priority" | "weight" | "tag" | "testModel"> & Omit<TextFieldProps, keyof RowProps>) => (
  <Row edit={edit} name={name} label={label}>
    <TextField
      {...input}
      label={label}
      autoComplete="off"
      value={edit.typed[name]}
      onChange={({ target }) => edit.put(name, target.value)}
    />
  </Row>
);

/** Edits many channels at once: only enabled fields are written, all others stay unchanged in each channel. */
const ChannelsEditor = ({ isOpen, count, onClose, onSave }: EditorProps) => {
  const { t } = useTranslation();
  const { data: groups = [] } = useQuery(groupsQuery);
  const { data: models = [] } = useQuery(modelsQuery);
  const { data: tags = [] } = useQuery(channelTagsQuery);
  const edit = useEdit();
  const [isBusy, setBusy] = useState(false);
  const change = toChannelsChange(edit.typed, edit.on);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!change) return;
    setBusy(true);
    try {
      await onSave(change);
      edit.clear();
      onClose();
    } catch {
      // The query client has reported the failure; the typed values stay.
    } finally {
      setBusy(false);
    }
  };

  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={t("channel.editor.title", { count })}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <p className="text-sm text-ink-2">{t("channel.editor.hint")}</p>
        <ListRow edit={edit} name="groups" label={t("field.group")} options={groups} />
        <ListRow edit={edit} name="added" label={t("channel.editor.added")} options={models} />
        <ListRow edit={edit} name="removed" label={t("channel.editor.removed")} options={models} />
        <div className="grid gap-4 wide:grid-cols-2">
          <TextRow edit={edit} name="priority" label={t("field.priority")} inputMode="numeric" />
          <TextRow edit={edit} name="weight" label={t("field.weight")} inputMode="numeric" />
        </div>
        <TextRow
          edit={edit}
          name="tag"
          label={t("channel.tag")}
          hint={t("channel.editor.tagHint")}
          list="known-tags"
          maxLength={100}
        />
        <datalist id="known-tags">
          {tags.map(({ tag }) => (
            <option key={tag} value={tag} />
          ))}
        </datalist>
        <TextRow edit={edit} name="testModel" label={t("channel.testModel")} maxLength={100} />
        <Row edit={edit} name="tests" label={t("channel.editor.tests")}>
          <div className="flex flex-col gap-1.5">
            <span className="font-medium text-sm">{t("channel.editor.tests")}</span>
            <Segmented
              label={t("channel.editor.tests")}
              value={edit.typed.tests}
              segments={[
                { value: "yes", label: t("channel.editor.testsYes") },
                { value: "no", label: t("channel.editor.testsNo") },
              ]}
              onChange={(value) => edit.put("tests", value)}
            />
          </div>
        </Row>
        <DialogActions>
          <Button type="submit" variant="primary" isBusy={isBusy} disabled={change === undefined}>
            {t("action.submit")}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
};

export default ChannelsEditor;
