import { useQuery } from "@tanstack/react-query";
import {
  addUpstreamTopUp,
  readBillColumns,
  reconcileBalance,
  reconcileBill,
} from "@tollgate/contract/api/reconciliations";
import {
  type BillColumns,
  MAX_BILL_BYTES,
  type Reconciliation,
} from "@tollgate/contract/management/reconciliation";
import { toUnixSeconds } from "@tollgate/contract/values/time";
import { BILL_PRESETS } from "@tollgate/vendors/slim/bill-presets";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button";
import { DateTimeField } from "../../components/date-time-field";
import { FileField } from "../../components/file-field";
import { Panel } from "../../components/page-frame";
import { Segmented } from "../../components/segmented";
import { SelectField } from "../../components/select-field";
import { TextField } from "../../components/text-field";
import { formatDate, formatTime, parseDate } from "../../lib/format";
import { notify } from "../../lib/notify";
import { readBase64 } from "../../lib/read-base64";
import { readTypedNumber } from "../../lib/typed-number";
import { clockOffsetMinutes } from "../../lib/usage/usage-range";
import { useEndpoint } from "../../lib/use-endpoint";
import { channelChoicesQuery, movementsQuery } from "./reconciliation-queries";

const DAY_SECONDS = 86_400;

const NO_COLUMN = "";
const NO_COLUMNS = { date: NO_COLUMN, amount: NO_COLUMN, model: NO_COLUMN };
const ZONES = ["utc", "own"] as const;

interface BillFormProps {
  onDone: (reconciliation: Reconciliation) => void;
}

/** The input of a comparison: a bill as a file, or the movements of a channel's balance. */
export const BillForm = ({ onDone }: BillFormProps) => {
  const { t } = useTranslation();
  const { data: channels = [] } = useQuery(channelChoicesQuery);
  const [source, setSource] = useState<"csv" | "balance">("csv");
  const [chosen, setChosen] = useState<number>();
  const channel = chosen ?? channels[0]?.id ?? 0;
  const [rate, setRate] = useState("1");
  const [threshold, setThreshold] = useState("5");
  const bill = useEndpoint(reconcileBill);
  const balance = useEndpoint(reconcileBalance);
  const isReconciling = bill.isPending || balance.isPending;
  const shared = { channel, units_per_usd: Number(rate), threshold_percent: Number(threshold) };
  const isReady = channel > 0 && shared.units_per_usd > 0 && shared.threshold_percent >= 0;
  return (
    <Panel>
      <div className="flex flex-col gap-5">
        <Segmented
          label={t("reconciliation.source")}
          value={source}
          segments={(["csv", "balance"] as const).map((value) => ({
            value,
            label: t(`reconciliation.sources.${value}`),
          }))}
          onChange={setSource}
          className="w-fit max-w-full"
        />
        <div className="grid gap-4 wide:grid-cols-3">
          <SelectField
            label={t("field.channel")}
            value={channel}
            options={channels.map(({ id, name }) => ({ value: id, label: `#${id} ${name}` }))}
            onChange={setChosen}
          />
          <TextField
            label={t("reconciliation.rate")}
            hint={t("reconciliation.rateHint")}
            inputMode="decimal"
            value={rate}
            onChange={(event) => setRate(event.target.value)}
          />
          <TextField
            label={t("reconciliation.threshold")}
            inputMode="decimal"
            value={threshold}
            onChange={(event) => setThreshold(event.target.value)}
          />
        </div>
        {source === "csv" ? (
          <FromFile
            isReady={isReady}
            isBusy={isReconciling}
            onRate={setRate}
            onCompare={(body) => bill.mutate({ body: { ...shared, ...body } }, { onSuccess: onDone })}
          />
        ) : (
          <FromBalance
            channel={channel}
            isReady={isReady}
            isBusy={isReconciling}
            onCompare={(range) => balance.mutate({ body: { ...shared, ...range } }, { onSuccess: onDone })}
          />
        )}
      </div>
    </Panel>
  );
};

interface FileChoice {
  file: string;
  date: string;
  amount: string;
  model: string | undefined;
  decimal: "." | ",";
  offset_minutes: number;
}

interface FromFileProps {
  isReady: boolean;
  isBusy: boolean;
  onRate: (rate: string) => void;
  onCompare: (choice: FileChoice) => void;
}

const presetColumn = (columns: readonly string[], names: readonly string[] = []): string =>
  names.find((name) => columns.includes(name)) ?? NO_COLUMN;

/** The picked file, its columns, and the meaning of some of them. */
const useBillFile = (onRate: (rate: string) => void) => {
  const { t } = useTranslation();
  const look = useEndpoint(readBillColumns);
  const [file, setFile] = useState("");
  const [used, setUsed] = useState(NO_COLUMNS);
  const take = async (picked: File | undefined): Promise<void> => {
    if (!picked) return;
    if (picked.size > MAX_BILL_BYTES) {
      notify.error(t("reconciliation.tooLarge"));
      return;
    }
    const text = await readBase64(picked);
    setFile(text);
    look.mutate(
      { body: { file: text } },
      {
        onSuccess: ({ columns, preset }) => {
          const known = BILL_PRESETS.find(({ name }) => name === preset);
          setUsed({
            date: presetColumn(columns, known?.date),
            amount: presetColumn(columns, known?.amount),
            model: presetColumn(columns, known?.model),
          });
          if (known) onRate(String(known.unitsPerUsd));
        },
      },
    );
  };
  return { file, bill: look.data, take, used, setUsed };
};

const FromFile = ({ isReady, isBusy, onRate, onCompare }: FromFileProps) => {
  const { t } = useTranslation();
  const { file, bill, take, used, setUsed } = useBillFile(onRate);
  const [decimal, setDecimal] = useState<"." | ",">(".");
  const [zone, setZone] = useState<(typeof ZONES)[number]>("utc");
  const column = (name: keyof typeof used, isNeeded: boolean) => (
    <SelectField
      label={t(`reconciliation.use.${name}`)}
      isRequired={isNeeded}
      value={used[name]}
      options={[
        { value: NO_COLUMN, label: t("reconciliation.noColumn") },
        ...(bill?.columns ?? []).map((value) => ({ value, label: value })),
      ]}
      onChange={(value) => setUsed({ ...used, [name]: value })}
    />
  );
  const compare = () =>
    onCompare({
      file,
      date: used.date,
      amount: used.amount,
      model: used.model === NO_COLUMN ? undefined : used.model,
      decimal,
      offset_minutes: zone === "utc" ? 0 : clockOffsetMinutes(),
    });
  return (
    <>
      <FileField
        label={t("reconciliation.file")}
        choose={t("reconciliation.chooseFile")}
        none={t("reconciliation.noFile")}
        hint={t("reconciliation.fileHint")}
        accept=".csv,.tsv,.txt,text/csv"
        onChange={(picked) => void take(picked)}
      />
      {bill && (
        <>
          <Sample bill={bill} />
          <div className="grid gap-4 wide:grid-cols-3">
            {column("date", true)}
            {column("amount", true)}
            {column("model", false)}
          </div>
          <div className="flex flex-wrap gap-4">
            <Segmented
              label={t("reconciliation.decimal")}
              value={decimal}
              segments={[
                { value: ".", label: t("reconciliation.point") },
                { value: ",", label: t("reconciliation.comma") },
              ]}
              onChange={setDecimal}
            />
            <Segmented
              label={t("reconciliation.zone")}
              value={zone}
              segments={ZONES.map((value) => ({ value, label: t(`reconciliation.zones.${value}`) }))}
              onChange={setZone}
            />
          </div>
          <Button
            variant="primary"
            className="w-fit"
            isBusy={isBusy}
            disabled={!isReady || used.date === NO_COLUMN || used.amount === NO_COLUMN}
            onClick={compare}
          >
            {t("reconciliation.compare")}
          </Button>
        </>
      )}
    </>
  );
};

const Sample = ({ bill: { columns, rows, sample, preset } }: { bill: BillColumns }) => {
  const { t } = useTranslation();
  return (
    <div className="min-w-0">
      <p className="text-sm text-ink-2">
        {t("reconciliation.rows", { count: rows })}
        {preset && ` ${t("reconciliation.looksLike", { name: preset })}`}
      </p>
      <div className="mt-2 overflow-x-auto rounded-md border border-line">
        <table aria-label={t("reconciliation.sample")} className="w-full border-collapse text-xs">
          <thead>
            <tr className="text-ink-2">
              {columns.map((name, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: columns may share a name, and a sample never changes.
                <th key={index} scope="col" className="whitespace-nowrap px-3 py-1.5 text-start font-medium">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {sample.map((cells, row) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows have no id, and a sample never changes.
              <tr key={row} className="border-line border-t">
                {columns.map((_, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: the cells of a sample never change.
                  <td key={index} className="max-w-60 truncate whitespace-nowrap px-3 py-1.5">
                    {cells[index] ?? ""}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
};

interface FromBalanceProps {
  channel: number;
  isReady: boolean;
  isBusy: boolean;
  onCompare: (range: { start_timestamp: number; end_timestamp: number }) => void;
}

const USUAL_DAYS = 7;

const FromBalance = ({ channel, isReady, isBusy, onCompare }: FromBalanceProps) => {
  const { t } = useTranslation();
  const [range, setRange] = useState(() => {
    const now = Date.now();
    return {
      from: formatDate(new Date(now - USUAL_DAYS * DAY_SECONDS * 1000)),
      to: formatDate(new Date(now)),
    };
  });
  const [topUp, setTopUp] = useState("");
  const [paidAt, setPaidAt] = useState(range.to);
  const save = useEndpoint(addUpstreamTopUp);
  const [begin, end] = [parseDate(range.from), parseDate(range.to)];
  const from = begin ? toUnixSeconds(begin.getTime()) : 0;
  const to = end ? toUnixSeconds(end.getTime()) : 0;
  const { data: movements = [] } = useQuery(movementsQuery(channel, from, to));
  const amount = readTypedNumber(topUp);
  const paidMs = parseDate(paidAt)?.getTime();
  return (
    <>
      <div className="grid gap-4 wide:grid-cols-2">
        <DateTimeField
          label={t("reconciliation.from")}
          value={range.from}
          onChange={(text) => setRange({ ...range, from: text })}
        />
        <DateTimeField
          label={t("reconciliation.to")}
          value={range.to}
          onChange={(text) => setRange({ ...range, to: text })}
        />
      </div>
      <div className="flex flex-wrap items-start gap-3">
        <TextField
          label={t("reconciliation.topUp")}
          hint={t("reconciliation.topUpHint")}
          inputMode="decimal"
          value={topUp}
          onChange={(event) => setTopUp(event.target.value)}
        />
        <DateTimeField label={t("reconciliation.topUpAt")} value={paidAt} onChange={setPaidAt} />
        <Button
          className="mt-[27px]"
          isBusy={save.isPending}
          disabled={channel === 0 || !Number.isFinite(amount) || paidMs === undefined}
          onClick={() =>
            save.mutate(
              { body: { channel, at: toUnixSeconds(paidMs ?? 0), amount, note: "" } },
              {
                onSuccess: () => {
                  setTopUp("");
                  notify.success(t("action.done"));
                },
              },
            )
          }
        >
          {t("reconciliation.addTopUp")}
        </Button>
      </div>
      <ul className="flex max-h-48 flex-col gap-0.5 overflow-y-auto text-sm text-ink-2 tabular-nums">
        {movements.length === 0 && <li>{t("reconciliation.noMovements")}</li>}
        {movements.map(({ id, at, kind, amount: moved }) => (
          <li key={id}>{`${formatTime(at)} · ${t(`reconciliation.kind.${kind}`)} · ${moved}`}</li>
        ))}
      </ul>
      <Button
        variant="primary"
        className="w-fit"
        isBusy={isBusy}
        disabled={!isReady || !begin || !end || from >= to}
        onClick={() => onCompare({ start_timestamp: from, end_timestamp: to })}
      >
        {t("reconciliation.compare")}
      </Button>
    </>
  );
};
