import type { SignInMethod } from "@tollgate/contract/sign-in/methods";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button";
import { Dialog, DialogActions } from "../../components/dialog";
import { TextField } from "../../components/text-field";
import type { Mistakes } from "../../lib/use-mistakes";

interface TypedCodeWindowProps {
  title: string;
  /** Label of its button. */
  confirm: string;
  method: SignInMethod;
  /** Address of the picture for obtaining the code; "" for none. */
  picture: string;
  isBusy: boolean;
  refused: Mistakes;
  onClose: () => void;
  onCode: (code: string) => void;
}

/** A window with a picture, and a field for the code obtained through it. */
export const TypedCodeWindow = ({
  title,
  confirm,
  method,
  picture,
  isBusy,
  refused,
  onClose,
  onCode,
}: TypedCodeWindowProps) => {
  const { t } = useTranslation();
  const named = { context: method.name, method: method.title };
  return (
    <Dialog isOpen onClose={onClose} title={title}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          refused.begin(event.currentTarget);
          const code = String(new FormData(event.currentTarget).get("code")).trim();
          if (code !== "") onCode(code);
        }}
      >
        {picture !== "" && (
          <img
            src={picture}
            alt={t("typedCode.picture", named)}
            className="mx-auto size-48 rounded-md bg-white object-contain"
          />
        )}
        <p className="text-ink-2">{t("typedCode.instruction", named)}</p>
        <TextField
          label={t("typedCode.code")}
          name="code"
          autoComplete="one-time-code"
          required
          error={refused.of("code")}
        />
        <DialogActions>
          <Button type="submit" variant="primary" isBusy={isBusy}>
            {confirm}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
};
