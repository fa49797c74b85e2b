import {
  changeTitle,
  createTitle,
  type InvoiceTitleRow,
  MAX_TITLE_NAME,
  MAX_TITLE_TEXT,
} from "@tollgate/contract/api/invoices";
import type { TitleKind } from "@tollgate/contract/records/invoice-record";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button";
import { Dialog, DialogActions } from "../../components/dialog";
import { SelectField } from "../../components/select-field";
import { SwitchField } from "../../components/switch-field";
import { TextField } from "../../components/text-field";
import { notify } from "../../lib/notify";
import { useSave } from "../../lib/use-endpoint";
import { type Mistakes, useMistakes } from "../../lib/use-mistakes";

interface TitleDialogProps {
  /** The changed title; undefined for a new one. */
  title: InvoiceTitleRow | undefined;
  onClose: () => void;
}

type TitleDraft = Omit<InvoiceTitleRow, "id">;

const NEW_TITLE: TitleDraft = {
  ...{ kind: "company", name: "", taxNumber: "", email: "", address: "", phone: "", bank: "", account: "" },
  isDefault: false,
};

/** The optional texts of a company's title. */
const MORE = ["address", "phone", "bank", "account"] as const;

const TitleDialog = ({ title, onClose }: TitleDialogProps) => {
  const { t } = useTranslation();
  const refused = useMistakes();
  const save = useSave(createTitle, changeTitle, refused);
  const [draft, setDraft] = useState<TitleDraft>(title ?? NEW_TITLE);
  const change = (part: Partial<TitleDraft>) => setDraft((before) => ({ ...before, ...part }));
  const isCompany = draft.kind === "company";
  const submit = (form: HTMLFormElement): void => {
    refused.begin(form);
    const { taxNumber, isDefault, kind, name, email, address, phone, bank, account } = draft;
    const texts = { name, email, address, phone, bank, account };
    const body = { ...texts, kind, tax_number: taxNumber, is_default: isDefault };
    save.mutate(
      { id: title?.id, body },
      {
        onSuccess: () => {
          notify.success(t("action.done"));
          onClose();
        },
      },
    );
  };
  return (
    <Dialog isOpen onClose={onClose} title={t(title ? "invoice.editTitle" : "invoice.addTitle")}>
      <form
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          submit(event.currentTarget);
        }}
      >
        <SelectField<TitleKind>
          label={t("invoice.kindLabel")}
          error={refused.of("kind")}
          value={draft.kind}
          options={[
            { value: "company", label: t("invoice.kind.company") },
            { value: "personal", label: t("invoice.kind.personal") },
          ]}
          onChange={(kind) => change({ kind })}
        />
        <TextField
          label={t("invoice.name")}
          isRequired
          name="name"
          error={refused.of("name")}
          value={draft.name}
          maxLength={MAX_TITLE_NAME}
          autoComplete={isCompany ? "organization" : "name"}
          onChange={({ target }) => change({ name: target.value })}
        />
        {isCompany && (
          <TextField
            label={t("invoice.taxNumber")}
            isRequired
            name="tax_number"
            hint={t("invoice.taxNumberHint")}
            error={refused.of("tax_number")}
            value={draft.taxNumber}
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            onChange={({ target }) => change({ taxNumber: target.value })}
          />
        )}
        <TextField
          label={t("invoice.email")}
          name="email"
          type="email"
          error={refused.of("email")}
          value={draft.email}
          autoComplete="email"
          onChange={({ target }) => change({ email: target.value })}
        />
        {isCompany && <CompanyFields draft={draft} refused={refused} onChange={change} />}
        {title?.isDefault !== true && (
          <SwitchField
            label={t("invoice.makeDefault")}
            isOn={draft.isDefault}
            onChange={(isDefault) => change({ isDefault })}
          />
        )}
        <DialogActions>
          <Button type="submit" variant="primary" isBusy={save.isPending}>
            {t("invoice.save")}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
};

interface CompanyFieldsProps {
  draft: TitleDraft;
  refused: Mistakes;
  onChange: (part: Partial<TitleDraft>) => void;
}

const CompanyFields = ({ draft, refused, onChange }: CompanyFieldsProps) => {
  const { t } = useTranslation();
  return (
    <>
      <p className="text-sm text-ink-2">{t("invoice.moreHint")}</p>
      {MORE.map((name) => (
        <TextField
          key={name}
          label={t(`invoice.${name}`)}
          name={name}
          error={refused.of(name)}
          value={draft[name]}
          maxLength={MAX_TITLE_TEXT}
          autoComplete="off"
          onChange={({ target }) => onChange({ [name]: target.value })}
        />
      ))}
    </>
  );
};

export default TitleDialog;
