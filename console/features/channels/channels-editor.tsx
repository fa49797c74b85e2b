import { useQuery } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button";
import { ChoicesField } from "../../components/choices-field";
import { Dialog } from "../../components/dialog";
import { Segmented } from "../../components/segmented";
import { TextField, type TextFieldProps } from "../../components/text-field";
import { groupsQuery } from "../../lib/groups";
import { modelsQuery } from "../../lib/known-models";
import type { ChannelsChange } from "./channel-changes";
import { channelTagsQuery } from "./channel-queries";

interface EditorProps {
  isOpen: boolean;
  /** Number of edited channels. */
  count: number;
  onClose: () => void;
  /** Resolves once saved, and rejects if the server refuses. */
  onSave: (change: ChannelsChange) => Promise<void>;
}

interface Typed {
  groups: string[];
  added: string[];
  removed: string[];
  priority: string;
  weight: string;
  tag: string;
  testModel: string;
  tests: "yes" | "no";
}

const NOTHING: Typed = {
  groups: [],
  added: [],
  removed: [],
  priority: "",
  weight: "",
  tag: "",
  testModel: "",
  tests: "yes",
};

const isWhole = (text: string): boolean => /^-?\d+$/.test(text.trim());

/** The enabled fields to write; undefined while one of them is invalid. */
const changeOf = (typed: Typed, on: ReadonlySet<keyof Typed>): ChannelsChange | undefined => {
  const change: ChannelsChange = {};
  for (const name of ["groups", "added", "removed"] as const)
    if (on.has(name) && typed[name].length === 0) return undefined;
  for (const name of ["priority", "weight"] as const)
    if (on.has(name) && !isWhole(typed[name])) return undefined;
  if (on.has("groups")) change.group = typed.groups.join(",");
  if (on.has("added")) change.add_models = typed.added.join(",");
  if (on.has("removed")) change.remove_models = typed.removed.join(",");
  if (on.has("priority")) change.priority = Number(typed.priority);
  if (on.has("weight")) change.weight = Number(typed.weight);
  if (on.has("tag")) change.tag = typed.tag.trim();
  if (on.has("testModel")) change.test_model = typed.testModel.trim();
  if (on.has("tests")) change.skip_tests = typed.tests === "no";
  return Object.keys(change).length === 0 ? undefined : change;
};

/** The typed values, and which of them are enabled. */
const useEdit = () => {
  const [typed, setTyped] = useState(NOTHING);
  const [on, setOn] = useState<ReadonlySet<keyof Typed>>(new Set());
  const switchOn = (name: keyof Typed, isOn: boolean) =>
    setOn((before) => new Set([...before, name].filter((each) => isOn || each !== name)));
  return {
    typed,
    on,
    switchOn,
    /** Changes a field, which enables it. */
    put: <Name extends keyof Typed>(name: Name, value: Typed[Name]) => {
      setTyped((before) => ({ ...before, [name]: value }));
      switchOn(name, true);
    },
    clear: () => {
      setTyped(NOTHING);
      setOn(new Set());
    },
  };
};

interface RowProps<Name extends keyof Typed = keyof Typed> {
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
  const change = changeOf(edit.typed, edit.on);

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
        <div className="flex justify-end gap-2 pt-1">
          <Button type="button" onClick={onClose}>
            {t("action.cancel")}
          </Button>
          <Button type="submit" variant="primary" isBusy={isBusy} disabled={change === undefined}>
            {t("action.submit")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
};

export default ChannelsEditor;
