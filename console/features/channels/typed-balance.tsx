import { typeBalance } from "@tollgate/contract/api/channel-upstream";
import type { Channel } from "@tollgate/contract/api/channels";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button";
import { Dialog, DialogActions } from "../../components/dialog";
import { TextField } from "../../components/text-field";
import { notify } from "../../lib/notify";
import { readTypedNumber } from "../../lib/typed-number";
import { useEndpoint } from "../../lib/use-endpoint";
import { useMistakes } from "../../lib/use-mistakes";

interface TypedBalanceProps {
  channel: Channel;
  isOpen: boolean;
  onClose: () => void;
}

/** The balance of a channel whose upstream reports none: typed here, and reduced by usage from then on. */
const TypedBalance = ({ channel, isOpen, onClose }: TypedBalanceProps) => {
  const { t } = useTranslation();
  const refused = useMistakes();
  const save = useEndpoint(typeBalance, refused);
  const [isChecked, setChecked] = useState(false);
  const isTyped = channel.typedBalance !== undefined;
  const [text, setText] = useState(isTyped ? channel.balance.toFixed(2) : "");
  const amount = readTypedNumber(text);
  const put = (balance: number | null) =>
    save.mutate(
      { body: { id: channel.id, balance } },
      {
        onSuccess: () => {
          notify.success(t("action.done"));
          onClose();
        },
      },
    );
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    refused.begin(event.currentTarget);
    setChecked(true);
    if (Number.isFinite(amount)) put(amount);
  };
  const wrong = isChecked && !Number.isFinite(amount) ? t("channel.typed.invalid") : undefined;
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={t("channel.typed.title", { name: channel.name })}>
      <form noValidate onSubmit={submit} className="flex flex-col gap-4">
        <TextField
          label={t("channel.typed.label")}
          hint={t("channel.typed.hint")}
          inputMode="decimal"
          autoComplete="off"
          placeholder="100.00"
          error={refused.of("balance") ?? wrong}
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
        <DialogActions
          apart={
            isTyped && (
              <Button variant="quietDanger" disabled={save.isPending} onClick={() => put(null)}>
                {t("channel.typed.end")}
              </Button>
            )
          }
        >
          <Button type="submit" variant="primary" isBusy={save.isPending}>
            {t("action.submit")}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
};

export default TypedBalance;
