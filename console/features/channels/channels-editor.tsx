import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { BulkRow, BulkWindow, useBulkEdit } from "../../components/bulk-fields";
import { ChoicesField } from "../../components/choices-field";
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

interface RowProps<Name extends keyof TypedChange = keyof TypedChange> {
  edit: ReturnType<typeof useBulkEdit<TypedChange>>;
  name: Name;
  label: string;
}

/** Names of the fields in the change. */
const WIRE_NAMES: Readonly<Record<Exclude<keyof TypedChange, "tests">, keyof ChannelsChange>> = {
  groups: "group",
  added: "add_models",
  removed: "remove_models",
  priority: "priority",
  weight: "weight",
  tag: "tag",
  testModel: "test_model",
};

const ListRow = ({ options, ...row }: RowProps<"groups" | "added" | "removed"> & { options: string[] }) => (
  <BulkRow {...row}>
    <ChoicesField
      label={row.label}
      value={row.edit.typed[row.name]}
      options={options}
      error={row.edit.errorOf(WIRE_NAMES[row.name])}
      allowsOthers={row.name !== "groups"}
      onChange={(values) => row.edit.put(row.name, values)}
    />
  </BulkRow>
);

const TextRow = ({
  edit,
  name,
  label,
  ...input
}: RowProps<"priority" | "weight" | "tag" | "testModel"> & Omit<TextFieldProps, keyof RowProps>) => (
  <BulkRow edit={edit} name={name} label={label}>
    <TextField
      {...input}
      label={label}
      autoComplete="off"
      value={edit.typed[name]}
      error={edit.errorOf(WIRE_NAMES[name])}
      onChange={({ target }) => edit.put(name, target.value)}
    />
  </BulkRow>
);

/** Edits many channels at once: only enabled fields are written, all others stay unchanged in each channel. */
const ChannelsEditor = ({ isOpen, count, onClose, onSave }: EditorProps) => {
  const { t } = useTranslation();
  const { data: groups = [] } = useQuery(groupsQuery);
  const { data: models = [] } = useQuery(modelsQuery);
  const { data: tags = [] } = useQuery(channelTagsQuery);
  const edit = useBulkEdit(NOTHING_TYPED);
  const change = toChannelsChange(edit.typed, edit.on);

  return (
    <BulkWindow
      isOpen={isOpen}
      title={t("channel.editor.title", { count })}
      canSave={change !== undefined}
      mistakes={edit.mistakes}
      onClose={onClose}
      onSave={() => onSave(change ?? {})}
      onSaved={edit.clear}
    >
      <p className="text-sm text-ink-2">{t("batch.editHint")}</p>
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
      <BulkRow edit={edit} name="tests" label={t("channel.editor.tests")}>
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
      </BulkRow>
    </BulkWindow>
  );
};

export default ChannelsEditor;
