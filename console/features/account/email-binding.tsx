import { bindEmail } from "@tollgate/contract/api/sign-in";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button";
import { Dialog, DialogActions } from "../../components/dialog";
import { notify } from "../../lib/notify";
import { useEndpoint } from "../../lib/use-endpoint";
import { useMistakes } from "../../lib/use-mistakes";
import { EmailCodeFields } from "./email-code-fields";
import { useHumanCheck } from "./use-human-check";

/** The window that binds an e-mail address, confirmed by a mailed code. */
const EmailBinding = ({ onClose }: { onClose: () => void }) => {
  const { t } = useTranslation();
  const refused = useMistakes();
  const bind = useEndpoint(bindEmail, refused);
  const human = useHumanCheck();
  return (
    <Dialog isOpen onClose={onClose} title={t("personal.bindEmail")}>
      <form
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          refused.begin(event.currentTarget);
          const form = new FormData(event.currentTarget);
          const email = String(form.get("email") ?? "").trim();
          const code = String(form.get("code") ?? "").trim();
          if (email === "" || code === "") return;
          bind.mutate(
            { query: { email, code } },
            {
              onSuccess: () => {
                notify.success(t("personal.emailBound"));
                onClose();
              },
            },
          );
        }}
      >
        <EmailCodeFields emailName="email" codeName="code" refused={refused} takeToken={human.takeToken} />
        {human.widget}
        <DialogActions>
          <Button type="submit" variant="primary" isBusy={bind.isPending}>
            {t("personal.submitBind")}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
};

export default EmailBinding;
