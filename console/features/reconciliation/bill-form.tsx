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
import type { ParseKeys } from "i18next";
import { useRef, useState } from "react";
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
import { useMistakes } from "../../lib/use-mistakes";
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
  const refused = useMistakes();
  const bill = useEndpoint(reconcileBill, refused);
  const balance = useEndpoint(reconcileBalance, refused);
  const isReconciling = bill.isPending || balance.isPending;
  const [isChecked, setChecked] = useState(false);
  const [units, percent] = [readTypedNumber(rate), readTypedNumber(threshold)];
  const shared = { channel, units_per_usd: units, threshold_percent: percent };
  const isReady = channel > 0 && units > 0 && percent >= 0;
  const form = useRef<HTMLFormElement>(null);
  /** Shows the mistakes of the form, or forgets the last refusal. @returns whether it may be sent */
  const check = (isPartReady: boolean): boolean => {
    if (form.current) refused.begin(form.current);
    setChecked(true);
    return isReady && isPartReady;
  };
  const wrong = (field: string, isWrong: boolean, text: ParseKeys): string | undefined =>
    refused.of(field) ?? (isChecked && isWrong ? t(text) : undefined);
  const part = { isChecked, isBusy: isReconciling, check };
  return (
    <Panel>
      <form
        ref={form}
        noValidate
        className="flex flex-col gap-5"
        onSubmit={(event) => event.preventDefault()}
      >
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
            error={wrong("channel", channel === 0, "reconciliation.channelMissing")}
            options={channels.map(({ id, name }) => ({ value: id, label: `#${id} ${name}` }))}
            onChange={setChosen}
          />
          <TextField
            label={t("reconciliation.rate")}
            hint={t("reconciliation.rateHint")}
            inputMode="decimal"
            value={rate}
            error={wrong("units_per_usd", !(units > 0), "reconciliation.rateInvalid")}
            onChange={(event) => setRate(event.target.value)}
          />
          <TextField
            label={t("reconciliation.threshold")}
            inputMode="decimal"
            value={threshold}
            error={wrong("threshold_percent", !(percent >= 0), "reconciliation.thresholdInvalid")}
            onChange={(event) => setThreshold(event.target.value)}
          />
        </div>
        {source === "csv" ? (
          <FromFile
            {...part}
            onRate={setRate}
            onCompare={(body) => bill.mutate({ body: { ...shared, ...body } }, { onSuccess: onDone })}
          />
        ) : (
          <FromBalance
            channel={channel}
            {...part}
            onCompare={(range) => balance.mutate({ body: { ...shared, ...range } }, { onSuccess: onDone })}
          />
        )}
      </form>
    </Panel>
  );
};

interface PartProps {
  /** Mistakes are shown: the form was to be sent. */
  isChecked: boolean;
  isBusy: boolean;
  /** Shows the mistakes. @returns whether the form may be sent */
  check: (isPartReady: boolean) => boolean;
}

interface FileChoice {
  file: string;
  date: string;
  amount: string;
  model: string | undefined;
  decimal: "." | ",";
  offset_minutes: number;
}

interface FromFileProps extends PartProps {
  onRate: (rate: string) => void;
  onCompare: (choice: FileChoice) => void;
}

const presetColumn = (columns: readonly string[], names: readonly string[] = []): string =>
  names.find((name) => columns.includes(name)) ?? NO_COLUMN;

/** The picked file, its columns, and the meaning of some of them. */
const useBillFile = (onRate: (rate: string) => void) => {
  const look = useEndpoint(readBillColumns);
  const [file, setFile] = useState("");
  const [used, setUsed] = useState(NO_COLUMNS);
  const [isTooLarge, setTooLarge] = useState(false);
  const take = async (picked: File | undefined): Promise<void> => {
    if (!picked) return;
    setTooLarge(picked.size > MAX_BILL_BYTES);
    if (picked.size > MAX_BILL_BYTES) return;
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
  return { file, bill: look.data, isTooLarge, take, used, setUsed };
};

const FromFile = ({ isChecked, isBusy, check, onRate, onCompare }: FromFileProps) => {
  const { t } = useTranslation();
  const { file, bill, isTooLarge, take, used, setUsed } = useBillFile(onRate);
  const [decimal, setDecimal] = useState<"." | ",">(".");
  const [zone, setZone] = useState<(typeof ZONES)[number]>("utc");
  const column = (name: keyof typeof used, isNeeded: boolean) => (
    <SelectField
      label={t(`reconciliation.use.${name}`)}
      isRequired={isNeeded}
      error={
        isChecked && isNeeded && used[name] === NO_COLUMN ? t("reconciliation.columnMissing") : undefined
      }
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
        error={isTooLarge ? t("reconciliation.tooLarge") : undefined}
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
            onClick={() => {
              if (check(used.date !== NO_COLUMN && used.amount !== NO_COLUMN)) compare();
            }}
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

interface FromBalanceProps extends PartProps {
  channel: number;
  onCompare: (range: { start_timestamp: number; end_timestamp: number }) => void;
}

const USUAL_DAYS = 7;

const FromBalance = ({ channel, isChecked, isBusy, check, onCompare }: FromBalanceProps) => {
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
  const [isTopUpChecked, setTopUpChecked] = useState(false);
  const isSpan = from > 0 && from < to;
  const addTopUp = (): void => {
    setTopUpChecked(true);
    if (!Number.isFinite(amount) || paidMs === undefined) return;
    save.mutate(
      { body: { channel, at: toUnixSeconds(paidMs), amount, note: "" } },
      {
        onSuccess: () => {
          setTopUp("");
          setTopUpChecked(false);
          notify.success(t("action.done"));
        },
      },
    );
  };
  return (
    <>
      <div className="grid gap-4 wide:grid-cols-2">
        <DateTimeField
          label={t("reconciliation.from")}
          value={range.from}
          error={isChecked && !begin ? t("reconciliation.timeInvalid") : undefined}
          onChange={(text) => setRange({ ...range, from: text })}
        />
        <DateTimeField
          label={t("reconciliation.to")}
          value={range.to}
          error={
            !isChecked || isSpan || !begin
              ? undefined
              : t(end ? "reconciliation.spanInvalid" : "reconciliation.timeInvalid")
          }
          onChange={(text) => setRange({ ...range, to: text })}
        />
      </div>
      <div className="flex flex-wrap items-start gap-3">
        <TextField
          label={t("reconciliation.topUp")}
          hint={t("reconciliation.topUpHint")}
          inputMode="decimal"
          value={topUp}
          error={isTopUpChecked && !Number.isFinite(amount) ? t("reconciliation.topUpInvalid") : undefined}
          onChange={(event) => setTopUp(event.target.value)}
        />
        <DateTimeField
          label={t("reconciliation.topUpAt")}
          value={paidAt}
          error={isTopUpChecked && paidMs === undefined ? t("reconciliation.timeInvalid") : undefined}
          onChange={setPaidAt}
        />
        <Button className="mt-[27px]" isBusy={save.isPending} onClick={addTopUp}>
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
        onClick={() => {
          if (check(isSpan)) onCompare({ start_timestamp: from, end_timestamp: to });
        }}
      >
        {t("reconciliation.compare")}
      </Button>
    </>
  );
};
