import {
  answerTicket,
  MAX_TICKET_TEXT,
  replyToTicket,
  type TicketPage,
} from "@tollgate/contract/api/tickets";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button";
import { LeaveGuard } from "../../components/leave-guard";
import { Panel } from "../../components/page-frame";
import { SwitchField } from "../../components/switch-field";
import { TextAreaField } from "../../components/text-field";
import { useEndpoint } from "../../lib/use-endpoint";
import { useMistakes } from "../../lib/use-mistakes";

interface ReplyFormProps {
  ticket: TicketPage;
  isOwn: boolean;
}

/** Adds a message to a ticket; for administrators, an answer or a note. */
export const ReplyForm = ({ ticket: { id, state }, isOwn }: ReplyFormProps) => {
  const { t } = useTranslation();
  const refused = useMistakes();
  const options = { atField: refused.atField, repeatsAlways: true };
  const reply = useEndpoint(replyToTicket, options);
  const answer = useEndpoint(answerTicket, options);
  const [text, setText] = useState("");
  const [isNote, setNote] = useState(false);
  const [isChecked, setChecked] = useState(false);
  const isSending = reply.isPending || answer.isPending;
  const isMissing = isChecked && text.trim() === "";
  const isLong = [...text.trim()].length > MAX_TICKET_TEXT;
  const mistake = isMissing
    ? t("field.missing")
    : isLong
      ? t("ticket.textLong", { max: MAX_TICKET_TEXT })
      : refused.of("text");
  const send = () => {
    const onSuccess = () => {
      setText("");
      setChecked(false);
    };
    const params = { id };
    if (isOwn) reply.mutate({ params, body: { text } }, { onSuccess });
    else answer.mutate({ params, body: { text, is_note: isNote } }, { onSuccess });
  };
  const label = isOwn ? t("ticket.reply") : isNote ? t("ticket.addNote") : t("ticket.answer");
  return (
    <Panel>
      <LeaveGuard isChanged={text.trim() !== ""} isSaving={isSending} />
      <form
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          refused.begin(event.currentTarget);
          setChecked(true);
          if (text.trim() !== "" && !isLong) send();
        }}
      >
        <TextAreaField
          label={label}
          name="text"
          rows={5}
          value={text}
          readOnly={isSending}
          hint={
            state === "closed" && !isNote ? t(isOwn ? "ticket.reopens" : "ticket.answerReopens") : undefined
          }
          {...(mistake === undefined ? {} : { error: mistake })}
          onChange={({ target }) => setText(target.value)}
        />
        {!isOwn && (
          <SwitchField
            label={t("ticket.note")}
            hint={t("ticket.noteHint")}
            isOn={isNote}
            // What is being sent as an answer must not look like a note.
            disabled={isSending}
            onChange={setNote}
          />
        )}
        <div className="flex justify-end">
          <Button type="submit" variant="primary" isBusy={isSending}>
            {isOwn ? t("ticket.send") : label}
          </Button>
        </div>
      </form>
    </Panel>
  );
};
