import { useNavigate } from "@tanstack/react-router";
import { MAX_TICKET_SUBJECT, MAX_TICKET_TEXT, openTicket } from "@tollgate/contract/api/tickets";
import { TICKET_CATEGORIES } from "@tollgate/contract/records/ticket-record";
import { useTranslation } from "react-i18next";
import { FormPage } from "../../components/form-page";
import { SelectField } from "../../components/select-field";
import { TextAreaField, TextField } from "../../components/text-field";
import { readText } from "../../lib/address-values";
import { notify } from "../../lib/notify";
import { useAddress } from "../../lib/use-address";
import { useEndpoint } from "../../lib/use-endpoint";
import { useRecordForm } from "../../lib/use-fields";
import { newTicket, ticketFieldsSchema } from "./ticket-form";

const readSearch = (search: Record<string, unknown>): { request?: string } => ({
  request: readText(search.request),
});

/** /ticket/add: a new ticket, with the receipt of the request in the address. */
export const AddTicketPage = () => {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [{ request = "" }] = useAddress(readSearch);
  const form = useRecordForm({
    id: undefined,
    initial: newTicket(request),
    schema: ticketFieldsSchema,
    list: "/ticket",
  });
  const open = useEndpoint(openTicket, { atField: form.atField, repeatsAlways: true });
  return (
    <FormPage
      title={t("ticket.add")}
      description={t("ticket.addText")}
      isSaving={open.isPending}
      {...form.page(({ subject, category, text, requestId }) =>
        open.mutate(
          { body: { subject, category, text, request_id: requestId.trim() } },
          {
            onSuccess: ({ id }) => {
              notify.success(t("ticket.added"));
              void navigate({ to: "/ticket/$id", params: { id: String(id) } });
            },
          },
        ),
      )}
    >
      <TextField
        label={t("ticket.subject")}
        isRequired
        autoComplete="off"
        {...form.text("subject", { max: MAX_TICKET_SUBJECT })}
      />
      <SelectField
        label={t("ticket.category")}
        options={TICKET_CATEGORIES.map((value) => ({ value, label: t(`ticket.categories.${value}`) }))}
        {...form.value("category")}
      />
      <TextAreaField
        label={t("ticket.text")}
        isRequired
        rows={8}
        hint={t("ticket.textHint")}
        {...form.text("text", { max: MAX_TICKET_TEXT })}
      />
      <TextField
        label={t("ticket.requestId")}
        autoComplete="off"
        className="font-mono"
        hint={t("ticket.requestIdHint")}
        {...form.text("requestId")}
      />
    </FormPage>
  );
};
