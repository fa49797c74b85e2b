import { useQuery } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button";
import { ChoicesField } from "../../components/choices-field";
import { Dialog } from "../../components/dialog";
import { Field } from "../../components/field";
import { Segmented } from "../../components/segmented";
import { groupsQuery } from "../../lib/groups";
import { modelsQuery } from "../../lib/known-models";
import type { ChannelsChange } from "./channel-changes";
import { channelTagsQuery } from "./channel-queries";

interface EditorProps {
  isOpen: boolean;
  /** How many channels are edited. */
  count: number;
  onClose: () => void;
  /** Resolves once it is saved, and rejects where it was refused. */
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

/** What is to be written, of the fields that are switched on; undefined while one of them says nothing that could be. */
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

/** Edits many channels at once: only what is switched on is written, and everything else stays as it is in each of them. */
const ChannelsEditor = ({ isOpen, count, onClose, onSave }: EditorProps) => {
  const { t } = useTranslation();
  const groups = useQuery(groupsQuery);
  const models = useQuery(modelsQuery);
  const tags = useQuery(channelTagsQuery);
  const [typed, setTyped] = useState(NOTHING);
  const [on, setOn] = useState<ReadonlySet<keyof Typed>>(new Set());
  const [isBusy, setBusy] = useState(false);
  const change = changeOf(typed, on);

  const put = <Name extends keyof Typed>(name: Name, value: Typed[Name]) => {
    setTyped((before) => ({ ...before, [name]: value }));
    setOn((before) => new Set(before).add(name));
  };

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!change) return;
    setBusy(true);
    try {
      await onSave(change);
      setTyped(NOTHING);
      setOn(new Set());
      onClose();
    } catch {
      // The query client has told the failure; what was typed stays.
    } finally {
      setBusy(false);
    }
  };

  const row = (name: keyof Typed, label: string, control: ReactNode) => (
    <div className="grid grid-cols-[auto_1fr] items-start gap-x-2.5">
      <input
        type="checkbox"
        aria-label={t("channel.editor.write", { field: label })}
        checked={on.has(name)}
        onChange={({ target }) =>
          setOn((before) => {
            const after = new Set(before);
            if (target.checked) after.add(name);
            else after.delete(name);
            return after;
          })
        }
        className="mt-0.5 block size-4 accent-accent"
      />
      {control}
    </div>
  );
  const list = (name: "groups" | "added" | "removed", label: string, options: readonly string[]) =>
    row(
      name,
      label,
      <ChoicesField
        label={label}
        value={typed[name]}
        options={options}
        allowsOthers={name !== "groups"}
        onChange={(values) => put(name, values)}
      />,
    );
  const text = (name: "priority" | "weight" | "tag" | "testModel", label: string, hint?: string, more = {}) =>
    row(
      name,
      label,
      <Field label={label} hint={hint}>
        {(control) => (
          <input
            {...control}
            {...more}
            className="control"
            autoComplete="off"
            value={typed[name]}
            onChange={({ target }) => put(name, target.value)}
          />
        )}
      </Field>,
    );

  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={t("channel.editor.title", { count })}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <p className="text-sm text-ink-2">{t("channel.editor.hint")}</p>
        {list("groups", t("field.group"), groups.data ?? [])}
        {list("added", t("channel.editor.added"), models.data ?? [])}
        {list("removed", t("channel.editor.removed"), models.data ?? [])}
        <div className="grid gap-4 wide:grid-cols-2">
          {text("priority", t("field.priority"), undefined, { inputMode: "numeric" })}
          {text("weight", t("field.weight"), undefined, { inputMode: "numeric" })}
        </div>
        {text("tag", t("channel.tag"), t("channel.editor.tagHint"), { list: "known-tags", maxLength: 100 })}
        <datalist id="known-tags">
          {tags.data?.map(({ tag }) => (
            <option key={tag} value={tag} />
          ))}
        </datalist>
        {text("testModel", t("channel.testModel"), undefined, { maxLength: 100 })}
        {row(
          "tests",
          t("channel.editor.tests"),
          <div className="flex flex-col gap-1.5">
            <span className="font-medium text-sm">{t("channel.editor.tests")}</span>
            <Segmented
              label={t("channel.editor.tests")}
              value={typed.tests}
              segments={[
                { value: "yes", label: t("channel.editor.testsYes") },
                { value: "no", label: t("channel.editor.testsNo") },
              ]}
              onChange={(value) => put("tests", value)}
            />
          </div>,
        )}
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
