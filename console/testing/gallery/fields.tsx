import { MODEL_PRICE_TABLE } from "@tollgate/contract/options/option-tables";
import { useState } from "react";
import * as z from "zod/mini";
import { AdvancedSection } from "../../components/advanced-section";
import { AliasField } from "../../components/alias-field";
import { ChoicesField } from "../../components/choices-field";
import { DateTimeField } from "../../components/date-time-field";
import { EditableRows } from "../../components/editable-rows";
import { Field } from "../../components/field";
import { FileField } from "../../components/file-field";
import { FilterForm } from "../../components/filter-form";
import { SPAN_FIELDS } from "../../components/filter-input";
import { FormPage } from "../../components/form-page";
import { InlineNumber } from "../../components/inline-number";
import { JsonField } from "../../components/json-field";
import { JsonTableField } from "../../components/json-table-field";
import { BudgetInputs, LimitInputs } from "../../components/limit-inputs";
import { LockedNote } from "../../components/locked-note";
import { MarkdownField } from "../../components/markdown-field";
import { OwnRangeForm } from "../../components/own-range-form";
import { PermissionTable } from "../../components/permission-table";
import { QuotaField } from "../../components/quota-field";
import { IndexedCards } from "../../components/section-index";
import { SelectField } from "../../components/select-field";
import { SettingCard } from "../../components/setting-card";
import { SettingInputs } from "../../components/setting-inputs";
import { SwitchField } from "../../components/switch-field";
import { TextAreaField, TextField } from "../../components/text-field";
import { type LimitFields, limitFieldSchemas, NO_LIMITS } from "../../lib/limit-fields";
import { useFields } from "../../lib/use-fields";
import type { WrittenSpan } from "../../lib/written-span";
import type { Specimen } from "./specimen";

const nothing = () => undefined;
const later = () => new Promise((resolve) => setTimeout(resolve, 1000));

const Texts = () => (
  <div className="grid gap-5 wide:grid-cols-2">
    <TextField label="名称" hint="显示在列表中。" placeholder="请输入名称" isRequired />
    <TextField label="名称" defaultValue="主力" error="这个名称已被使用。" />
    <TextField label="名称" defaultValue="主力" disabled />
    <TextAreaField label="备注" defaultValue={"第一行\n第二行"} />
  </div>
);

const Rights = () => {
  const [rights, setRights] = useState<readonly string[]>(["users:read", "tickets:change"]);
  return <PermissionTable label="权限" value={rights} onChange={setRights} />;
};

const Aliases = () => {
  const [aliases, setAliases] = useState('{ "claude-sonnet-5-5": "deepseek-chat" }');
  return (
    <AliasField
      label="模型别名"
      hint="左边的名称由右边的模型回答。"
      value={aliases}
      error={undefined}
      onChange={setAliases}
    />
  );
};

const Markdown = () => {
  const [text, setText] = useState("# 公告\n\n今晚维护。");
  return (
    <MarkdownField label="内容" hint="支持 Markdown。" value={text} error={undefined} onChange={setText} />
  );
};

const VENDORS = ["OpenAI", "Anthropic"].map((value) => ({ value, label: value }));

const Choices = () => {
  const [vendor, setVendor] = useState("OpenAI");
  return <SelectField label="类型" value={vendor} options={VENDORS} onChange={setVendor} />;
};

const Models = () => {
  const [models, setModels] = useState(["gpt-5.4", "claude-sonnet-5-5"]);
  return (
    <ChoicesField
      label="模型"
      value={models}
      options={["gpt-5.4", "gpt-5.4-mini", "claude-sonnet-5-5"]}
      onChange={setModels}
      allowsOthers
    />
  );
};

const Switches = () => {
  const [isOn, setOn] = useState(true);
  return (
    <div className="flex flex-col gap-4">
      <SwitchField label="以货币形式显示额度" hint="一美元等于 500000 额度。" isOn={isOn} onChange={setOn} />
      <SwitchField label="不能更改" isOn={!isOn} onChange={setOn} disabled />
      <SwitchField label="一项设置" isOn={isOn} onChange={setOn} isRow />
    </div>
  );
};

const Times = () => {
  const [time, setTime] = useState("2026-11-28 18:00:00");
  return <DateTimeField label="起始时间" value={time} onChange={setTime} />;
};

const Quotas = () => {
  const [points, setPoints] = useState("500000");
  return <QuotaField label="额度" value={points} onChange={setPoints} />;
};

const Json = ({ text }: { text: string }) => {
  const [json, setJson] = useState(text);
  return (
    <Field label="模型倍率">
      {(control) => (
        <JsonField control={control} label="模型倍率" value={json} onChange={setJson} disabled={false} />
      )}
    </Field>
  );
};

const Tables = () => {
  const [json, setJson] = useState('{"input": 2.5, "output": 15}');
  return (
    <JsonTableField
      table={MODEL_PRICE_TABLE}
      label="模型倍率"
      value={json}
      error={undefined}
      isChecked={false}
      onChange={setJson}
    />
  );
};

const Limits = () => {
  const form = useFields<LimitFields>({ initial: NO_LIMITS, schema: z.object(limitFieldSchemas) });
  return (
    <div className="flex flex-col gap-5">
      <LimitInputs form={form} />
      <BudgetInputs form={form} />
    </div>
  );
};

const Rows = () => {
  const [rows, setRows] = useState(["gpt-5.4", "gpt-5.4-mini"]);
  return (
    <EditableRows
      rows={rows}
      onChange={setRows}
      add="添加一行"
      blank={() => ""}
      remove={(row) => `移除 ${row}`}
      order={{ up: (row) => `上移 ${row}`, down: (row) => `下移 ${row}` }}
    >
      {(row, put) => (
        <input
          aria-label="模型"
          className="control"
          value={row}
          onChange={({ target }) => put(target.value)}
        />
      )}
    </EditableRows>
  );
};

const RANGE_TEXTS = {
  from: "起始时间",
  to: "结束时间",
  apply: "应用",
  timeInvalid: "请输入时间。",
  endsBefore: "结束早于起始。",
};

const CHANNELS = { kind: "gallery", find: async () => [{ value: "1", label: "主力", hint: "#1" }] };

const Filters = () => {
  const [search, setSearch] = useState<WrittenSpan & { channel?: string }>({});
  return (
    <FilterForm
      search={search}
      none={{ range: undefined, from: undefined, to: undefined, channel: undefined }}
      onFilter={setSearch}
      fields={[{ kind: "record", name: "channel", label: "渠道", source: CHANNELS }, ...SPAN_FIELDS]}
    />
  );
};

const SETTINGS = {
  server: { kind: "text", maxLength: 100, options: [] },
  isSecure: { kind: "flag", maxLength: undefined, options: [] },
} as const;

export const FIELDS: readonly Specimen[] = [
  { name: "text-field", Shown: Texts },
  { name: "select", Shown: Choices },
  { name: "multi-select", Shown: Models },
  { name: "switch-field", Shown: Switches },
  { name: "date-time-field", Shown: Times },
  {
    name: "own-range-form",
    Shown: () => (
      <OwnRangeForm
        from="2026-11-27 00:00:00"
        to="2026-11-28 00:00:00"
        translate={(text) => RANGE_TEXTS[text]}
        onApply={nothing}
      />
    ),
  },
  { name: "quota-field", Shown: Quotas },
  { name: "editable-rows", Shown: Rows },
  {
    name: "file-field",
    Shown: () => (
      <FileField label="账单" choose="选择文件" none="未选择文件" accept=".csv" onChange={nothing} />
    ),
  },
  {
    name: "inline-number",
    Shown: () => <InlineNumber label="优先级" value={10} onCommit={later} />,
  },
  { name: "limit-inputs", Shown: Limits },
  { name: "json-field", Shown: () => <Json text={'{\n  "gpt-5.4": 1.25,\n  "gpt-5.4-mini": 0.375\n}'} /> },
  { name: "json-field with a mistake", Shown: () => <Json text={'{ "gpt-5.4": }'} /> },
  { name: "json-table-field", Shown: Tables },
  { name: "alias-field", Shown: Aliases },
  { name: "markdown-field", Shown: Markdown },
  { name: "permission-table", Shown: Rights },
  {
    name: "advanced-section",
    Shown: () => (
      <AdvancedSection title="高级选项" hint="限制与有效期" isOpen={false}>
        <TextField label="IP 白名单" />
      </AdvancedSection>
    ),
  },
  {
    name: "setting-card",
    Shown: () => (
      <SettingCard title="邮件" text="用于验证邮箱和重置密码。">
        <LockedNote text="只有超级管理员可以修改。" />
        <SettingInputs
          settings={SETTINGS}
          texts={{ server: { label: "SMTP 服务器" }, isSecure: { label: "使用 TLS" } }}
          values={{ server: "smtp.example.com", isSecure: true }}
          errorOf={nothing}
          onChange={nothing}
        />
      </SettingCard>
    ),
  },
  {
    name: "section-index",
    Shown: () => (
      <IndexedCards
        cards={[
          { id: "mail", title: "邮件" },
          { id: "quota", title: "额度" },
        ]}
      >
        <SettingCard id="mail" title="邮件">
          <TextField label="SMTP 服务器" />
        </SettingCard>
        <SettingCard id="quota" title="额度">
          <TextField label="新用户初始额度" />
        </SettingCard>
      </IndexedCards>
    ),
  },
  { name: "filter-form", Shown: Filters },
  {
    name: "form-page",
    Shown: () => (
      <FormPage
        title="创建令牌"
        description="程序使用令牌访问网关。"
        onSubmit={(event) => event.preventDefault()}
        onCancel={nothing}
        isSaving={false}
      >
        <TextField label="名称" isRequired />
      </FormPage>
    ),
  },
];
