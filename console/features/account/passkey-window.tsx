import {
  addPasskey,
  beginPasskey,
  MAX_PASSKEY_NAME,
  renamePasskey,
  type ShownPasskey,
} from "@tollgate/contract/api/passkeys";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button";
import { Dialog, DialogActions } from "../../components/dialog";
import { TextField } from "../../components/text-field";
import { notify } from "../../lib/notify";
import { useEndpoint } from "../../lib/use-endpoint";
import { useMistakes } from "../../lib/use-mistakes";
import { useNewPasskey } from "./use-new-passkey";

interface PasskeyWindowProps {
  /** The passkey to rename; undefined to add one. */
  passkey: ShownPasskey | undefined;
  onClose: () => void;
}

/** The window in which a passkey is added, or gets another name. */
const PasskeyWindow = ({ passkey, onClose }: PasskeyWindowProps) => {
  const { t } = useTranslation();
  const refused = useMistakes();
  const add = useNewPasskey(beginPasskey, addPasskey, refused);
  const rename = useEndpoint(renamePasskey, refused);
  const done = (text: string) => () => {
    notify.success(text);
    onClose();
  };
  const submit = (name: string) => {
    if (!passkey) add.mutate(name, { onSuccess: done(t("passkey.added")) });
    else if (name !== "")
      rename.mutate(
        { params: { id: passkey.id }, body: { name } },
        { onSuccess: done(t("passkey.renamed")) },
      );
  };
  return (
    <Dialog isOpen onClose={onClose} title={passkey ? t("passkey.renameTitle") : t("passkey.addTitle")}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          refused.begin(event.currentTarget);
          submit(String(new FormData(event.currentTarget).get("name")).trim());
        }}
      >
        {!passkey && <p className="text-ink-2 text-sm">{t("passkey.addText")}</p>}
        <TextField
          label={t("passkey.label")}
          hint={t("passkey.hint")}
          name="name"
          defaultValue={passkey?.name}
          autoComplete="off"
          maxLength={MAX_PASSKEY_NAME}
          required={passkey !== undefined}
          error={refused.of("name")}
        />
        <DialogActions>
          <Button type="submit" variant="primary" isBusy={add.isPending || rename.isPending}>
            {passkey ? t("passkey.save") : t("passkey.continue")}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
};

export default PasskeyWindow;
