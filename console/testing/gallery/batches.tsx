import { changeApiKeys } from "@tollgate/contract/api/api-key-batches";
import { searchApiKeys } from "@tollgate/contract/api/api-keys";
import { useState } from "react";
import { DeleteButton, SwitchButtons, WindowButton } from "../../components/bulk-actions";
import { BulkAliases } from "../../components/bulk-aliases";
import { BulkBar } from "../../components/bulk-bar";
import { useBulkEdit } from "../../components/bulk-fields";
import { BulkLimits } from "../../components/bulk-limits";
import { DataTable } from "../../components/data-table";
import { SelectionBar } from "../../components/selection-bar";
import { useBoxes } from "../../components/selection-boxes";
import { NO_LIMITS } from "../../lib/limit-fields";
import type { Batch } from "../../lib/use-batch";
import { useSelection } from "../../lib/use-selection";
import type { Specimen } from "./specimen";

const nothing = () => undefined;
const later = () => new Promise<void>((resolve) => setTimeout(resolve, 1000));

const IDLE: Batch = {
  isBusy: false,
  progress: undefined,
  refused: [],
  forgetRefused: nothing,
  stop: nothing,
};

const ROWS = [
  { id: 1, name: "主力" },
  { id: 2, name: "备用" },
];

const Selected = () => {
  const selection = useSelection();
  const withBoxes = useBoxes(selection, ROWS, ({ name }) => name);
  const [isRefused, setRefused] = useState(false);
  const refused = isRefused ? [{ id: 2, name: "备用", reason: "没有权限" }] : [];
  return (
    <>
      <SelectionBar
        label="对所选的操作"
        title={`已选择 ${selection.chosen.size} 项`}
        batch={{ ...IDLE, refused, forgetRefused: () => setRefused(false) }}
        onChooseAll={() => selection.only([1, 2])}
        onClear={selection.clear}
      >
        <SwitchButtons isBusy={false} onSwitch={() => setRefused(true)} />
        <WindowButton
          label="调整额度"
          isBusy={false}
          load={() => import("../../components/bulk-quota")}
          with={{ count: 2, onSave: later }}
        />
        <DeleteButton
          isBusy={false}
          question="删除 2 项？"
          consequence="此操作无法撤销。"
          confirm="删除 2 项"
          onDelete={later}
        />
      </SelectionBar>
      <DataTable
        label="可选择的行"
        columns={[withBoxes({ id: "name", label: "名称", cell: ({ name }) => name, card: "head" })]}
        rows={ROWS}
        rowKey={({ id }) => id}
        sort={undefined}
        onSort={nothing}
        actions={null}
        pagination={null}
        empty={null}
      />
    </>
  );
};

const Limits = () => {
  const edit = useBulkEdit(NO_LIMITS);
  return <BulkLimits edit={edit} typed={edit.typed} onChange={edit.put} />;
};

const Aliases = () => {
  const edit = useBulkEdit({ modelAliases: '{"claude-sonnet-4-5":"gpt-5.4"}' });
  return (
    <BulkAliases
      edit={edit}
      value={edit.typed.modelAliases}
      onChange={(json) => edit.put("modelAliases", json)}
    />
  );
};

const Keys = () => (
  <BulkBar
    of="keys"
    selection={useSelection()}
    query={{}}
    endpoint={changeApiKeys}
    search={searchApiKeys}
    loadEditor={() => import("../../features/api-keys/keys-editor")}
    isOwn
  />
);

export const BATCHES: readonly Specimen[] = [
  { name: "selection-bar", Shown: Selected },
  {
    name: "selection-bar while it runs",
    Shown: () => (
      <SelectionBar
        label="进行中的操作"
        title="已选择 900 项"
        batch={{ ...IDLE, isBusy: true, progress: { done: 300, total: 900 } }}
        onClear={nothing}
      >
        …
      </SelectionBar>
    ),
  },
  { name: "bulk-limits", Shown: Limits },
  { name: "bulk-aliases", Shown: Aliases },
  { name: "bulk-bar", Shown: Keys },
];
