import {
  type Invoice,
  issueInvoice,
  MAX_INVOICE_LINK,
  MAX_INVOICE_NUMBER,
} from "@tollgate/contract/api/invoices";
import { formatMoney } from "@tollgate/contract/payments/currencies";
import { MAX_INVOICE_FILE_BYTES } from "@tollgate/contract/records/invoice-record";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button";
import { type Fact, Facts } from "../../components/detail-page";
import { Dialog, DialogActions } from "../../components/dialog";
import { FileField } from "../../components/file-field";
import { TextField } from "../../components/text-field";
import { notify } from "../../lib/notify";
import { readBase64 } from "../../lib/read-base64";
import { useEndpoint } from "../../lib/use-endpoint";
import { useMistakes } from "../../lib/use-mistakes";

interface IssueDialogProps {
  invoice: Invoice;
  onClose: () => void;
}

const MEGABYTE = 1024 * 1024;

/** Issues an application: an administrator makes the invoice elsewhere, and enters its number and file here. */
const IssueDialog = ({ invoice, onClose }: IssueDialogProps) => {
  const { t } = useTranslation();
  const refused = useMistakes();
  const issue = useEndpoint(issueInvoice, { ...refused, repeatsAlways: true });
  const [number, setNumber] = useState("");
  const [link, setLink] = useState("");
  const [file, setFile] = useState<File>();
  const [isReading, setReading] = useState(false);
  const limit = MAX_INVOICE_FILE_BYTES / MEGABYTE;
  const isTooLarge = (file?.size ?? 0) > MAX_INVOICE_FILE_BYTES;
  const send = async (form: HTMLFormElement): Promise<void> => {
    refused.begin(form);
    if (isTooLarge) return;
    setReading(true);
    const content = file ? await readBase64(file).finally(() => setReading(false)) : "";
    setReading(false);
    issue.mutate(
      { params: { id: invoice.id }, body: { amount: invoice.amount, number, link, file: content } },
      {
        onSuccess: () => {
          notify.success(t("invoice.issued"));
          onClose();
        },
      },
    );
  };
  const facts: readonly Fact[] = [
    [t("invoice.amount"), formatMoney(invoice.amount, invoice.currency)],
    [t("invoice.type"), t(invoice.isSpecial ? "invoice.special" : "invoice.general")],
    [t("invoice.name"), invoice.titleName],
    ...(["taxNumber", "email", "address", "phone", "bank", "account", "note"] as const).map(
      (name): Fact => (invoice[name] === "" ? undefined : [t(`invoice.${name}`), invoice[name]]),
    ),
  ];
  return (
    <Dialog isOpen isWide onClose={onClose} title={t("invoice.issueTitle", { user: invoice.username })}>
      <form
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          void send(event.currentTarget);
        }}
      >
        <Facts title={t("invoice.title")} facts={facts} />
        <TextField
          label={t("invoice.number")}
          name="number"
          error={refused.of("number")}
          value={number}
          maxLength={MAX_INVOICE_NUMBER}
          autoComplete="off"
          onChange={({ target }) => setNumber(target.value)}
        />
        <FileField
          label={t("invoice.file")}
          choose={t("invoice.chooseFile")}
          none={t("invoice.noFile")}
          accept=".pdf,.ofd,.xml"
          hint={t("invoice.fileHint", { limit })}
          error={isTooLarge ? t("invoice.fileTooLarge", { limit }) : refused.of("file")}
          onChange={setFile}
        />
        <TextField
          label={t("invoice.link")}
          name="link"
          type="url"
          error={refused.of("link")}
          value={link}
          maxLength={MAX_INVOICE_LINK}
          autoComplete="off"
          onChange={({ target }) => setLink(target.value)}
        />
        <DialogActions>
          <Button
            type="submit"
            variant="primary"
            disabled={isTooLarge || (number.trim() === "" && link.trim() === "" && !file)}
            isBusy={isReading || issue.isPending}
          >
            {t("invoice.issue")}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
};

export default IssueDialog;
