import { exportProfit } from "@tollgate/contract/api/profit";
import { Inbox } from "lucide-react";
import { useState } from "react";
import { AddLink } from "../../components/add-link";
import { StateMark } from "../../components/badge";
import { Button } from "../../components/button";
import type { Column } from "../../components/data-table";
import { DetailPage } from "../../components/detail-page";
import { EmptyState } from "../../components/empty-state";
import { ExportButton } from "../../components/export-button";
import { GroupBadges } from "../../components/group-badges";
import { KeyLink } from "../../components/key-link";
import { LimitUses } from "../../components/limit-uses";
import { ListPage } from "../../components/list-page";
import { RecordLink } from "../../components/record-link";
import { RowActions, useActionsColumn } from "../../components/row-actions";
import { VendorMark } from "../../components/vendor-mark";
import { formatQuota } from "../../lib/format";
import { growingList } from "../../lib/growing-list";
import type { ListSearch } from "../../lib/list-search";
import { useList } from "../../lib/use-list";
import type { Specimen } from "./specimen";

interface Row {
  id: number;
  name: string;
  groups: string[];
  quota: number;
  isEnabled: boolean;
}

const ROWS: Row[] = [
  { id: 1, name: "主力", groups: ["default", "vip", "svip"], quota: 1_250_000, isEnabled: true },
  { id: 2, name: "备用", groups: [], quota: 500, isEnabled: false },
  {
    id: 3,
    name: "一个很长的名称，需要在表格中换行而不是撑开整个页面",
    groups: ["pro"],
    quota: 0,
    isEnabled: true,
  },
];

const nothing = () => undefined;

/** A list with rows, with a pending or failed read, or without rows. */
const List = ({ name, read }: { name: string; read: () => Promise<Row[]> }) => {
  const [search, setSearch] = useState<ListSearch>({});
  const columns: Column<Row>[] = [
    { id: "id", label: "ID", cell: ({ id }) => id, sortBy: ({ id }) => id, card: "head" },
    {
      id: "name",
      label: "名称",
      cell: ({ id, name }) => (
        <RecordLink kind="channel" id={id}>
          {name}
        </RecordLink>
      ),
      sortBy: ({ name }) => name,
      card: "head",
    },
    { id: "group", label: "分组", cell: ({ groups }) => <GroupBadges groups={groups} /> },
    {
      id: "state",
      label: "状态",
      cell: ({ isEnabled }) => (
        <StateMark tone={isEnabled ? "green" : "red"}>{isEnabled ? "已启用" : "已禁用"}</StateMark>
      ),
      card: "side",
    },
    {
      id: "quota",
      label: "额度",
      cell: ({ quota }) => formatQuota(quota),
      sortBy: ({ quota }) => quota,
      isNumber: true,
    },
    useActionsColumn(({ name }) => (
      <RowActions
        of={name}
        actions={[
          { label: "测试", onSelect: nothing },
          { label: "禁用", onSelect: nothing },
          { label: "编辑", onSelect: nothing },
        ]}
      />
    )),
  ];
  const list = useList({ pages: growingList<Row>(["gallery", name], read), search, columns });
  return (
    <ListPage
      title={name}
      label={name}
      description="列表的模板。"
      searchPlaceholder="搜索名称"
      list={list}
      columns={columns}
      rowKey={({ id }) => id}
      search={search}
      onSearch={setSearch}
      primary={<AddLink to="/channel/add">添加</AddLink>}
      actions={<ExportButton file={exportProfit} query={() => ({})} />}
      empty={
        <EmptyState icon={<Inbox aria-hidden />} title="还没有渠道" text="添加一个渠道后，请求才有去处。">
          <Button variant="primary">添加</Button>
        </EmptyState>
      }
    />
  );
};

export const LISTS: readonly Specimen[] = [
  { name: "list-page", Shown: () => <List name="渠道" read={async () => ROWS} /> },
  { name: "list-page without rows", Shown: () => <List name="空列表" read={async () => []} /> },
  {
    name: "list-page while it loads",
    Shown: () => <List name="加载中" read={() => new Promise(nothing)} />,
  },
  {
    name: "list-page that failed",
    Shown: () => <List name="失败" read={() => Promise.reject(new Error("网关没有应答"))} />,
  },
  { name: "key-link", Shown: () => <KeyLink name="笔记本" userId={2} /> },
  { name: "group-badges", Shown: () => <GroupBadges groups={["default", "vip", "svip", "pro"]} /> },
  {
    name: "vendor-mark",
    Shown: () => (
      <p className="flex gap-2">
        {(["green", "blue", "purple", "orange", "black"] as const).map((color) => (
          <VendorMark key={color} color={color} />
        ))}
      </p>
    ),
  },
  {
    name: "limit-uses",
    Shown: () => (
      <LimitUses
        error={null}
        onRetry={nothing}
        limits={[
          { id: "rpm", name: "每分钟请求数", of: "令牌", max: 60, used: 55 },
          { id: "day", name: "每日预算", of: "用户", max: 5_000_000, used: 1_200_000, isMoney: true },
        ]}
      />
    ),
  },
  {
    name: "detail-page",
    Shown: () => (
      <DetailPage
        title="主力"
        marks={<StateMark tone="green">已启用</StateMark>}
        actions={<Button>测试</Button>}
        label="渠道的页面"
        facts={[
          ["类型", "OpenAI"],
          ["余额", "$12.00"],
          ["创建时间", "2026-11-28 18:00:00"],
        ]}
        tabs={[
          { id: "usage", label: "用量", content: "…" },
          { id: "log", label: "日志", content: "…" },
        ]}
      />
    ),
  },
];
