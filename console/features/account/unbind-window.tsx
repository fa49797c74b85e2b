import { type OwnIdentity, unbindIdentity } from "@tollgate/contract/api/sign-in-providers";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/button";
import { Dialog, DialogActions } from "../../components/dialog";
import { TextField } from "../../components/text-field";
import { notify } from "../../lib/notify";
import { useEndpoint } from "../../lib/use-endpoint";
import { useMistakes } from "../../lib/use-mistakes";

/** The window that unbinds an account elsewhere; the last one only with the password, which remains then. */
const UnbindWindow = ({ identity, onClose }: { identity: OwnIdentity; onClose: () => void }) => {
  const { t } = useTranslation();
  const refused = useMistakes();
  const unbind = useEndpoint(unbindIdentity, refused);
  const named = { context: identity.name, method: identity.title };
  return (
    <Dialog isOpen onClose={onClose} title={t("personal.unbindMethod", named)}>
      <form
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          refused.begin(event.currentTarget);
          const password = String(new FormData(event.currentTarget).get("password") ?? "");
          unbind.mutate(
            { params: { name: identity.name }, body: { password } },
            {
              onSuccess: () => {
                notify.success(t("personal.methodUnbound", named));
                onClose();
              },
            },
          );
        }}
      >
        <p className="text-ink-2">{t(identity.isLast ? "personal.unbindLast" : "personal.unbindText")}</p>
        {identity.isLast && (
          <TextField
            label={t("account.password")}
            name="password"
            type="password"
            autoComplete="current-password"
            required
            error={refused.of("password")}
          />
        )}
        <DialogActions>
          <Button type="submit" variant="danger" isBusy={unbind.isPending}>
            {t("personal.unbind")}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
};

export default UnbindWindow;
