import { Copy, Trash2 } from "lucide-react";
import { useState } from "react";
import { Button } from "../../components/button";
import { ConfirmButton } from "../../components/confirm-button";
import { LateMenu } from "../../components/late-popup";
import { RefreshButton } from "../../components/refresh-button";
import { RowActions } from "../../components/row-actions";
import { Segmented } from "../../components/segmented";
import { SplitButton } from "../../components/split-button";
import type { Specimen } from "./specimen";

const nothing = () => undefined;
const later = () => new Promise((resolve) => setTimeout(resolve, 1000));

const Buttons = () => (
  <div className="flex flex-wrap items-center gap-2">
    {(["primary", "plain", "quiet", "danger", "quietDanger"] as const).map((variant) => (
      <Button key={variant} variant={variant}>
        {variant}
      </Button>
    ))}
    <Button size="small">small</Button>
    <Button size="icon" aria-label="copy">
      <Copy aria-hidden className="size-4" />
    </Button>
    <Button disabled>disabled</Button>
    <Button isBusy>busy</Button>
    <RefreshButton onClick={nothing} />
  </div>
);

const RANGES = [
  { value: "day", label: "24 小时" },
  { value: "week", label: "7 天" },
  { value: "month", label: "30 天", refusal: "这里没有 30 天的数据" },
] as const;

const Ranges = () => {
  const [range, setRange] = useState<(typeof RANGES)[number]["value"]>("day");
  return (
    <div className="flex">
      <Segmented label="范围" value={range} segments={RANGES} onChange={setRange} />
    </div>
  );
};

export const ACTIONS: readonly Specimen[] = [
  { name: "button", Shown: Buttons },
  {
    name: "confirm-button",
    Shown: () => (
      <div>
        <ConfirmButton question="删除渠道？" consequence="此操作不可恢复。" confirm="删除" onConfirm={later}>
          删除
        </ConfirmButton>
      </div>
    ),
  },
  {
    name: "menu",
    Shown: () => (
      <div>
        <LateMenu
          trigger={<Button>菜单</Button>}
          entries={[
            { label: "复制", icon: <Copy aria-hidden className="size-4" />, onSelect: nothing },
            { label: "聊天", onSelect: nothing, refusal: "管理员未设置聊天链接" },
            {
              label: "删除",
              icon: <Trash2 aria-hidden className="size-4" />,
              onSelect: nothing,
              isDanger: true,
            },
          ]}
        />
      </div>
    ),
  },
  {
    name: "row-actions",
    Shown: () => (
      <RowActions
        of="主力"
        actions={[
          { label: "测试", onSelect: later },
          { label: "禁用", onSelect: later },
          { label: "编辑", onSelect: nothing },
          {
            label: "删除",
            isDanger: true,
            question: { question: "删除渠道？", consequence: "此操作不可恢复。", confirm: "删除" },
            onSelect: later,
          },
        ]}
      />
    ),
  },
  { name: "segmented", Shown: Ranges },
  {
    name: "split-button",
    Shown: () => (
      <SplitButton
        label="测试"
        name="测试：主力"
        onClick={nothing}
        moreLabel="其他模型"
        entries={[{ label: "gpt-5.4", onSelect: nothing }]}
      />
    ),
  },
];
