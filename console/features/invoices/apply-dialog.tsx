import { useQuery } from "@tanstack/react-query";
import {
  applyForInvoice,
  type InvoiceableOrderRow,
  type InvoiceTitleRow,
  MAX_INVOICE_NOTE,
} from "@tollgate/contract/api/invoices";
import { formatMoney } from "@tollgate/contract/payments/currencies";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button";
import { Dialog, DialogActions } from "../../components/dialog";
import { FailedState } from "../../components/failed-state";
import { SelectField } from "../../components/select-field";
import { SwitchField } from "../../components/switch-field";
import { TextField } from "../../components/text-field";
import { formatOrderNumber, formatTime } from "../../lib/format";
import { notify } from "../../lib/notify";
import { useEndpoint } from "../../lib/use-endpoint";
import { useMistakes } from "../../lib/use-mistakes";
import { invoiceableOrdersQuery, titlesQuery } from "./invoice-queries";

interface ApplyDialogProps {
  /** Numbers of orders that are chosen already. */
  chosen: readonly string[];
  onClose: () => void;
}

/** The window of an application. */
const ApplyDialog = ({ chosen, onClose }: ApplyDialogProps) => {
  const { t } = useTranslation();
  const titles = useQuery(titlesQuery);
  const orders = useQuery(invoiceableOrdersQuery);
  const error = titles.error ?? orders.error;
  const retry = () => Promise.all([titles.refetch(), orders.refetch()]);
  let content: ReactNode = (
    <div role="status" aria-label={t("page.loading")} className="skeleton h-40 w-full" />
  );
  if (error) content = <FailedState error={error} onRetry={() => void retry()} />;
  else if (titles.data && orders.data)
    content =
      titles.data.length === 0 ? (
        <p className="text-ink-2">{t("invoice.titleFirst")}</p>
      ) : orders.data.length === 0 ? (
        <p className="text-ink-2">{t("invoice.noOrders")}</p>
      ) : (
        <ApplyForm titles={titles.data} orders={orders.data} chosen={chosen} onClose={onClose} />
      );
  return (
    <Dialog isOpen onClose={onClose} title={t("invoice.apply")}>
      {content}
    </Dialog>
  );
};

interface ApplyFormProps extends ApplyDialogProps {
  titles: readonly InvoiceTitleRow[];
  orders: readonly InvoiceableOrderRow[];
}

const ApplyForm = ({ titles, orders, chosen, onClose }: ApplyFormProps) => {
  const { t } = useTranslation();
  const refused = useMistakes();
  const apply = useEndpoint(applyForInvoice, { ...refused, repeatsAlways: true });
  const [titleId, setTitleId] = useState(titles[0]?.id ?? 0);
  const [numbers, setNumbers] = useState<readonly string[]>(chosen);
  const [isSpecial, setSpecial] = useState(false);
  const [note, setNote] = useState("");
  const picked = orders.filter(({ number }) => numbers.includes(number));
  const currency = picked[0]?.currency;
  const isCompany = titles.find(({ id }) => id === titleId)?.kind === "company";
  const sum = picked.reduce((total, { amount }) => total + amount, 0);
  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        refused.begin(event.currentTarget);
        const body = {
          title_id: titleId,
          orders: picked.map(({ number }) => number),
          is_special: isSpecial && isCompany,
          note,
        };
        apply.mutate(
          { body },
          {
            onSuccess: () => {
              notify.success(t("invoice.applied"));
              onClose();
            },
          },
        );
      }}
    >
      <SelectField
        label={t("invoice.title")}
        error={refused.of("title_id")}
        value={titleId}
        options={titles.map(({ id, name }) => ({ value: id, label: name }))}
        onChange={setTitleId}
      />
      <OrderChoice
        orders={orders}
        numbers={numbers}
        currency={currency}
        error={refused.of("orders")}
        onChange={setNumbers}
      />
      {isCompany && (
        <SwitchField
          label={t("invoice.special")}
          hint={refused.of("is_special") ?? t("invoice.specialHint")}
          isOn={isSpecial}
          onChange={setSpecial}
        />
      )}
      <TextField
        label={t("invoice.note")}
        error={refused.of("note")}
        value={note}
        maxLength={MAX_INVOICE_NOTE}
        autoComplete="off"
        onChange={({ target }) => setNote(target.value)}
      />
      <DialogActions>
        <Button type="submit" variant="primary" disabled={picked.length === 0} isBusy={apply.isPending}>
          {picked.length === 0
            ? t("invoice.apply")
            : t("invoice.applyFor", { money: formatMoney(sum, currency ?? "") })}
        </Button>
      </DialogActions>
    </form>
  );
};

interface OrderChoiceProps {
  orders: readonly InvoiceableOrderRow[];
  numbers: readonly string[];
  /** Of the chosen orders: one application has one currency. */
  currency: string | undefined;
  error: string | undefined;
  onChange: (numbers: readonly string[]) => void;
}

const OrderChoice = ({ orders, numbers, currency, error, onChange }: OrderChoiceProps) => {
  const { t } = useTranslation();
  const offered = orders.filter((order) => currency === undefined || order.currency === currency);
  return (
    <fieldset className="flex flex-col gap-1">
      <legend className="mb-1.5 flex w-full flex-wrap justify-between gap-2 font-medium text-sm">
        {t("invoice.orders")}
        <button
          type="button"
          className="touch font-normal text-accent underline-offset-4 hover:underline"
          onClick={() => onChange(offered.map(({ number }) => number))}
        >
          {t("invoice.chooseAll")}
        </button>
      </legend>
      <div className="max-h-64 overflow-y-auto rounded-md border border-line px-3 py-1">
        {orders.map(({ number, amount, currency: own, paidAt }) => (
          <label
            key={number}
            className="flex min-h-7 max-wide:min-h-control cursor-pointer items-center gap-2.5 text-sm"
          >
            <input
              type="checkbox"
              name="orders"
              className="size-4 shrink-0 accent-accent"
              disabled={currency !== undefined && own !== currency}
              checked={numbers.includes(number)}
              onChange={({ currentTarget: { checked } }) =>
                onChange(checked ? [...numbers, number] : numbers.filter((each) => each !== number))
              }
            />
            <span className="font-mono">{formatOrderNumber(number)}</span>
            <span className="min-w-0 truncate text-ink-3">{formatTime(paidAt)}</span>
            <span className="ms-auto whitespace-nowrap tabular-nums">{formatMoney(amount, own)}</span>
          </label>
        ))}
      </div>
      {error !== undefined && (
        <p role="alert" className="text-red text-sm">
          {error}
        </p>
      )}
    </fieldset>
  );
};

export default ApplyDialog;
